// Differences between graders, downloads, the address, printing.

const apart = { page: 0 };

function drawApart() {
  const target = one("#apart tbody");
  if (!target) return;
  const { other, kind } = one("#apart-filters").elements;
  const found = index.differences.filter((item) => (other.value === "" || item[0] === Number(other.value)) && (kind.value === "" || item[2] === kind.value));
  one("#apart-count").textContent = plural(found.length, "difference");
  const says = (text) => (text ? text : "–");
  target.replaceChildren(...found.slice(apart.page * PAGE, (apart.page + 1) * PAGE).map(([at, number, , turn, what, main, others]) => {
    const row = rows[number];
    const label = `${row.task}, ${row.proxyName}${turn === null ? "" : `, turn ${turn}`}`;
    return make("tr", {}, [["Episode", make("a", { href: link(row.id, turn) }, label)], ["Mode", words(what)], [index.graders[0], says(main)], ["The other", says(others)], ["Against", index.others[at]]].map(([head, content]) =>
      make("td", { "data-head": head }, content)));
  }));
  drawPager(one("#apart-pager"), apart.page, found.length, (page) => { apart.page = page; drawApart(); });
}

one("#apart-filters")?.addEventListener("input", () => { apart.page = 0; drawApart(); });
one("#apart-filters")?.addEventListener("submit", (event) => event.preventDefault());

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-file]");
  if (!button) return;
  try {
    const text = await record("f", Number(button.dataset.file));
    const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    make("a", { href: url, download: button.textContent }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  } catch (error) {
    complain(error);
  }
});

function complain(error) {
  one("#announce").textContent = error.message;
  one("#count").textContent = error.message;
}

async function follow() {
  const hash = location.hash.slice(1);
  const parts = new URLSearchParams(hash);
  const id = parts.get("e");
  if (id !== null) {
    const number = numberOf.get(id);
    if (number === undefined) {
      showReport();
      one("#announce").textContent = "There is no such episode here.";
      return;
    }
    await showEpisode(number, parts.get("t")).catch(complain);
    return;
  }
  const from = !view.hidden;
  showReport();
  if (hash === "list" || hash.startsWith("list&")) {
    setFilters(parts);
    const heading = one("#episodes");
    heading.scrollIntoView({ behavior: "instant" });
    heading.focus({ preventScroll: true });
  } else if (hash) {
    const target = document.getElementById(hash);
    target?.scrollIntoView({ behavior: "instant" });
    if (from) target?.focus({ preventScroll: true });
  }
}

window.addEventListener("hashchange", follow);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !view.hidden) location.hash = listAddress();
});

let unfolded = [];
window.addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details:not([open])")];
  for (const fold of unfolded) fold.open = true;
});
window.addEventListener("afterprint", () => {
  for (const fold of unfolded) fold.open = false;
});

refresh();
drawApart();
follow();
