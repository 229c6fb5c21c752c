// Columns of whole numbers, as PackedTimeline.swift writes them.

/** The bytes of a device, inflated. */
async function inflated(element) {
  const text = atob(element.textContent);
  const bytes = Uint8Array.from(text, letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads numbers of seven bits a byte (LEB128). */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }
  number() {
    let byte = this.bytes[this.place++];
    let number = byte & 127;
    for (let factor = 128; byte > 127; factor *= 128) {
      byte = this.bytes[this.place++];
      number += (byte & 127) * factor;
    }
    return number;
  }
  numbers(count, kind = Float64Array) {
    const numbers = new kind(count);
    for (let i = 0; i < count; i++) numbers[i] = this.number();
    return numbers;
  }
  /** Numbers of which each was written as the difference to the one before it. */
  rising(count, kind = Float64Array) {
    const numbers = new kind(count);
    let last = 0;
    for (let i = 0; i < count; i++) numbers[i] = last += this.number();
    return numbers;
  }
  /** Numbers of either sign. */
  signed(count) {
    return this.numbers(count).map(n => n % 2 ? -(n + 1) / 2 : n / 2);
  }
  text(sizes) {
    const decoder = new TextDecoder();
    return Array.from(sizes, size => decoder.decode(this.bytes.subarray(this.place, this.place += size)));
  }
}

/** A device: times are numbers of its unit since its base. */
function readDevice(head, bytes) {
  const reader = new Reader(bytes);
  const device = { ...head, base: BigInt(head.base) };
  device.states = readStates(reader, head.conditions, head.length, [1, 2, 4]);
  device.apps = head.apps.map(app => readApp(reader, app, head.length));
  return device;
}

/** A number that changes, as stretches of time with bits. */
function readStates(reader, count, length, bits) {
  const starts = reader.rising(count);
  const codes = reader.numbers(count, Uint16Array);
  const ends = new Float64Array(count);
  for (let i = 0; i < count; i++) ends[i] = i + 1 < count ? starts[i + 1] : length;
  const sets = bits ? codes : codes.map(code => 1 << (code & 3) | (code >> 2) << 3);
  return new Stretches(starts, ends, sets);
}

function readApp(reader, head, length) {
  const app = { name: head.name, grain: head.grain };
  // Bits: 1 terminated, 2 in the background, 4 in the foreground, 8 force-quit, 16 stopped.
  app.states = readStates(reader, head.conditions, length);
  const numbers = reader.rising(head.wakes);
  const times = reader.rising(head.wakes);
  const ends = reader.numbers(head.wakes).map((span, i) => times[i] + span);
  // Above the outcome, how a wake was completed without an answer: 1 by a launch, 2 by disabling the rest.
  const codes = reader.numbers(head.wakes, Uint8Array);
  const outcomes = codes.map(code => code & 3), cuts = codes.map(code => code >> 2);
  const saves = reader.numbers(head.wakes);
  for (let i = 0; i < head.wakes; i++) if (outcomes[i] === OPEN) ends[i] = length;
  app.wakes = { numbers, times, ends, outcomes, cuts, saves, counts: new Kinds(times, outcomes, 4) };
  const arrivals = { times: reader.rising(head.arrivals), counts: reader.numbers(head.arrivals) };
  const settlements = { times: reader.rising(head.settlements), amounts: reader.signed(head.settlements) };
  app.tracks = head.tracks.map(track => readTrack(reader, track, app.wakes, length));
  // Pushes and refreshes are not owed (page Rules, 10.1).
  app.spans = app.tracks.filter(track => track.item === "type").flatMap(track => track.spans);
  app.pending = new Pending(arrivals, settlements, app.wakes);
  return app;
}

/** A track: a row for each wake that carries the type, push or refresh, and stretches with reasons as bits. */
function readTrack(reader, head, wakes, length) {
  const rows = head.rows;
  const goneUntil = reader.rising(head.gone);
  const goneSince = reader.numbers(head.gone).map((age, i) => goneUntil[i] - age);
  const wake = reader.rising(rows, Int32Array);
  const until = Float64Array.from(wake, place => place < wakes.times.length ? wakes.times[place] : length);
  const since = reader.numbers(rows).map((age, row) => until[row] - age);
  const saves = reader.numbers(rows);
  const counts = reader.numbers(rows);
  const first = new Int32Array(rows + 1);
  let shorter = 0;
  for (let row = 0; row < rows; row++) {
    const own = Math.floor(counts[row] / 8);
    first[row + 1] = first[row] + own;
    if (own > 0) shorter += own - 1;
  }
  const lengths = reader.numbers(shorter);
  const reasons = reader.numbers(first[rows], Uint16Array);
  const starts = new Float64Array(reasons.length);
  const ends = new Float64Array(reasons.length);
  for (let row = 0, next = 0; row < rows; row++) {
    let time = counts[row] % 2 ? until[row - 1] : since[row];
    for (let i = first[row]; i < first[row + 1]; i++) {
      starts[i] = time;
      time = ends[i] = i + 1 < first[row + 1] ? time + lengths[next++] : until[row];
    }
  }
  const track = { item: head.item, name: head.name, rows, wake, since, until, saves, first };
  track.continues = row => counts[row] % 2 === 1;
  track.comesBack = row => Math.floor(counts[row] / 2) % 2 === 1;
  track.isDisabled = row => Math.floor(counts[row] / 4) % 2 === 1;
  track.reasons = new Stretches(starts, ends, reasons);
  // What was delivered live or disabled has no reasons.
  track.gone = new Stretches(goneSince, goneUntil, new Uint16Array(head.gone).fill(1));
  track.spans = [[since, until], [goneSince, goneUntil]].map(([since, until]) =>
    ({ since, until, ages: new Peaks(until.map((time, i) => time - since[i])) }));
  if (head.item === "push") track.names = reader.text(reader.numbers(rows));
  return track;
}
