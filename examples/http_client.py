"""Start the HTTP service of a collection, and ask it. Needs: pip install 'hopsplit[serve]'."""

import json
import re
import subprocess
import sys
import urllib.request

SERVE = [sys.executable, "-m", "hopsplit.cli", "serve", "--index", "encyclopedia", "--port", "0"]


def ask(url: str, question: str, k: int) -> dict:
    """Return what `hopsplit ask --format json` would print."""
    body = json.dumps({"question": question, "k": k}).encode()
    request = urllib.request.Request(f"{url}/ask", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


with subprocess.Popen(SERVE, stderr=subprocess.PIPE, text=True) as server:
    ready = server.stderr.readline()  # says where it listens
    url = re.search(r"http://[\d.:]+", ready)[0]
    found = ask(url, "How many symphonies did the composer of Finlandia complete?", 2)
    print(found["question"])
    for hop in found["plan"]["hops"]:
        print(f"  #{hop['id']} {hop['text']}")
    print("  bridge:", found["bridges"][0]["name"])
    for item in found["evidence"]:
        print(f"  hop {item['hop']}: {item['passage']['title']} ({item['passage']['id']})")
    server.terminate()
print("the server ended with", server.returncode)
