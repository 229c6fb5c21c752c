extension HTMLReport {
  /// Sorts the table by a click on a heading, and hides the benchmarks that do not match the filter. Without scripts the
  /// page shows everything.
  static let script = """
    "use strict";
    for (const table of document.querySelectorAll("table.sortable")) {
      const body = table.tBodies[0];
      const heads = [...table.tHead.rows[0].cells];
      heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
        const descending = head.getAttribute("aria-sort") === "ascending";
        for (const other of heads) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        const key = row => row.cells[column].dataset.key;
        const compare = column === 0
          ? (a, b) => key(a).localeCompare(key(b), "en", { numeric: true })
          : (a, b) => Number(key(a)) - Number(key(b));
        // Rows without a value stay last in both directions.
        const lacks = row => key(row) === "" ? 1 : 0;
        const rows = [...body.rows].sort(
          (a, b) => lacks(a) - lacks(b) || (descending ? compare(b, a) : compare(a, b)));
        body.append(...rows);
      }));
    }
    const filter = document.getElementById("filter");
    if (filter) {
      filter.closest("p").hidden = false;
      filter.addEventListener("input", () => {
        const wanted = filter.value.trim().toLowerCase();
        const takes = name => name.toLowerCase().includes(wanted);
        let shown = 0;
        for (const row of document.querySelectorAll("table.sortable tbody tr")) {
          row.hidden = !takes(row.cells[0].dataset.key);
          if (!row.hidden) shown += 1;
        }
        for (const card of document.querySelectorAll("#benchmarks .card"))
          card.hidden = !takes(card.dataset.name);
        document.getElementById("shown").textContent = wanted === "" ? "" : shown + " shown";
      });
    }

    """
}
