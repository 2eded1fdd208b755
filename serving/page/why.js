/** How it went: the rules that were tried, the searches, the times. */

import { count, el, milliseconds, outside, section, table } from "./dom.js";
import { link } from "./hops.js";

const SHOWN = 5; // ids of a search's hits

/** The section of the rules tried. */
export function rules(explanation) {
  const groups = runs(explanation?.attempts ?? [], (a) => `${a.hop} ${a.phrase}`);
  if (!groups.length) return section("rules", "Rules tried", el("p", {}, "No rule was tried."));
  return section("rules", "Rules tried", groups.map(phrase));
}

/** The rules that looked at one phrase, by where they stopped. */
function phrase(attempts) {
  const found = attempts.filter((a) => !a.stopped).map((a) => a.rule);
  const came = found.length ? `found by ${found.join(", ")}` : "none found anything";
  const rows = runs(attempts, (a) => a.stopped).map((same) => [
    el("dt", {}, same[0].stopped || "found"),
    el("dd", {}, same.map((a, i) => [i > 0 && ", ", el("code", {}, a.rule)])),
  ]);
  return el(
    "details",
    {},
    el(
      "summary",
      {},
      el("span", { class: "number" }, `#${attempts[0].hop}`),
      " ",
      outside(attempts[0].phrase),
      el("span", { class: "hint" }, ` ${count(attempts.length, "rule")}, ${came}`),
    ),
    el("dl", {}, rows),
  );
}

/** The section of the steps: what was searched, and what a language model was asked. */
export function trace(result) {
  const titles = new Map(result.evidence.map(({ passage }) => [passage.id, passage.title]));
  const calls = result.usage.llm_calls ? `, ${count(result.usage.llm_calls, "call")} of the language model` : "";
  const steps = result.trace.map((step) => line(step, titles));
  const said = `${count(result.usage.searches, "search", "searches")}${calls}`;
  return section(
    "searches",
    "Searches",
    el("details", {}, el("summary", {}, said), el("ol", { class: "steps" }, steps)),
  );
}

function line(step, titles) {
  const more = step.hits.length - SHOWN;
  const tokens = step.prompt_tokens + step.completion_tokens;
  return el(
    "li",
    {},
    el("b", {}, step.action),
    " ",
    outside(step.text),
    step.outcome && [" → ", outside(step.outcome)],
    step.hits.length > 0 && el(
      "span",
      { class: "hint" },
      " → ",
      step.hits.slice(0, SHOWN).flatMap((id, i) => [i > 0 && ", ", link(id, titles)]),
      more > 0 && ` and ${more} more`,
    ),
    step.prompt && el("span", { class: "hint" }, ` ${step.prompt}, ${tokens} tokens, ${step.seconds.toFixed(2)} s`),
  );
}

/**
 * The section of the times.
 * @param {Object<string, import("./api.js").Reply>} replies  by path
 */
export function times(replies, usage) {
  const rows = Object.entries(replies).flatMap(([path, reply]) => [
    [`/${path}, round trip`, milliseconds(reply.milliseconds)],
    ...reply.timing.map(([part, took]) => [`/${path}, ${part}`, milliseconds(took)]),
  ]);
  if (usage) rows.push(["split and search", milliseconds(usage.seconds * 1000)]);
  if (usage?.llm_calls) {
    const tokens = (usage.prompt_tokens + usage.completion_tokens).toLocaleString("en");
    const spent = `${count(usage.llm_calls, "call")}, ${tokens} tokens`;
    rows.push(["language model", usage.cost_usd ? `${spent}, ${usage.cost_usd.toFixed(4)} USD` : spent]);
  }
  const said = "Round trips as this page measures them, the rest as the service tells it.";
  const list = table("What took how long", ["What", "Time"], rows);
  return section("times", "Times", el("p", { class: "hint" }, said), list);
}

/** Neighbours with equal keys, together. */
function runs(items, key) {
  const groups = [];
  for (const item of items) {
    if (groups.length && key(groups.at(-1)[0]) === key(item)) groups.at(-1).push(item);
    else groups.push([item]);
  }
  return groups;
}
