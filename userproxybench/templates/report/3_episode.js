// One episode: what the user was told, the conversation, and what failed where.

const LONG = 6000;
const view = one("#episode");

async function showEpisode(number, turn) {
  const row = rows[number];
  const episode = await record("e", number);
  const contract = row.contract < 0 ? {} : await record("k", row.contract);
  const heading = make("h1", { tabindex: "-1" }, `${row.domainName}, task ${row.task}`);
  view.replaceChildren(
    crumbs(row),
    make("header", {}, heading, facts(row, episode)),
    ...reasons(row, episode),
    summary(row, episode, contract),
    make("div", { class: "split" }, contractView(row, episode, contract), talk(row, episode, contract, turn)),
    criteria(episode, contract),
  );
  one("#report").hidden = true;
  view.hidden = false;
  document.title = `${row.task} · ${index.title}`;
  const target = turn === null ? null : one(`[data-turn="${CSS.escape(turn)}"]`, view);
  if (target) {
    for (const fold of [target.closest("details"), ...target.querySelectorAll("details")]) if (fold) fold.open = true;
    target.classList.add("here");
    target.scrollIntoView({ block: "center", behavior: "instant" });
    one(".at", target)?.focus({ preventScroll: true });
  } else {
    window.scrollTo({ top: 0, behavior: "instant" });
    heading.focus({ preventScroll: true });
  }
}

function showReport() {
  view.hidden = true;
  view.replaceChildren();
  one("#report").hidden = false;
  document.title = index.title;
}

function crumbs(row) {
  const at = list.shown.indexOf(row);
  const to = (step, label) => {
    const other = at < 0 ? undefined : list.shown[at + step];
    return other && make("a", { href: link(other.id) }, label);
  };
  const where = at < 0 ? "" : make("span", {}, `${at + 1} of ${list.shown.length} in the list`);
  return make("nav", { class: "crumbs", "aria-label": "Episodes" },
    make("a", { href: listAddress(), id: "back" }, "← All episodes"), to(-1, "‹ Previous"), to(1, "Next ›"), where);
}

function facts(row, episode) {
  const cost = episode.cost || {};
  const tokens = cost.prompt === null || cost.prompt === undefined ? "" : `, ${cost.prompt.toLocaleString("en")} + ${(cost.completion || 0).toLocaleString("en")} tokens`;
  const spent = cost.usd === null || cost.usd === undefined ? `unknown (${cost.priced || 0} of ${cost.calls || 0} user turns priced)` : `${dollars(cost.usd)} (${cost.basis}, ${plural(cost.calls, "call")}${tokens})`;
  const pairs = [
    ["Fidelity", state(row)],
    ["Reward", decimal(row.reward, 3)],
    ["User proxy", row.proxyName],
    ["Agent", episode.agent],
    ["Trial", row.trial === null ? "" : String(row.trial)],
    ["Ended", episode.end],
    ["User-side cost", spent],
    ["Discarded user turns", cost.discarded ? String(cost.discarded) : ""],
    ["Episode", make("span", { class: "code" }, row.id)],
    ["Read from", episode.source],
  ];
  return make("dl", { class: "facts" }, pairs.filter(([, content]) => content).map(([name, content]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, content))));
}

function reasons(row, episode) {
  const parts = [];
  if (episode.why) {
    const asked = episode.grades?.[0] || [];
    const none = asked.length && asked.every((verdict) => verdict.o === "not_applicable");
    parts.push(make("p", { class: "notice" }, make("b", {}, `Why it is ${row.state}: `), episode.why,
      none ? `. The situation of none of its ${asked.length} criteria arose; they are listed at the end.` : "."));
  }
  if (episode.notes?.length) {
    parts.push(make("details", {}, make("summary", {}, `Assumed while reading (${episode.notes.length})`),
      make("ul", { class: "small" }, episode.notes.map((note) => make("li", {}, note)))));
  }
  return parts;
}

const failures = (episode, reader = 0) => (episode.grades?.[reader] || []).filter((verdict) => verdict.o === "fail");

function summary(row, episode, contract) {
  const failed = failures(episode);
  if (!failed.length) return make("p", {}, row.status === 0 ? "No criterion fails." : "");
  return make("div", {}, make("p", {}, `${failed.length} of ${row.applicable} applicable criteria ${failed.length === 1 ? "fails" : "fail"}:`),
    make("ul", {}, failed.map((verdict) => make("li", {},
      make("b", {}, words(verdict.m)), " at ", make("a", { href: link(row.id, verdict.t) }, `turn ${verdict.t}`),
      (verdict.f || []).map((turn) => [", ", make("a", { href: link(row.id, turn) }, String(turn))]), ": ", verdict.y))));
}

/** Text with marked spans ([start, end, class]); very long texts are cut until asked for. */
function marked(text, spans) {
  const far = Math.max(0, ...spans.map((span) => span[1]));
  const node = make("div", { class: "text", dir: "auto" });
  const draw = (end) => {
    const cuts = [...new Set([text.search(/\S|$/), end, ...spans.flatMap((span) => span.slice(0, 2))])].filter((cut) => cut >= text.search(/\S|$/) && cut <= end).sort((a, b) => a - b);
    node.replaceChildren(...cuts.slice(0, -1).map((from, at) => {
      const piece = text.slice(from, cuts[at + 1]);
      const over = spans.filter((span) => span[0] <= from && span[1] >= cuts[at + 1]);
      return over.length ? make("mark", { class: over.map((span) => span[2]).join(" ") }, piece) : document.createTextNode(piece);
    }));
  };
  const cut = Math.max(LONG, far);
  draw(Math.min(text.length, cut));
  if (text.length <= cut) return node;
  const more = make("button", { type: "button", class: "more", onclick: () => { draw(text.length); more.remove(); } },
    `Show all ${text.length.toLocaleString("en")} characters`);
  return make("div", {}, node, more);
}

function contractView(row, episode, contract) {
  const failed = new Set(failures(episode).map((verdict) => verdict.c));
  const spans = {};
  (contract.criteria || []).forEach((criteria_, reader) => {
    for (const [id, criterion] of Object.entries(criteria_)) {
      if (!criterion.a) continue;
      const bad = reader === 0 && failed.has(id);
      (spans[criterion.f] ||= []).push([...criterion.a, bad ? "span bad" : "span"]);
    }
  });
  const fields = (contract.fields || []).map(([name, text]) => {
    const plain = name === "user_tools" && !spans[name] ? text.replace(/: *$/gm, "") : text;
    const content = marked(plain, spans[name] || []);
    if (name === "guidelines") {
      const open = (spans[name] || []).some((span) => span[2] === "span bad");
      return make("details", { class: "field", open },
        make("summary", {}, `Simulator guidelines (${contract.guidelines_source})`), content);
    }
    const title = name === "user_tools" ? `user tools (${contract.tools_source})` : words(name);
    return make("div", { class: "field" }, make("h3", {}, title), content);
  });
  return make("section", { class: "contract", "aria-label": "What the user was told", tabindex: "0" },
    make("h2", {}, "What the user was told"),
    make("p", { class: "small" }, "Marked: words that a criterion stands on, in red where it fails."),
    contract.empty ? make("p", { class: "notice" }, "The dump holds no blueprint: what the user was told is not known.") : null,
    ...fields,
    contract.notes?.length ? make("ul", { class: "small" }, contract.notes.map((note) => make("li", {}, note))) : null);
}

function talk(row, episode, contract, turn) {
  const pins = pinsOf(row, episode, contract);
  const items = [];
  let fold = null;
  for (const message of episode.turns || []) {
    const hidden = message.h && !pins.has(message.i);
    if (hidden && fold) {
      fold.push(message);
    } else if (hidden) {
      items.push((fold = [message]));
    } else {
      fold = null;
      items.push(message);
    }
  }
  const nowhere = pins.get("nowhere") || [];
  return make("section", { class: "talk", "aria-label": "Conversation" },
    make("h2", {}, "Conversation"),
    make("p", { class: "small" }, "Numbers are message indices. What the user could not see is folded. Failed criteria stand under their turn."),
    ...nowhere.map((pin) => pin.node),
    make("ol", { class: "turns" }, items.map((item) => (Array.isArray(item) ? folded(row, item) : turnView(row, item, pins.get(item.i) || [])))));
}

function folded(row, messages) {
  const [first, last] = [messages[0].i, messages[messages.length - 1].i];
  const what = messages.flatMap((message) => (message.c || []).map((call) => call[0]));
  const label = `${plural(messages.length, "message")} the user did not see${what.length ? ": " + what.slice(0, 4).join(", ") + (what.length > 4 ? " …" : "") : ""}`;
  return make("li", { class: "tool" }, make("a", { class: "at", href: link(row.id, first) }, first === last ? String(first) : `${first}–${last}`),
    make("details", { class: "fold" }, make("summary", {}, label), messages.map((message) =>
      make("div", { class: "inner", "data-turn": message.i }, who(message), body(message, [])))));
}

function turnView(row, message, pins) {
  const spans = pins.filter((pin) => pin.span).map((pin) => [...pin.span, "quoted"]);
  const said = make("div", { class: "said" }, who(message), body(message, spans));
  return make("li", { class: message.s, "data-turn": message.i },
    make("a", { class: "at", href: link(row.id, message.i), "aria-label": `Turn ${message.i}, link` }, String(message.i)), said, pins.map((pin) => pin.node));
}

function who(message) {
  let label = { agent: "Agent", user: "User", tool: "Tool result" }[message.s];
  if (message.s === "tool") label += ` ${message.n || ""} (called by the ${message.r || "agent"})`;
  if (message.w) label += ", scripted: not written by the proxy";
  if (message.h) label += ", not visible to the user";
  if (message.d) label += ", not heard by the agent: text beside a tool call";
  return make("div", { class: "who" }, label, message.e ? make("span", { class: "error" }, " failed") : null);
}

function body(message, spans) {
  const parts = [];
  if (message.x) parts.push(marked(message.x, spans));
  else if (!message.c) parts.push(make("div", { class: "small" }, "(no text)"));
  for (const [name, given] of message.c || []) {
    parts.push(make("div", { class: "tool" }, make("span", { class: "who" }, `${message.s === "user" ? "User" : "Agent"} calls `), make("code", {}, name), given ? marked(given, []) : null));
  }
  return parts;
}

/** What is pinned to each turn: failed criteria of every grader, notes, reviews, labels. */
function pinsOf(row, episode, contract) {
  const pins = new Map();
  const add = (turn, pin) => {
    const key = turn !== null && turn !== undefined && episode.turns.some((message) => message.i === turn) ? turn : "nowhere";
    pins.set(key, [...(pins.get(key) || []), pin]);
  };
  (episode.grades || []).forEach((verdicts, reader) => {
    for (const verdict of verdicts.filter((item) => item.o === "fail")) {
      const criterion = contract.criteria?.[reader]?.[verdict.c];
      add(verdict.t, { span: verdict.a, node: pin(verdict, criterion, reader, episode) });
      for (const turn of verdict.f || []) add(turn, { node: again(row, verdict) });
    }
  });
  for (const note of episode.protocol || []) {
    add(note.t, { span: note.a, node: make("aside", { class: "pin form" }, make("p", {}, make("span", { class: "label" }, `Form: ${words(note.m)}`), note.y ? `: ${note.y}` : "", " (beside UFS)")) });
  }
  for (const found of episode.beside || []) {
    add(found.t, { node: make("aside", { class: "pin other" }, make("p", {}, make("span", { class: "label" }, `${found.g}: ${words(found.m)}`)), make("p", {}, found.y)) });
  }
  return pins;
}

function pin(verdict, criterion, reader, episode) {
  const grader = verdict.g || index.graders[reader];
  const others = index.graders.map((name, at) => {
    if (at === reader) return null;
    const answer = (episode.grades[at] || []).find((item) => item.c === verdict.c);
    if (!answer || answer.o === verdict.o) return null;
    return make("p", {}, make("span", { class: "label" }, `${name}: ${words(answer.o)}`), answer.y ? `: ${answer.y}` : "");
  });
  return make("aside", { class: reader ? "pin other" : "pin", "aria-label": `Failed criterion: ${words(verdict.m)}` },
    make("p", {}, make("span", { class: "label" }, `✗ ${words(verdict.m)}`), verdict.y ? `: ${verdict.y}` : ""),
    verdict.q && !verdict.a ? make("p", { class: "quote" }, `“${verdict.q}”`) : null,
    criterion ? make("p", { class: "small" }, `Criterion ${verdict.c}: ${criterion.s}`, criterion.w ? ` Applies when: ${criterion.w}` : "") : null,
    make("p", { class: "small" }, `Grader: ${grader}`),
    ...others);
}

function again(row, verdict) {
  return make("aside", { class: "pin" }, make("p", {}, make("span", { class: "label" }, `✗ ${words(verdict.m)}`), " again, first at ",
    make("a", { href: link(row.id, verdict.t) }, `turn ${verdict.t}`)));
}

function criteria(episode, contract) {
  const readers = index.graders.map((name, at) => at).filter((at) => episode.grades?.[at]?.length);
  if (!readers.length) return make("p", {}, "No criterion was answered in this episode.");
  const ids = [...new Set(readers.flatMap((at) => episode.grades[at].map((verdict) => verdict.c)))];
  const answer = (at, id) => episode.grades[at].find((verdict) => verdict.c === id);
  const line = (id) => {
    const reader = readers.find((at) => answer(at, id));
    const criterion = contract.criteria?.[reader]?.[id];
    return make("tr", {}, make("td", {}, id), make("td", {}, words(answer(reader, id).m)), make("td", {}, criterion ? criterion.s : ""),
      readers.map((at) => {
        const found = answer(at, id);
        return make("td", {}, found ? [make("b", {}, words(found.o)), found.o !== "pass" && found.y ? `: ${found.y}` : ""] : "–");
      }));
  };
  return make("details", { open: !failures(episode).length }, make("summary", {}, `All criteria and their answers (${ids.length})`),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "All criteria" },
      make("table", {}, make("thead", {}, make("tr", {}, ["Criterion", "Mode", "Statement", ...readers.map((at) => index.graders[at])].map((head) => make("th", { scope: "col" }, head)))),
        make("tbody", {}, ids.map(line)))));
}
