// The sliders choose a row: its dot and its line in the table are marked, and its figures are told.
const sliders = [...document.querySelectorAll(".sliders input")];
const rows = [...document.querySelectorAll("tbody tr")];
const dots = [...document.querySelectorAll("circle")];
const heads = [...document.querySelectorAll("thead th")];
const places = new Map(rows.map((row, place) => [row.dataset.values, place]));

function choose(place) {
  for (const marked of document.querySelectorAll(".chosen")) marked.classList.remove("chosen");
  rows[place].classList.add("chosen");
  dots[place].classList.add("chosen");
  dots[place].parentNode.append(dots[place]);
  rows[place].dataset.values.split(",").forEach((value, parameter) => {
    sliders[parameter].value = value;
    const label = sliders[parameter].parentNode;
    label.querySelector("output").textContent = label.querySelectorAll("span[hidden]")[value].textContent;
  });
  const cells = [...rows[place].cells].slice(1 + sliders.length);
  document.getElementById("chosen").textContent = `Row ${place + 1}: ` + cells
    .map((cell, column) => `${heads[column + 1 + sliders.length].textContent} ${cell.textContent || "–"}`).join(" · ");
}

for (const slider of sliders) {
  slider.addEventListener("input", () => choose(places.get(sliders.map(each => each.value).join(","))));
}
rows.forEach((row, place) => row.addEventListener("click", () => choose(place)));
[...dots].forEach((dot, place) => dot.addEventListener("click", () => choose(place)));
document.getElementById("tool").hidden = false;
if (rows.length > 0) choose(Math.max(0, rows.findIndex(row => row.classList.contains("front"))));
