/** The hops: as a graph, and as a list with the candidates for what each was taken to be. */

import { el, outside, rem, section, svg, table, wide, wrapped } from "./dom.js";

const UNSURE = 0.4; // fallback.UNSURE: below this confidence bridges are doubtful
const LINES = 8; // of a text in the graph

/** What each hop was taken to be, by its id. */
export function takenOf(result) {
  const taken = new Map();
  for (const bridge of result?.bridges ?? []) if (!taken.has(bridge.hop)) taken.set(bridge.hop, bridge.name);
  return taken;
}

/** Whether what hops were taken to be is doubtful. */
export function isUnsure(result) {
  return Boolean(result) && result.confidence < UNSURE;
}

/** The section of the hops; `result` is null as long as nothing was searched. */
export function hops(plan, result) {
  if (!plan.hops.length) return section("hops", "Hops", el("p", {}, "None: the question was not split."));
  const taken = takenOf(result);
  const frame = wide("Graph of the hops");
  redraw(frame, (width) => picture(plan.hops, taken, isUnsure(result), width));
  const list = el("ol", { class: "hops" }, plan.hops.map((hop) => entry(hop, taken, result)));
  return section("hops", "Hops", el("div", { class: "pair" }, frame, list));
}

/** Draw into a frame, and again whenever its width changes. */
function redraw(frame, draw) {
  let width = 0;
  new ResizeObserver(() => {
    if (frame.clientWidth === width || !frame.clientWidth) return;
    width = frame.clientWidth;
    frame.replaceChildren(draw(width));
  }).observe(frame);
}

function entry(hop, taken, result) {
  const facts = [
    hop.answer_type && `asks for a ${hop.answer_type}`,
    hop.refs.length > 0 && `needs ${hop.refs.map((ref) => `#${ref}`).join(", ")}`,
  ];
  return el(
    "li",
    {},
    el("h3", {}, el("span", { class: "number" }, `#${hop.id}`), " ", outside(hop.text)),
    el("p", { class: "hint" }, "rule ", el("code", {}, hop.rule), facts.filter(Boolean).map((fact) => `, ${fact}`)),
    taken.has(hop.id) && candidates(hop.id, result),
  );
}

function candidates(id, result) {
  const titles = new Map(result.evidence.map(({ passage }) => [passage.id, passage.title]));
  const said = isUnsure(result) ? "taken, unsure" : "taken";
  const rows = result.bridges
    .filter((bridge) => bridge.hop === id)
    .map((bridge, i) => [
      i ? outside(bridge.name) : [outside(bridge.name, "b"), " ", el("span", { class: "taken" }, said)],
      link(bridge.passage_id, titles),
      bridge.score.toFixed(2),
    ]);
  return wide(`Candidates for #${id}`, table(`Candidates for #${id}`, ["Name", "Named by", "Score"], rows));
}

/** The id of a passage, which leads to it where it is among the evidence. */
export function link(id, titles) {
  if (!titles.has(id)) return outside(id);
  return el("a", { href: `#passage-${id}`, "data-to": `passage-${id}`, title: titles.get(id) }, outside(id));
}

/** Draw the hops from top to bottom, each below those it needs. */
function picture(all, taken, doubt, width) {
  const unit = rem();
  const [line, pad, gap, drop] = [1.4 * unit, 0.8 * unit, unit, 2.6 * unit];
  const rows = rowsOf(all);
  const rowOf = new Map(rows.flatMap((row, i) => row.map((hop) => [hop.id, i])));
  const skips = (hop, ref) => rowOf.get(hop.id) - rowOf.get(ref) > 1;
  const margin = all.some((hop) => hop.refs.some((ref) => skips(hop, ref))) ? 3 * unit : 0;
  const most = Math.max(...rows.map((row) => row.length));
  const box = Math.max(9 * unit, Math.min(24 * unit, (width - 2 - margin - gap * (most - 1)) / most));
  const full = most * box + (most - 1) * gap;
  const boxes = new Map();
  let top = 1;
  for (const row of rows) {
    const left = 1 + (full - row.length * box - (row.length - 1) * gap) / 2;
    row.sort((a, b) => middle(a) - middle(b) || a.id - b.id);
    row.forEach((hop, i) => boxes.set(hop.id, { hop, ...linesOf(hop), x: left + i * (box + gap) + box / 2, top }));
    const height = Math.max(...row.map((hop) => boxes.get(hop.id).lines)) * line + 1.6 * pad;
    row.forEach((hop) => (boxes.get(hop.id).height = height));
    top += height + drop;
  }
  const size = { width: full + margin + 2, height: top - drop + 1 };
  const said = { role: "img", "aria-label": "Graph of the hops; the list after it says the same." };
  return svg("svg", { ...size, ...said }, all.flatMap(edges), [...boxes.values()].map(node));

  function middle(hop) {
    return hop.refs.reduce((sum, ref) => sum + boxes.get(ref).x, 0) / (hop.refs.length || 1);
  }

  function linesOf(hop) {
    const text = cut(wrapped(hop.text, box - 2 * pad, unit));
    const said = taken.has(hop.id) ? `= ${taken.get(hop.id)}${doubt ? " (unsure)" : ""}` : "";
    const name = cut(wrapped(said, box - 2 * pad, unit, 600));
    return { text, name, lines: 1 + text.length + name.length };
  }

  function node({ hop, text, name, x, top: y, height }) {
    const written = (part, i, more = {}) =>
      svg("text", { x: x - box / 2 + pad, y: y + 0.8 * pad + (i + 0.75) * line, "font-size": unit, ...more }, part);
    return svg(
      "g",
      {},
      svg("rect", { class: "box", x: x - box / 2, y, width: box, height, rx: 0.5 * unit }),
      written(`#${hop.id}`, 0, { class: "number", "font-size": 0.85 * unit }),
      text.map((part, i) => written(part, 1 + i)),
      name.map((part, i) => written(part, 1 + text.length + i, { class: "bridge" })),
    );
  }

  function edges(hop) {
    return hop.refs.map((ref) => (skips(hop, ref) ? around : edge)(boxes.get(ref), boxes.get(hop.id)));
  }

  function edge(from, to) {
    const [y, end, w] = [from.top + from.height, to.top - 0.65 * unit, 0.3 * unit];
    const bend = (end - y) / 2;
    const d = `M${from.x},${y}C${from.x},${y + bend} ${to.x},${end - bend} ${to.x},${end}`;
    return arrow(d, `M${to.x - w},${end}H${to.x + w}L${to.x},${to.top - 0.05 * unit}Z`);
  }

  /** An edge past the rows between, on the right of them. */
  function around(from, to) {
    const [y, end, w] = [from.top + from.height / 2, to.top + to.height / 2, 0.3 * unit];
    const [x, stop, far] = [from.x + box / 2, to.x + box / 2 + 2 * w, full + margin];
    const d = `M${x},${y}C${far},${y} ${far},${y} ${far},${(y + end) / 2}C${far},${end} ${far},${end} ${stop},${end}`;
    return arrow(d, `M${stop},${end - w}V${end + w}L${stop - 2 * w},${end}Z`);
  }

  function arrow(line, head) {
    return svg("g", {}, svg("path", { class: "arc", d: line }), svg("path", { class: "head", d: head }));
  }
}

function cut(lines) {
  return lines.length > LINES ? [...lines.slice(0, LINES - 1), `${lines[LINES - 1]} …`] : lines;
}

/** The hops in rows: each below all that it needs, and as near as can be above what needs it. */
function rowsOf(all) {
  const row = new Map();
  for (const hop of all) row.set(hop.id, Math.max(0, ...hop.refs.map((ref) => row.get(ref) + 1)));
  for (const hop of all.toReversed()) {
    const users = all.filter((other) => other.refs.includes(hop.id)).map((other) => row.get(other.id));
    if (users.length) row.set(hop.id, Math.min(...users) - 1);
  }
  const rows = [];
  for (const hop of all) (rows[row.get(hop.id)] ??= []).push(hop);
  return rows;
}
