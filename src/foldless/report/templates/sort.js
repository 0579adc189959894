for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const key = (row, at, numeric) => {
    const cell = row.cells[at];
    if (!numeric) return cell.textContent.trim().toLowerCase();
    const value = parseFloat(cell.dataset.k);
    return Number.isNaN(value) ? null : value;
  };
  for (const button of table.querySelectorAll("thead button")) {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const at = head.cellIndex;
      const numeric = head.dataset.n === "1";
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const rows = Array.from(body.rows, (row) => [key(row, at, numeric), row]);
      rows.sort(([a], [b]) => {
        if (a === null || b === null) return (a === null) - (b === null);
        return sign * (numeric ? a - b : a.localeCompare(b));
      });
      body.append(...rows.map(([, row]) => row));
      for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    });
  }
}
