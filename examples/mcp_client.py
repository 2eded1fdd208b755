"""Ask the MCP server of a collection, as an agent's host does. Needs: pip install 'hopsplit[mcp]'."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SERVER = StdioServerParameters(command=sys.executable, args=["-m", "hopsplit.cli", "mcp", "--index", "encyclopedia"])


async def main() -> None:
    """List the tools, then call one."""
    async with stdio_client(SERVER) as streams, ClientSession(*streams) as session:
        await session.initialize()
        for tool in (await session.list_tools()).tools:
            print(f"{tool.name}: {tool.description}")
        question = "How many symphonies did the composer of Finlandia complete?"
        reply = await session.call_tool("ask", {"question": question, "k": 2})
        found = json.loads(reply.content[0].text)
        print(question)
        for item in found["evidence"]:
            print(f"  hop {item['hop']}: {item['title']} ({item['id']})")


asyncio.run(main())
