/** The page: a question in the address's fragment, what the service says of it in the results. */

import { hasToken, post, Refusal, setToken } from "./api.js";
import { count, el, milliseconds, outside, section } from "./dom.js";
import { evidence } from "./evidence.js";
import { hops, isUnsure, takenOf } from "./hops.js";
import { parse } from "./tree.js";
import { rules, times, trace } from "./why.js";
import { bridged } from "./words.js";

const EXAMPLES = [
  "Who was the second wife of the man who directed Citizen Kane?",
  "Which film has the director who was born earlier, Jaws or Spirited Away?",
  "Which two brothers set up the institute where the director of Toy Story learned animation?",
  "Which astronomer was born in Slough and invented the cyanotype?",
  "What is the emblem of Pixar?",
];
const K = 10;
const LONG = 200; // characters of a question that is shown smaller

const at = (id) => document.getElementById(id);
let current = new AbortController();
let address; // the fragment that was asked last

/** The question and the number of passages that the address tells, null where it tells none. */
function told() {
  const said = new URLSearchParams(location.hash.slice(1));
  const k = Number(said.get("k") ?? K);
  return said.has("q") ? { question: said.get("q"), k: Number.isInteger(k) ? k : K } : null;
}

/** Put the form's question into the address, and ask it. */
function submit() {
  location.hash = new URLSearchParams({ q: at("question").value, k: at("k").value });
  ask();
}

/** Ask the question of the address; a question that is still on its way is given up. */
async function ask() {
  const asked = told();
  address = location.hash;
  current.abort();
  if (!asked) return clear();
  const { signal } = (current = new AbortController());
  at("question").value = asked.question;
  at("k").value = asked.k;
  document.title = `${asked.question.trim()} - hopsplit`;
  at("problem").replaceChildren();
  at("results").setAttribute("aria-busy", "true");
  say("Asking …");
  const { question, k } = asked;
  const replies = {};
  const problems = new Map();
  const wait = async (name, body) => {
    try {
      replies[name] = await post(name, body, signal);
      if (!signal.aborted) draw(replies, name);
    } catch (error) {
      if (signal.aborted) return;
      delete replies[name]; // what cannot be shown is no reply
      problems.set(error.message, error);
      if (!(error instanceof Refusal)) console.error(error); // a bug of this page
    }
  };
  await Promise.all([wait("decompose", { question, explain: true }), wait("ask", { question, k })]);
  if (!signal.aborted) end(replies, [...problems.values()]);
}

/** Show what has come; `news` is the reply that came last. */
function draw(replies, news) {
  const isFirst = Object.keys(replies).length === 1;
  const plan = replies.decompose?.value ?? null;
  const result = replies.ask?.value ?? null;
  const before = isFirst ? [] : [...at("results").querySelectorAll("section")];
  const shown = Object.fromEntries(before.map((node) => [node.id, node]));
  // A language model may have split the question anew: its hops are those that were searched.
  const searched = result?.plan ?? plan;
  shown.asked = asked(searched, bridged(plan ?? searched), result);
  shown.hops = hops(searched, result);
  shown.times = times(replies, result?.usage);
  if (news === "decompose") [shown.parse, shown.rules] = [parse(plan.explanation), rules(plan.explanation)];
  if (news === "ask") [shown.evidence, shown.searches] = [evidence(result), trace(result)];
  const of = (...names) => names.map((name) => shown[name]).filter(Boolean);
  const main = of("asked", "hops", "parse", "evidence");
  const beside = of("rules", "searches", "times");
  at("results").replaceChildren(contents([...main, ...beside]), ...main, el("div", { class: "beside" }, beside));
  if (result) at("made").textContent = result.plan.provenance;
  if (!result) say("Split; searching …");
}

/** Links to the parts of the results. */
function contents(sections) {
  const link = ({ id, firstChild }) => el("a", { href: `#${id}`, "data-to": id }, firstChild.textContent);
  const links = sections.map((part) => el("li", {}, link(part)));
  return el("nav", { "aria-label": "Parts of the results" }, el("ul", {}, links));
}

/** The question with its bridge, the kind, the way it went, and what a language model said. */
function asked(plan, pieces, result) {
  const names = (ids) => ids.map((id) => `#${id}`).join(" ");
  const bridge = (text, ids) => el("mark", { class: "bridge" }, text, el("sub", {}, names(ids)));
  const parts = pieces.map(({ text, hops: ids }) => (ids.length ? bridge(text, ids) : text));
  const facts = [["Kind", [el("b", {}, plan.kind), plan.reason && `: ${plan.reason}`]]];
  if (result) {
    const { usage } = result;
    const spent = `${count(usage.searches, "search", "searches")}, ${milliseconds(usage.seconds * 1000)}`;
    facts.push(["Route", [el("b", {}, result.route), `: ${result.reason}`]]);
    const doubt = isUnsure(result) && ", unsure";
    facts.push(["Confidence", [el("b", {}, result.confidence.toFixed(2)), doubt, ` (${spent})`]]);
    for (const [id, name] of takenOf(result)) facts.push([`Bridge #${id}`, [outside(name, "b"), doubt]]);
    if (result.stopped) facts.push(["Stopped", result.stopped]);
  }
  return section(
    "asked",
    "Question",
    el("p", { class: plan.question.length > LONG ? "question long" : "question", dir: "auto" }, parts),
    el("dl", { class: "facts" }, facts.map(([name, said]) => [el("dt", {}, name), el("dd", {}, said)])),
    result && model(result),
  );
}

/** What a language model said of the passages, null where it said nothing. */
function model({ judgement, answer }) {
  if (!judgement && !answer) return null;
  const box = el("div", { class: "box" }, el("h3", {}, "The language model says"));
  if (answer) {
    const from = answer.citations.length ? `from ${answer.citations.join(", ")}` : "it names no passage";
    box.append(el("p", { class: "answer", dir: "auto" }, answer.text));
    box.append(el("p", { class: "hint" }, `Its answer, ${from}. Nobody has checked it.`));
    if (answer.contradictions) box.append(el("p", {}, "Contradictions: ", outside(answer.contradictions)));
  }
  if (judgement) {
    const missing = judgement.missing && !judgement.sufficient ? ["; missing: ", outside(judgement.missing)] : [];
    const enough = judgement.sufficient ? "sufficient" : "not sufficient";
    const share = judgement.confidence.toFixed(2);
    box.append(el("p", {}, `The evidence is ${enough}, ${share} of what is needed`, missing, "."));
  }
  return box;
}

/** Say how it ended. */
function end(replies, problems) {
  at("results").removeAttribute("aria-busy");
  if (!Object.keys(replies).length) at("results").replaceChildren();
  const wantsToken = problems.some((error) => error.status === 401);
  at("token").hidden = !wantsToken;
  const refused = hasToken() ? "The service refuses this token." : "The service wants a token.";
  const texts = wantsToken ? [refused] : problems.map((error) => error.message);
  const lines = texts.map((text) => el("p", {}, text));
  at("problem").replaceChildren(...(lines.length ? [el("div", { class: "box problem" }, lines)] : []));
  if (wantsToken) at("bearer").focus();
  say(replies.ask ? found(replies.ask.value) : "");
}

function found({ plan, evidence: items }) {
  return `${count(plan.hops.length, "hop")}, ${items.length ? count(items.length, "passage") : "nothing found"}.`;
}

function clear() {
  at("results").replaceChildren();
  at("results").removeAttribute("aria-busy");
  at("problem").replaceChildren();
  at("token").hidden = true;
  document.title = "hopsplit";
  say("");
}

function say(text) {
  at("status").textContent = text;
}

at("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
at("question").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  at("ask").requestSubmit();
});
at("token").addEventListener("submit", (event) => {
  event.preventDefault();
  setToken(at("bearer").value.trim());
  at("token").reset();
  at("question").focus();
  ask();
});
// A link within the page must not take the question out of the address.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-to]");
  if (!link) return;
  event.preventDefault();
  at(link.dataset.to)?.focus();
});
at("examples").querySelector("ul").append(
  ...EXAMPLES.map((question) => {
    const button = el("button", { type: "button", class: "quiet" }, question);
    button.addEventListener("click", () => {
      at("question").value = question;
      at("examples").open = false;
      at("examples").querySelector("summary").focus();
      submit();
    });
    return el("li", {}, button);
  }),
);
addEventListener("hashchange", () => location.hash !== address && ask());
if (told()) at("examples").open = false;
ask();
