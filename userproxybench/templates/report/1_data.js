// Reading what the page carries. Text only ever becomes text nodes.

const one = (selector, within = document) => within.querySelector(selector);

/** An element: attributes by name (`on…` are listeners), then children; strings become text. */
function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

const index = JSON.parse(one("#index").textContent);
const place = Object.fromEntries(index.columns.map((name, at) => [name, at]));
const rows = index.rows.map((values, number) => {
  const row = Object.fromEntries(index.columns.map((name, at) => [name, values[at]]));
  row.number = number;
  row.proxyName = index.proxies[row.proxy];
  row.domainName = index.domains[row.domain];
  row.state = row.status === 0 ? (row.fidelity === 1 ? "faithful" : "violated") : index.statuses[row.status];
  row.hay = [row.id, row.task, row.what, row.quote, row.said].join("\n").toLowerCase();
  return row;
});
const numberOf = new Map(rows.map((row) => [row.id, row.number]));

const opened = new Map();

/** The records of one block, unpacked on demand; the last few blocks stay open. */
function block(kind, number) {
  const key = kind + number;
  if (!opened.has(key)) {
    if (opened.size > 12) opened.delete(opened.keys().next().value);
    opened.set(key, unpack(one("#" + key).textContent));
  }
  return opened.get(key);
}

async function unpack(base64) {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot unpack the conversations. Use one from 2023 or later.");
  }
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Record `number` of the packed list `kind` ("e" episodes, "k" contracts, "f" files). */
async function record(kind, number) {
  const starts = index.starts[kind];
  let at = starts.length - 1;
  while (at > 0 && starts[at] > number) at -= 1;
  return (await block(kind, at))[number - starts[at]];
}

const words = (name) => name.replaceAll("_", " ");
const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const decimal = (value, digits) => (value === null ? "–" : value.toFixed(digits));
const dollars = (value) => (value === null ? "–" : "$" + (value < 0.0001 ? value.toPrecision(2) : value.toFixed(4)));
const link = (id, turn) => "#e=" + encodeURIComponent(id) + (turn === null || turn === undefined ? "" : "&t=" + turn);
