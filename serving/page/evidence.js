/** The evidence: by hop, in the order of the ranking, with the words marked that speak for it. */

import { el, outside, section } from "./dom.js";
import { matched, standsIn, wanted } from "./words.js";

const SHOWN = 700; // characters of a passage at first
const NOTHING = "Nothing found: no passage has a word of the question.";
const HINT = `By hop; the number is the place in the whole ranking. Words of the hop, of what was put into it, and of
the question are marked.`;

/** The section of the evidence. */
export function evidence(result) {
  if (!result.evidence.length) return section("evidence", "Evidence", el("p", { class: "box" }, NOTHING));
  const ranked = result.evidence.map((item, i) => ({ ...item, rank: i + 1 }));
  const hops = new Map(result.plan.hops.map((hop) => [hop.id, hop]));
  const groups = new Map([...hops.keys(), 0].map((id) => [id, []]));
  for (const item of ranked) groups.get(item.hop)?.push(item) ?? groups.get(0).push(item);
  return section(
    "evidence",
    "Evidence",
    el("p", { class: "hint" }, HINT),
    [...groups].map(([id, items]) => items.length > 0 && group(hops.get(id), items, result.question)),
  );
}

function group(hop, items, question) {
  const title = hop
    ? [el("span", { class: "number" }, `#${hop.id}`), " ", outside(hop.text)]
    : "Found for the question as a whole";
  const list = el("ol", {}, items.map((item) => entry(item, hop, question)));
  return el("div", { class: "group" }, el("h3", {}, title), list);
}

function entry(item, hop, question) {
  const { passage } = item;
  const text = hop?.refs.length ? hop.text.replace(/#\d+/g, " ") : hop?.text ?? "";
  const want = wanted([question, text, item.via, item.query]);
  return el(
    "li",
    { id: `passage-${passage.id}`, tabindex: -1, value: item.rank },
    el("h4", { dir: "auto" }, passage.title ? marked(passage.title, want) : "Without a title"),
    el("p", { class: "hint" }, outside(passage.id), how(item), `, score ${item.score.toPrecision(3)}`),
    body(passage.text, want),
  );
}

/** Say how a passage was found; "via" only where the passage itself has the name. */
function how({ passage, via, query, hop }) {
  if (query) return [", asked on: ", outside(query)];
  if (!via) return null;
  const own = `${passage.title} ${passage.text}`;
  const isNamed = !hop || via.split(", ").every((name) => standsIn(own, name));
  return [isNamed ? ", via " : ", searched with ", outside(via, "b")];
}

/** A text with what matches in it, at first only its beginning where it is long. */
function body(text, want) {
  const place = el("p", { class: "text", dir: "auto" });
  const whole = () => place.replaceChildren(...marked(text, want));
  if (text.length <= SHOWN * 1.2) {
    whole();
    return place;
  }
  const blank = text.lastIndexOf(" ", SHOWN);
  place.append(...marked(`${text.slice(0, blank > 0 ? blank : SHOWN)} …`, want));
  const more = el("button", { type: "button", class: "quiet" }, "Show the whole passage");
  more.addEventListener("click", () => {
    whole();
    place.tabIndex = -1;
    place.focus();
    more.remove();
  });
  return [place, more];
}

function marked(text, want) {
  return matched(text, want).map(([piece, matches]) => (matches ? el("mark", {}, piece) : piece));
}
