/** The calls of the service. */

let token = ""; // kept in memory only

/** @typedef {{value: any, timing: [string, number][], milliseconds: number}} Reply */

/** What the service refused, in its own words. */
export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export function setToken(given) {
  token = given;
}

export function hasToken() {
  return token !== "";
}

/**
 * Ask the service for something.
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} signal
 * @returns {Promise<Reply>} Refusal where there is no answer
 */
export async function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  if (hasToken()) headers.Authorization = `Bearer ${token}`;
  const start = performance.now();
  let response;
  try {
    response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Refusal("The service cannot be reached. Does it still run?", 0);
  }
  const value = await response.json().catch(() => null);
  signal.throwIfAborted();
  if (!response.ok || !value) {
    const said = typeof value?.error === "string" ? value.error : "";
    throw new Refusal(said || `The service answered with status ${response.status}.`, response.status);
  }
  return { value, timing: timings(response.headers.get("Server-Timing")), milliseconds: performance.now() - start };
}

/** The parts of a Server-Timing header that tell a time, in milliseconds. */
function timings(header) {
  const parts = (header ?? "").split(",").map((part) => part.split(";").map((each) => each.trim()));
  return parts.flatMap(([name, ...rest]) => {
    const took = rest.find((each) => each.startsWith("dur="));
    const said = rest.find((each) => each.startsWith("desc="))?.slice(5).replace(/^"(.*)"$/, "$1");
    return took ? [[said || name, Number(took.slice(4))]] : [];
  });
}
