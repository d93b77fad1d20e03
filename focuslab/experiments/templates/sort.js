// A click on a column's heading sorts the leaderboard by it; another click turns the order round.
// pandas puts the name of the index in a second row of headings: both become one.
const shown = cell => cell.textContent.trim();
const number = cell => parseFloat(shown(cell).replace("\u2212", "-").replace(/,(?=\d{3})/g, ""));

function sortBy(table, column, button) {
  const heading = button.parentElement, body = table.tBodies[0], rows = [...body.rows];
  const numeric = rows.some(row => !isNaN(number(row.cells[column])));
  const first = numeric ? "descending" : "ascending", second = numeric ? "ascending" : "descending";
  const order = heading.getAttribute("aria-sort") === first ? second : first;
  const sign = order === "ascending" ? 1 : -1;
  const missing = row => numeric && isNaN(number(row.cells[column]));
  rows.sort((a, b) => missing(a) - missing(b) || (missing(a) ? 0 : sign * (numeric
    ? number(a.cells[column]) - number(b.cells[column])
    : shown(a.cells[column]).localeCompare(shown(b.cells[column])))));
  for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", order);
  body.append(...rows);
}

for (const table of document.querySelectorAll("#leaderboard table")) {
  if (table.querySelector("[colspan], [rowspan]")) continue;
  const [top, ...rest] = table.tHead.rows;
  [...top.cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = [heading, ...rest.map(row => row.cells[column])].map(shown).find(text => text) || "row";
    button.addEventListener("click", () => sortBy(table, column, button));
    heading.scope = "col";
    heading.replaceChildren(button);
  });
  rest.forEach(row => row.remove());
}
