/** Words: which of a text's match, and where those of a plan stand in its question. */

/** The stop words of retrieval/words/stop.txt. */
export const STOP = new Set(`a about after all also an and are as at be became become been before both but by can could
did do does during each either for from had has have he her here him his how i if in into is it its many more most much
no not of on one only or other out she since so some such than that the their them then there these they this those to
two under up was we were what when where which while who whom whose why will with would you`.split(/\s+/));

// Letters that Unicode does not decompose, and what people type for them.
const PLAIN = { æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ŧ: "t", ı: "i", ß: "ss", ς: "σ" };
// A character of a script that is written without spaces is a word of its own.
const UNSPACED = "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}]";
const WORD = new RegExp(`${UNSPACED}\\p{M}*|(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}])+`, "gu");

/** The search terms of a text, as the index has them: without case and diacritics. */
export function terms(text) {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[æœøłđðþħŧıßς]/g, (letter) => PLAIN[letter]);
  return plain.match(WORD) ?? [];
}

/** Whether a name stands in a text, term for term. */
export function standsIn(text, name) {
  return ` ${terms(text).join(" ")} `.includes(` ${terms(name).join(" ")} `);
}

/** The terms that are marked for these texts. */
export function wanted(texts) {
  return new Set(texts.flatMap(terms).filter((term) => !STOP.has(term)));
}

/**
 * Cut a text where words begin and end that match. Those with nothing but space between them are one piece.
 * @returns {[string, boolean][]} pieces in order, and whether each matches
 */
export function matched(text, want) {
  const spans = [];
  for (const found of text.matchAll(WORD)) {
    if (!terms(found[0]).some((term) => want.has(term))) continue;
    const last = spans.at(-1);
    if (last && !text.slice(last[1], found.index).trim()) last[1] = found.index + found[0].length;
    else spans.push([found.index, found.index + found[0].length]);
  }
  const pieces = [];
  let at = 0;
  for (const [start, end] of spans) {
    pieces.push([text.slice(at, start), false], [text.slice(start, end), true]);
    at = end;
  }
  return [...pieces, [text.slice(at), false]].filter(([piece]) => piece);
}

/**
 * Say of each part of a question which hops it stands for that others refer to.
 * @returns {{text: string, hops: number[]}[]} in order, together the question
 */
export function bridged(plan) {
  const { question, explanation } = plan;
  const needed = new Set(plan.hops.flatMap((hop) => hop.refs));
  const hopsAt = Array.from(question, () => []);
  const places = offsets(question);
  const units = new Map(places.map((unit, place) => [unit, place]));
  const claim = (start, end, id) => {
    for (let i = start; i < end; i++) if (!hopsAt[i].includes(id)) hopsAt[i].push(id);
  };
  const entity = explanation ? entityAt(question, explanation) : null;
  const [from, to] = entity ? entity.map((unit) => units.get(unit)) : [0, 0];
  const within = ([start, end]) => start < to && end > from;
  const first = plan.hops.find((hop) => needed.has(hop.id) && hop.spans.some(within));
  if (first) claim(from, to, first.id);
  for (const hop of plan.hops.filter((each) => needed.has(each.id) && each !== first)) {
    hop.spans.filter((span) => !first || !within(span)).forEach(([start, end]) => claim(start, end, hop.id));
  }
  return joined(hopsAt, question, places);
}

/** Where each character begins, and the end: the service counts characters, this language half surrogate pairs. */
function offsets(text) {
  let at = 0;
  return [0, ...Array.from(text, (char) => (at += char.length))];
}

function joined(hopsAt, question, places) {
  const parts = [];
  hopsAt.forEach((hops, i) => {
    const char = question.slice(places[i], places[i + 1]);
    if (parts.length && `${parts.at(-1).hops}` === `${hops}`) parts.at(-1).text += char;
    else parts.push({ text: char, hops });
  });
  return parts;
}

/** The first entity that is to be found, as offsets into the question; null where its words do not stand there. */
function entityAt(question, { tree, bridge: [start, end] }) {
  const plain = question
    .replace(/[\u2018\u2019\u201a\u201b\u02bc\u0060\u00b4\u2032\uff07]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02]/g, '"')
    .replace(/[\u2010\u2011\u2043\ufe63\uff0d]/g, "-")
    .replace(/\s/g, " ");
  let at = 0;
  let from = -1;
  for (const [i, word] of tree.slice(0, end).entries()) {
    const found = plain.indexOf(word.text, at);
    if (i === start) from = found;
    if (found >= 0) at = found + word.text.length;
    else if (i === end - 1) return null;
  }
  return from >= 0 && end ? [from, at] : null;
}
