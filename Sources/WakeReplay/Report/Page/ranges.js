// Sums and greatest values of ranges: what a pixel shows, whatever the time that it covers, is exact.

const OPEN = 3;

/** The first place in a rising array with a value above `limit`, from `start` on. */
function firstAbove(values, limit, start = 0) {
  // Doubles its steps first, as the next pixel is mostly near.
  let low = start, step = 1;
  while (low + step <= values.length && values[low + step - 1] <= limit) {
    low += step;
    step *= 2;
  }
  let high = Math.min(values.length, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= limit) low = middle + 1; else high = middle;
  }
  return low;
}

/** The first place with a value of at least `limit`; values are whole numbers. */
function firstFrom(values, limit, start = 0) {
  return firstAbove(values, Math.ceil(limit) - 1, start);
}

/** How many bits a number up to 16 bits has. */
const BITS = Uint8Array.from({ length: 1 << 16 }, (_, set) => {
  let count = 0;
  for (; set; set &= set - 1) count++;
  return count;
});

/** Stretches of time, one after the other, each with a set of kinds as bits. Kinds that hold together share the time. */
class Stretches {
  constructor(starts, ends, sets) {
    Object.assign(this, { starts, ends, sets });
    this.kinds = [];
    let all = 0;
    for (const set of sets) all |= set;
    for (let kind = 0; kind < 16; kind++) if (all >> kind & 1) this.kinds.push(kind);
    // For each kind, its time up to each stretch.
    this.sums = this.kinds.map(kind => {
      const sums = new Float64Array(starts.length + 1);
      for (let i = 0; i < starts.length; i++) sums[i + 1] = sums[i] + this.part(i, kind) * (ends[i] - starts[i]);
      return sums;
    });
  }
  part(i, kind) {
    const set = this.sets[i];
    return set >> kind & 1 ? 1 / BITS[set] : 0;
  }
  /** The first stretch that ends after a time. */
  after(time, start = 0) { return firstAbove(this.ends, time, start); }
  /** How much of a time span the k-th of the kinds has: of the stretches from `first`, which is `after(from)`, to `last`. */
  share(k, from, to, first, last) {
    if (last <= first) return 0;
    const kind = this.kinds[k];
    const sum = this.sums[k][last] - this.sums[k][first]
      - this.part(first, kind) * Math.max(0, from - this.starts[first])
      - this.part(last - 1, kind) * Math.max(0, this.ends[last - 1] - to);
    return sum / (to - from);
  }
}

/** Counts events of a few kinds. */
class Kinds {
  constructor(times, kinds, count) {
    this.times = times;
    this.sums = Array.from({ length: count }, () => new Uint32Array(times.length + 1));
    for (let i = 0; i < times.length; i++)
      for (let kind = 0; kind < count; kind++)
        this.sums[kind][i + 1] = this.sums[kind][i] + (kinds[i] === kind ? 1 : 0);
  }
  count(kind, first, last) { return this.sums[kind][last] - this.sums[kind][first]; }
}

/** The greatest value of a range. */
class Peaks {
  constructor(values) {
    this.values = values;
    this.blocks = new Float64Array((values.length >> 8) + 1).fill(-Infinity);
    for (let i = 0; i < values.length; i++) this.blocks[i >> 8] = Math.max(this.blocks[i >> 8], values[i]);
  }
  /** From `first` up to, but not with, `last`. */
  peak(first, last) {
    let peak = -Infinity;
    for (let i = first; i < last;) {
      const isBlock = (i & 255) === 0 && i + 256 <= last;
      peak = Math.max(peak, isBlock ? this.blocks[i >> 8] : this.values[i]);
      i += isBlock ? 256 : 1;
    }
    return peak;
  }
}

/** What is pending on an app: arrivals, less what wakes carry, and what comes back or is gone otherwise. */
class Pending {
  constructor(arrivals, settlements, wakes) {
    const sums = counts => {
      const sums = new Float64Array(counts.length + 1);
      for (let i = 0; i < counts.length; i++) sums[i + 1] = sums[i] + counts[i];
      return sums;
    };
    this.parts = [
      { times: arrivals.times, sums: sums(arrivals.counts), sign: 1 },
      { times: settlements.times, sums: sums(settlements.amounts), sign: 1 },
      { times: wakes.times, sums: sums(wakes.saves), sign: -1 },
    ];
    this.wakes = wakes.times;
    const places = [0, 0, 0];
    this.peaks = new Peaks(wakes.times.map((time, i) => this.at(time, places) + wakes.saves[i]));
  }
  /** What is pending after everything at a time. `places` remembers where to look on, as times rise. */
  at(time, places) {
    let pending = 0;
    this.parts.forEach((part, i) => {
      places[i] = firstAbove(part.times, time, places[i]);
      pending += part.sign * part.sums[places[i]];
    });
    return pending;
  }
}

/** How long the oldest of what waits on an app has waited, at most, in a time span. */
function oldestAge(app, from, to, places) {
  let age = 0;
  app.spans.forEach(({ since, until, ages }, i) => {
    const first = places[i] = firstAbove(until, from, places[i]);
    const last = firstAbove(until, to, first);
    if (last > first) age = Math.max(age, ages.peak(first, last));
    if (last < since.length && since[last] < to) age = Math.max(age, to - since[last]);
  });
  return age;
}
