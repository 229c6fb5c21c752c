// Starts the page: reads the device that is chosen, draws it, and tells stories.

const $ = id => document.getElementById(id);
const heads = JSON.parse($("heads").textContent);
const STATES = ["terminated", "in the background", "in the foreground", "force-quit", "stopped"];
const CONDITIONS = ["locked", "no power", "no network"];

/** The colours of the page, which differ in the dark. */
function readColors() {
  const style = getComputedStyle(document.documentElement);
  const color = name => style.getPropertyValue("--" + name).trim();
  return {
    ...Object.fromEntries(["ink", "soft", "card", "grid", "lane", "tint", "accent", "pending", "behind", "gone"].map(n => [n, color(n)])),
    reasons: heads.reasons.map((_, reason) => color("r" + reason)),
    outcomes: heads.outcomes.map(color),
    states: STATES.map((_, state) => color("state" + state)),
    device: CONDITIONS.map((_, condition) => color("condition" + condition)),
  };
}

const timeline = new Timeline($("canvas"), null);
let frame = 0;

function draw() {
  frame = 0;
  timeline.draw();
  const { device, from, to, utc } = timeline;
  const inside = time => Math.max(0, Math.min(device.length, time));
  $("range").textContent = `${timeText(device, inside(from), utc)} to ${timeText(device, inside(to), utc)}, ` +
    duration((inside(to) - inside(from)) * device.unit);
  performance.mark("picture");
}

function redraw() { frame ||= requestAnimationFrame(draw); }

/** Tells the story of the chosen wake, and scrolls to it if it was asked for. */
function tell(isAsked) {
  const { device, app, selected, utc } = timeline;
  $("story").replaceChildren();
  if (!app || selected === null) return;
  // Text alone: names come from traces.
  const add = (parent, tag, text) => {
    const element = document.createElement(tag);
    element.textContent = text;
    return parent.appendChild(element);
  };
  const story = storyOf(device, app, selected, heads, utc);
  add($("story"), "h3", story.title);
  for (const part of story.parts) {
    add($("story"), "h4", part.title);
    const list = add($("story"), "ol", "");
    for (const [time, text] of part.lines) {
      const line = add(list, "li", "");
      add(line, "time", time);
      line.append(" " + text);
    }
  }
  if (isAsked) showStory();
}

/** Scrolls until the story is in view, or its beginning if it is high. The timeline stays in view where both fit. */
function showStory() {
  const { top, bottom } = $("story").getBoundingClientRect();
  const over = Math.min(bottom - innerHeight + 16, top - 16);
  if (over > 0) scrollBy({ top: over, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

function showLegend() {
  $("legend").replaceChildren();
  const add = (text, color) => {
    const item = $("legend").appendChild(document.createElement("li"));
    const key = item.appendChild(document.createElement("span"));
    key.className = "key";
    key.style.background = color;
    item.append(text);
  };
  const { device, colors } = timeline;
  const kinds = all => [...new Set(all.flatMap(stretches => stretches.kinds))].sort((a, b) => a - b);
  for (const kind of kinds([device.states])) add(CONDITIONS[kind], colors.device[kind]);
  for (const kind of kinds(device.apps.map(app => app.states))) add(STATES[kind], colors.states[kind]);
  heads.outcomes.forEach((word, outcome) => {
    if (device.apps.some(app => app.wakes.counts.count(outcome, 0, app.wakes.times.length) > 0))
      add("wake " + word, colors.outcomes[outcome]);
  });
  for (const kind of kinds(device.apps.flatMap(app => app.tracks.map(track => track.reasons))))
    add("held: " + heads.reasons[kind], colors.reasons[kind]);
  if (device.apps.some(app => app.tracks.some(track => track.gone.starts.length > 0)))
    add("then delivered live, or disabled", colors.gone);
  const grain = Math.max(0, ...device.apps.map(app => app.grain));
  if (grain > 0) add(`pending: arrivals within ${duration(grain)} count at the first`, colors.pending);
}

async function show(place) {
  timeline.show(readDevice(heads.devices[place], await inflated($("columns-" + place))));
  showLegend();
  tell();
  redraw();
}

async function start() {
  if (heads.devices.length === 0 || !globalThis.DecompressionStream) return;
  $("view").hidden = false;
  timeline.colors = readColors();
  const { step } = listen(timeline, (what, isAsked) => {
    if (what === "story") tell(isAsked);
    redraw();
  });
  timeline.box.addEventListener("scroll", redraw, { passive: true });
  const buttons = {
    in: () => timeline.zoom(0.6), out: () => timeline.zoom(1 / 0.6), all: () => timeline.showAll(),
    previous: () => step(-1), next: () => step(1),
  };
  for (const [id, action] of Object.entries(buttons)) {
    $(id).addEventListener("click", () => { action(); tell(); redraw(); });
  }
  $("device").addEventListener("change", event => show(Number(event.target.value)));
  $("utc").addEventListener("change", event => { timeline.utc = event.target.checked; tell(); redraw(); });
  const recolor = () => {
    timeline.colors = readColors();
    showLegend();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { recolor(); redraw(); });
  // Paper is light, and does not scroll.
  const print = isPrinted => {
    document.documentElement.classList.toggle("printed", isPrinted);
    timeline.isPrinted = isPrinted;
    timeline.resize();
    recolor();
    draw();
  };
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  addEventListener("resize", () => { timeline.resize(); draw(); });
  await show(0);
  // At once, as a canvas of another size is empty.
  const observer = new ResizeObserver(() => {
    timeline.resize();
    draw();
  });
  observer.observe($("view"));
  // The box is narrower where it has a scroll bar.
  observer.observe(timeline.box);
}
start();
