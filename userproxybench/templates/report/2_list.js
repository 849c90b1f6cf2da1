// The list of episodes: filters, sorting, pages. Its state is part of the address.

const PAGE = 50;
const form = one("#filters");
const list = { shown: rows, page: 0, sort: "", down: false };

function fill(select, pairs) {
  for (const [value, label] of pairs) select.append(make("option", { value }, label));
}

function fillGroups(select, groups) {
  for (const [label, names] of groups) {
    const group = make("optgroup", { label });
    fill(group, names.map((name) => [name, words(name)]));
    select.append(group);
  }
}

fill(form.elements.proxy, index.proxies.map((name) => [name, name]));
fill(form.elements.domain, index.domains.map((name) => [name, name]));
fill(form.elements.family, Object.keys(index.families).map((name) => [name, words(name)]));
fillGroups(form.elements.mode, [
  ...Object.entries(index.families).map(([name, modes]) => [words(name), modes]),
  ["beside UFS: faults of form", index.protocol],
]);
one("#list").classList.toggle("alone", index.domains.length === 1);
if (!index.compared) one("#differ-label").hidden = true;

const BIT = { pass: 1, fail: 2, not_applicable: 4, ungraded: 8 };
const modeAt = new Map(index.modes.map((name, at) => [name, at]));

const CELLS = {
  "pass-pass": (row) => row.reward >= 1 - 1e-6 && row.fidelity === 1,
  "pass-fail": (row) => row.reward >= 1 - 1e-6 && row.fidelity === 0,
  "fail-pass": (row) => row.reward !== null && row.reward < 1 - 1e-6 && row.fidelity === 1,
  "fail-fail": (row) => row.reward !== null && row.reward < 1 - 1e-6 && row.fidelity === 0,
  faithful: (row) => row.fidelity === 1,
  violated: (row) => row.fidelity === 0,
  scored: (row) => row.status === 0,
  unscored: (row) => row.status !== 0,
  unscorable: (row) => row.state === "unscorable",
  ungraded: (row) => row.state === "ungraded",
};

/** What a row must satisfy, from the controls. */
function tests() {
  const value = (name) => form.elements[name].value;
  const wanted = [];
  if (value("proxy")) wanted.push((row) => row.proxyName === value("proxy"));
  if (value("domain")) wanted.push((row) => row.domainName === value("domain"));
  if (value("cell")) wanted.push(CELLS[value("cell")]);
  const protocol = index.protocol.indexOf(value("mode"));
  if (protocol >= 0) wanted.push((row) => row.protocol & (1 << protocol));
  else if (value("mode") || value("family") || value("verdict")) wanted.push(answers(value));
  if (form.elements.differ.checked) wanted.push((row) => row.differs);
  const text = value("q").trim().toLowerCase();
  if (text) wanted.push((row) => row.hay.includes(text) || (deep.on && deep.texts[row.number]?.includes(text)));
  return wanted;
}

/** Rows with a criterion of the chosen mode or family that was answered so. */
function answers(value) {
  const modes = value("mode") ? [value("mode")] : value("family") ? index.families[value("family")] : index.modes;
  const places = modes.map((name) => modeAt.get(name));
  const bits = value("verdict") ? BIT[value("verdict")] : 15;
  return (row) => places.some((at) => parseInt(row.modes[at], 16) & bits);
}

const ORDER = {
  task: (row) => row.number,
  proxy: (row) => row.proxy,
  domain: (row) => row.domain,
  trial: (row) => row.trial,
  reward: (row) => row.reward,
  fidelity: (row) => (row.status === 0 ? row.fidelity : null),
  failed: (row) => row.failed,
  cost: (row) => row.cost,
};

/** Ascending or descending, unknown always last, ties in the order of the list. */
function sorted(found) {
  const key = ORDER[list.sort];
  if (!key) return found;
  const sign = list.down ? -1 : 1;
  return [...found].sort((one_, two) => {
    const [first, second] = [key(one_), key(two)];
    if (first === second) return one_.number - two.number;
    if (first === null) return 1;
    if (second === null) return -1;
    return sign * (first - second);
  });
}

function refresh() {
  const wanted = tests();
  list.shown = sorted(rows.filter((row) => wanted.every((test) => test(row))));
  list.page = 0;
  drawList();
}

function drawList() {
  const shown = list.shown.slice(list.page * PAGE, (list.page + 1) * PAGE);
  one("#list tbody").replaceChildren(...shown.map(listRow));
  for (const head of document.querySelectorAll("#list th[data-sort]")) {
    const state = head.dataset.sort === list.sort ? (list.down ? "descending" : "ascending") : "none";
    head.setAttribute("aria-sort", state);
  }
  const part = list.shown.length === rows.length ? "" : ` of ${rows.length.toLocaleString("en")}`;
  one("#count").textContent = `${list.shown.length.toLocaleString("en")}${part} ${rows.length === 1 ? "episode" : "episodes"}${deep.on && !deep.done ? " (reading conversations …)" : ""}`;
  drawPager(one("#pager"), list.page, list.shown.length, (page) => {
    list.page = page;
    drawList();
    one("#count").scrollIntoView({ block: "start" });
  });
}

function listRow(row) {
  const failed = row.what
    ? [make("span", { class: "mode" }, row.what.split(", ").map(words).join(", ")), row.quote && make("span", { class: "quote text" }, ` “${row.quote}”`)]
    : row.quote && make("span", { class: "quote" }, row.quote);
  const cells = [
    ["Task", make("a", { href: link(row.id) }, row.task || "(no id)")],
    ["Proxy", row.proxyName],
    ["Domain", row.domainName],
    ["Trial", row.trial === null ? "" : String(row.trial)],
    ["Reward", decimal(row.reward, 2)],
    ["Fidelity", state(row)],
    ["Failed", row.applicable ? `${row.failed} of ${row.applicable}` : "–"],
    ["First", failed],
    ["Cost", dollars(row.cost)],
  ];
  return make("tr", {}, cells.map(([head, content], at) =>
    make("td", { "data-head": head, class: [3, 4, 6, 8].includes(at) ? "number" : null }, content || "")));
}

function state(row) {
  const sign = { faithful: "✓ ", violated: "✗ " }[row.state] || "? ";
  const kind = row.status === 0 ? row.state : "open";
  return make("span", { class: "state " + kind }, make("span", { "aria-hidden": "true" }, sign), row.state);
}

/** Buttons to turn pages, where there is more than one. */
function drawPager(target, page, count, turn, size = PAGE) {
  const last = Math.max(0, Math.ceil(count / size) - 1);
  if (!last) {
    target.replaceChildren();
    return;
  }
  const button = (label, to) => make("button", { type: "button", disabled: to < 0 || to > last || to === page, onclick: () => turn(to) }, label);
  target.replaceChildren(
    button("First", 0), button("Previous", page - 1),
    make("span", {}, `page ${page + 1} of ${last + 1}`),
    button("Next", page + 1), button("Last", last),
  );
}

// Searching whole conversations: every block is unpacked once, the page stays usable meanwhile.

const deep = { on: false, done: false, texts: [] };

async function readAll() {
  if (deep.texts.length) return;
  deep.texts = new Array(rows.length);
  for (const [at, start] of index.starts.e.entries()) {
    const episodes = await unpack(one("#e" + at).textContent);
    episodes.forEach((episode, offset) => {
      deep.texts[start + offset] = (episode.turns || []).map((turn) => turn.x).join("\n").toLowerCase();
    });
  }
  deep.done = true;
  refresh();
}

// The address: #list&proxy=…&cell=… shows a filtered list, #e=ID&t=TURN an episode.

const NAMES = ["proxy", "domain", "cell", "family", "mode", "verdict", "q"];

function listAddress() {
  const parts = new URLSearchParams();
  for (const name of NAMES) if (form.elements[name].value) parts.set(name, form.elements[name].value);
  for (const name of ["deep", "differ"]) if (form.elements[name].checked) parts.set(name, "1");
  if (list.sort) parts.set("sort", (list.down ? "-" : "") + list.sort);
  return "#list" + (parts.size ? "&" + parts : "");
}

function setFilters(parts) {
  for (const name of NAMES) {
    form.elements[name].value = parts.get(name) || "";
    if (form.elements[name].value !== (parts.get(name) || "")) form.elements[name].value = "";
  }
  for (const name of ["deep", "differ"]) form.elements[name].checked = parts.get(name) === "1";
  const sort = parts.get("sort") || "";
  list.down = sort.startsWith("-");
  list.sort = sort.replace("-", "") in ORDER ? sort.replace("-", "") : "";
  changed();
}

function changed() {
  deep.on = form.elements.deep.checked;
  if (deep.on) readAll().catch(complain);
  refresh();
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  const { mode, family, verdict } = form.elements;
  if (event.target === mode && mode.value && modeAt.has(mode.value) && !verdict.value) verdict.value = "fail";
  if (event.target === family && family.value && !verdict.value) verdict.value = "fail";
  if (event.target === family) mode.value = "";
  if (event.target === mode && family.value && !index.families[family.value].includes(mode.value)) family.value = "";
  changed();
  history.replaceState(null, "", listAddress());
});
one(".presets", form).addEventListener("click", (event) => {
  if (event.target.dataset.preset === undefined) return;
  setFilters(new URLSearchParams(event.target.dataset.preset));
  history.replaceState(null, "", listAddress());
});
one("#list thead").addEventListener("click", (event) => {
  const name = event.target.closest("th[data-sort]")?.dataset.sort;
  if (!name || event.target.tagName !== "BUTTON") return;
  if (list.sort === name && list.down) list.sort = "";
  else if (list.sort === name) list.down = true;
  else [list.sort, list.down] = [name, false];
  refresh();
  history.replaceState(null, "", listAddress());
});
