// Draws lanes of a device on a canvas: a column of a pixel shows exactly what happened in its time.
// The canvas is as high as the box that scrolls over the lanes, and holds those that the box shows.

const HEIGHTS = { axis: 24, device: 12, app: 22, states: 8, wakes: 28, track: 15, pending: 24, behind: 24 };
const GAP = 3;
const MOST_TRACKS = 24;
/** The most pixels of the height that is printed; browsers draw no canvas of more than 16,384. */
const MOST_PRINTED = 8000;
/** Letters of a label, as measuring takes long. */
const MOST_LETTERS = 300;

/** The lanes of a device from top to bottom, with their places. */
function layOut(device, opened) {
  const lanes = [];
  let y = HEIGHTS.axis;
  const add = (kind, label, more) => {
    lanes.push({ kind, label, y, height: HEIGHTS[kind], ...more });
    y += HEIGHTS[kind] + GAP;
  };
  add("device", "lock, power", {});
  for (const app of device.apps) {
    add("app", shown(app.name), { app });
    add("states", "state", { app });
    add("wakes", "wakes", { app });
    // What never waited has nothing to show.
    for (const track of app.tracks) {
      if (opened.has(app) && track.reasons.starts.length + track.gone.starts.length > 0) add("track", shortName(track), { app, track });
    }
    add("pending", "pending", { app });
    add("behind", "behind", { app });
    y += 4;
  }
  return { lanes, height: y };
}

function shortName(track) {
  return track.name === null ? track.item : shown(track.name.replace(/^HK(Quantity|Category|Correlation)?TypeIdentifier/, ""));
}

class Timeline {
  constructor(canvas, colors) {
    this.canvas = canvas;
    this.box = canvas.parentElement;
    /** How far the box is scrolled. */
    this.top = 0;
    this.isPrinted = false;
    this.pen = canvas.getContext("2d");
    this.colors = colors;
    this.utc = true;
    /** Labels cut to their room, as measuring takes long. */
    this.fitting = new Map();
  }

  show(device) {
    this.device = device;
    this.opened = new Set();
    let tracks = 0;
    for (const app of device.apps) if ((tracks += app.tracks.length) <= MOST_TRACKS) this.opened.add(app);
    this.app = device.apps[0];
    this.selected = null;
    this.showAll();
    this.resize();
    this.box.scrollTop = 0;
  }

  showAll() {
    const room = Math.max(1, this.device.length * 0.01);
    [this.from, this.to] = [-room, this.device.length + room];
  }

  /** Shows another time span, kept within bounds: 10 ms or 10 units at least. */
  move(from, to) {
    const least = Math.max(10, 1e7 / this.device.unit);
    const most = Math.max(this.device.length * 1.5, least);
    const span = Math.min(most, Math.max(least, to - from));
    const middle = Math.min(this.device.length, Math.max(0, (from + to) / 2));
    [this.from, this.to] = [middle - span / 2, middle + span / 2];
  }

  zoom(factor, at = (this.from + this.to) / 2) {
    this.move(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }

  resize() {
    const { lanes, height } = layOut(this.device, this.opened);
    const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
    this.lanes = lanes;
    // Before the width, as a box that scrolls is narrower.
    this.height = Math.min(height, this.isPrinted ? MOST_PRINTED : Math.max(260, Math.floor(document.documentElement.clientHeight * 0.72)));
    this.box.style.height = this.canvas.style.height = this.height + "px";
    this.box.lastElementChild.style.height = height - this.height + "px";
    this.width = Math.max(200, this.box.clientWidth);
    this.left = Math.round(Math.min(170, this.width * 0.24));
    this.canvas.width = this.width * ratio;
    this.canvas.height = this.height * ratio;
    this.ratio = ratio;
  }

  /** The lanes that are in view, with their places on the canvas. */
  lanesInView() {
    this.top = this.isPrinted ? 0 : this.box.scrollTop;
    const lanes = [];
    for (const lane of this.lanes) {
      const y = lane.y - this.top;
      if (y + lane.height > HEIGHTS.axis && y < this.height) lanes.push({ ...lane, y });
    }
    return lanes;
  }

  /** The lane at a place of the canvas. */
  laneAt(y) {
    if (y < HEIGHTS.axis) return undefined;
    return this.lanesInView().find(lane => y >= lane.y && y < lane.y + lane.height + GAP);
  }

  /** Scrolls so that a lane of the chosen app is in view. */
  reveal(kind) {
    const lane = this.lanes.find(lane => lane.kind === kind && lane.app === this.app);
    if (!lane) return;
    const { scrollTop } = this.box;
    const low = lane.y + lane.height + GAP - this.height, high = lane.y - HEIGHTS.axis - GAP;
    if (scrollTop < low || scrollTop > high) this.box.scrollTop = Math.max(low, Math.min(high, scrollTop));
  }

  x(time) { return this.left + (time - this.from) / (this.to - this.from) * (this.width - this.left); }
  time(x) { return this.from + (x - this.left) / (this.width - this.left) * (this.to - this.from); }

  draw() {
    const { pen, colors } = this;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const ticks = this.drawGrid();
    const lanes = this.lanesInView();
    for (const lane of lanes) {
      if (lane.kind === "app") {
        pen.fillStyle = lane.app === this.app ? colors.tint : colors.grid;
        pen.fillRect(0, lane.y, this.width, lane.height);
        const sign = lane.app.tracks.length === 0 ? "" : this.opened.has(lane.app) ? "▾ " : "▸ ";
        this.write(sign + lane.label, 4, lane, this.width - 8, colors.ink);
        continue;
      }
      pen.fillStyle = colors.lane;
      pen.fillRect(this.left, lane.y, this.width - this.left, lane.height);
      this.write(lane.label, 10, lane, this.left - 14, colors.soft);
      pen.save();
      pen.beginPath();
      pen.rect(this.left, lane.y, this.width - this.left, lane.height);
      pen.clip();
      this["draw_" + lane.kind](lane);
      pen.restore();
    }
    this.drawSelection(lanes);
    this.drawAxis(ticks);
  }

  write(text, x, lane, room, color) {
    const key = room + text;
    if (!this.fitting.has(key)) {
      this.fitting.set(key, this.fit(text, room));
    }
    this.pen.fillStyle = color;
    this.pen.fillText(this.fitting.get(key), x, lane.y + lane.height / 2 + 1);
  }

  /** As much of a text as there is room for. Of a long one no more is measured than can fit. */
  fit(text, room) {
    const letters = Array.from(text.slice(0, 2 * MOST_LETTERS)).slice(0, MOST_LETTERS);
    if (letters.join("").length === text.length && this.pen.measureText(text).width <= room) return text;
    const part = count => letters.slice(0, count).join("").trimEnd() + "…";
    let low = 0, high = letters.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.pen.measureText(part(middle)).width <= room) low = middle; else high = middle - 1;
    }
    return part(low);
  }

  drawGrid() {
    const { pen, colors } = this;
    const found = ticks(this.device, this.from, this.to, (this.width - this.left) / 90, this.utc)
      .map(({ time, label }) => ({ x: Math.round(this.x(time)) + 0.5, label })).filter(({ x }) => x >= this.left);
    pen.fillStyle = colors.grid;
    for (const { x } of found) pen.fillRect(x, HEIGHTS.axis - 6, 1, this.height);
    return found;
  }

  /** Above the lanes, which scroll below it. */
  drawAxis(ticks) {
    const { pen, colors } = this;
    pen.fillStyle = colors.card;
    pen.fillRect(0, 0, this.width, HEIGHTS.axis - GAP);
    pen.fillStyle = colors.soft;
    for (const { x, label } of ticks) {
      pen.fillText(label, Math.min(x + 3, this.width - pen.measureText(label).width), HEIGHTS.axis / 2);
    }
  }

  draw_device(lane) { this.drawStretches(lane, this.device.states, this.colors.device); }
  draw_states(lane) { this.drawStretches(lane, lane.app.states, this.colors.states); }
  draw_track(lane) {
    this.drawStretches(lane, lane.track.gone, [this.colors.gone]);
    this.drawStretches(lane, lane.track.reasons, this.colors.reasons);
  }

  /** Each stretch by itself if they are few, else the shares of each column. */
  drawStretches(lane, stretches, colors) {
    const { pen } = this;
    const columns = this.width - this.left;
    const first = stretches.after(this.from), last = firstFrom(stretches.starts, this.to, first);
    const { starts, ends, sets, kinds } = stretches;
    if (last - first < columns / 2) {
      for (const kind of kinds) {
        pen.fillStyle = colors[kind];
        for (let i = first; i < last; i++) {
          if (!(sets[i] >> kind & 1)) continue;
          const height = lane.height / BITS[sets[i]];
          const x = Math.max(this.x(starts[i]), this.left - 1), end = Math.min(this.x(ends[i]), this.width + 1);
          pen.fillRect(x, lane.y + BITS[sets[i] & ((1 << kind) - 1)] * height, Math.max(end - x, 0.25), height);
        }
      }
      return;
    }
    const tops = new Float32Array(columns).fill(lane.y);
    const bottoms = new Float32Array(columns);
    const bounds = this.columnBounds((time, last) => stretches.after(time, last));
    const limits = this.columnBounds((time, last) => firstFrom(starts, time, last));
    kinds.forEach((kind, k) => {
      for (let column = 0; column < columns; column++) {
        const from = this.time(this.left + column), to = this.time(this.left + column + 1);
        const share = stretches.share(k, from, to, bounds[column], limits[column + 1]);
        bottoms[column] = tops[column] + Math.max(0, share) * lane.height;
      }
      this.fillColumns(colors[kind], tops, bottoms);
      tops.set(bottoms);
    });
  }

  /** Fills each column of pixels from a top to a bottom, as one path of steps: a thousand rectangles take ten times as long. */
  fillColumns(color, tops, bottoms) {
    const { pen, left } = this;
    pen.fillStyle = color;
    pen.beginPath();
    for (let start = 0; start < tops.length; start++) {
      if (tops[start] >= bottoms[start]) continue;
      // The tops of neighbours to the right, and their bottoms back to the left.
      let end = start + 1, y = tops[start];
      pen.moveTo(left + start, y);
      for (; end < tops.length && tops[end] < bottoms[end]; end++) {
        if (tops[end] === y) continue;
        pen.lineTo(left + end, y);
        pen.lineTo(left + end, y = tops[end]);
      }
      pen.lineTo(left + end, y);
      pen.lineTo(left + end, y = bottoms[end - 1]);
      for (let column = end - 1; column > start; column--) {
        if (bottoms[column - 1] === y) continue;
        pen.lineTo(left + column, y);
        pen.lineTo(left + column, y = bottoms[column - 1]);
      }
      pen.lineTo(left + start, y);
      start = end;
    }
    pen.fill();
  }

  /** What a search finds at the beginning of each column, and at the end of the last. */
  columnBounds(search) {
    const bounds = new Int32Array(this.width - this.left + 1);
    for (let column = 0, last = 0; column < bounds.length; column++) {
      bounds[column] = last = search(this.time(this.left + column), last);
    }
    return bounds;
  }

  draw_wakes(lane) {
    const { pen, colors } = this;
    const { times, ends, outcomes, counts } = lane.app.wakes;
    const columns = this.width - this.left;
    const first = firstFrom(ends, this.from), last = firstFrom(times, this.to, first);
    if (last - first < columns / 3) {
      for (let i = first; i < last; i++) {
        const x = this.x(times[i]);
        pen.fillStyle = colors.outcomes[outcomes[i]];
        pen.fillRect(x - 1, lane.y, 2, lane.height);
        pen.fillRect(x, lane.y + lane.height / 2, Math.max(1, this.x(ends[i]) - x), lane.height / 2);
      }
      return;
    }
    const bounds = this.columnBounds((time, last) => firstFrom(times, time, last));
    let most = 1;
    for (let column = 0; column < columns; column++) most = Math.max(most, bounds[column + 1] - bounds[column]);
    const bottoms = new Float32Array(columns).fill(lane.y + lane.height);
    const tops = new Float32Array(columns);
    colors.outcomes.forEach((color, outcome) => {
      for (let column = 0; column < columns; column++) {
        const all = bounds[column + 1] - bounds[column];
        const count = all && counts.count(outcome, bounds[column], bounds[column + 1]);
        const height = count && lane.height * Math.log1p(all) / Math.log1p(most) * count / all;
        tops[column] = bottoms[column] - height;
      }
      this.fillColumns(color, tops, bottoms);
      bottoms.set(tops);
    });
  }

  draw_pending(lane) {
    const { pending } = lane.app;
    const places = [0, 0, 0];
    let first = firstFrom(pending.wakes, this.from);
    this.drawHeights(lane, this.colors.pending, (from, to) => {
      const last = firstFrom(pending.wakes, to, first);
      const peak = pending.peaks.peak(first, last);
      first = last;
      return Math.max(0, peak, pending.at(Math.ceil(to) - 1, places));
    }, peak => peak.toLocaleString("en"));
  }

  draw_behind(lane) {
    const places = lane.app.spans.map(() => 0);
    this.drawHeights(lane, this.colors.behind, (from, to) => oldestAge(lane.app, from, to, places),
      peak => duration(peak * this.device.unit));
  }

  drawHeights(lane, color, height, label) {
    const { pen } = this;
    const columns = this.width - this.left;
    const heights = new Float64Array(columns);
    let most = 0;
    for (let column = 0; column < columns; column++) {
      const from = this.time(this.left + column), to = this.time(this.left + column + 1);
      heights[column] = from > this.device.length || to < 0 ? 0 : height(from, to);
      most = Math.max(most, heights[column]);
    }
    if (most === 0) return;
    const bottoms = new Float64Array(columns).fill(lane.y + lane.height);
    this.fillColumns(color, bottoms.map((bottom, column) => bottom - heights[column] / most * lane.height), bottoms);
    const text = "≤ " + label(most);
    pen.fillStyle = this.colors.lane;
    pen.globalAlpha = 0.75;
    pen.fillRect(this.left, lane.y, pen.measureText(text).width + 8, 14);
    pen.globalAlpha = 1;
    pen.fillStyle = this.colors.ink;
    pen.fillText(text, this.left + 4, lane.y + 7);
  }

  drawSelection(all) {
    if (this.selected === null) return;
    const { pen, colors } = this;
    const lanes = all.filter(lane => lane.app === this.app);
    const x = this.x(this.app.wakes.times[this.selected]);
    if (lanes.length === 0 || x < this.left || x > this.width) return;
    pen.fillStyle = colors.accent;
    pen.fillRect(x - 0.75, lanes[0].y, 1.5, lanes.at(-1).y + lanes.at(-1).height - lanes[0].y);
    pen.beginPath();
    pen.moveTo(x - 5, lanes[0].y);
    pen.lineTo(x + 5, lanes[0].y);
    pen.lineTo(x, lanes[0].y + 8);
    pen.fill();
  }
}
