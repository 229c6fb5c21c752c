// Times and durations as text, and the story of a wake: the words of `rouse explain`.

const pad = (number, digits = 2) => String(number).padStart(digits, "0");

/** Milliseconds since 1970, as a double. */
function milliseconds(device, time) {
  return Number(device.base / 1000000n) + (Number(device.base % 1000000n) + time * device.unit) / 1e6;
}

/** A time with all its digits, in UTC or in the viewer's zone. */
function timeText(device, time, utc) {
  const exact = device.base + BigInt(Math.round(time)) * BigInt(device.unit);
  const rest = (exact % 1000000000n + 1000000000n) % 1000000000n;
  const date = new Date(Number((exact - rest) / 1000000n));
  const fraction = rest === 0n ? "" : "." + pad(rest, 9).replace(/0+$/, "");
  if (utc) return date.toISOString().replace(/\.000Z$/, fraction + "Z");
  const offset = -date.getTimezoneOffset();
  const zone = (offset < 0 ? "-" : "+") + pad(Math.floor(Math.abs(offset) / 60)) + ":" + pad(Math.abs(offset) % 60);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:` +
    `${pad(date.getMinutes())}:${pad(date.getSeconds())}${fraction}${zone}`;
}

/** Three significant digits, as Quantity.swift has them: ties to even. */
function three(value) {
  const power = value < 9.995 ? 100 : value < 99.95 ? 10 : 1;
  const units = value * power, near = Math.round(units);
  return String((near - units === 0.5 && near % 2 === 1 ? near - 1 : near) / power);
}

/** A duration in nanoseconds: `4.56 µs`, `1.5 s`, `3 h 20 min`. */
function duration(nanoseconds) {
  if (nanoseconds < 59.95e9) {
    let rest = nanoseconds, unit = 0;
    for (; unit < 3 && rest >= 999.5; unit++) rest /= 1000;
    return three(rest) + [" ns", " µs", " ms", " s"][unit];
  }
  const pair = (count, ratio, greater, lesser) =>
    Math.floor(count / ratio) + " " + greater + (count % ratio ? " " + count % ratio + " " + lesser : "");
  const seconds = Math.round(nanoseconds / 1e9), minutes = Math.round(nanoseconds / 60e9);
  if (seconds < 3600) return pair(seconds, 60, "min", "s");
  if (minutes < 1440) return pair(minutes, 60, "h", "min");
  return pair(Math.round(nanoseconds / 3600e9), 24, "d", "h");
}

/** A name with control characters and those that reverse text escaped, as tables have it (ExactName.swift). */
function shown(name) {
  return name.replace(/[\0-\x1f\x7f-\x9f\u2028-\u202e\u061c\u200e\u200f\u2066-\u2069]/g,
    letter => "\\u{" + letter.codePointAt(0).toString(16) + "}");
}

function counted(count, noun) {
  return count.toLocaleString("en") + " " + noun + (count === 1 ? "" : "s");
}

/** Steps between ticks in milliseconds, up to days; longer ones are months. */
const STEPS = [0.001, 0.01, 0.1, 1, 2, 5, 10, 20, 50, 100, 200, 500, ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
  1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800].map(seconds => seconds * 1000)];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240];

/** Times at which clocks show multiples of a step, and what they show as if it were UTC; both in milliseconds. */
function wallTimes(start, end, step, utc) {
  const offset = ms => utc ? 0 : new Date(ms).getTimezoneOffset() * 60000;
  const first = offset(start), last = offset(end);
  const found = [];
  // Offsets are multiples of 15 minutes.
  if (step <= 900000 || utc) {
    for (let k = Math.ceil((start - first) / step); k * step + first <= end; k++) {
      const ms = k * step + first;
      found.push({ ms, wall: ms - offset(ms) });
    }
    return found;
  }
  // A time that clocks pass over has no tick, and one that they show twice has two.
  const [most, least] = [Math.max(first, last) + 7200000, Math.min(first, last) - 7200000];
  for (let k = Math.ceil((start - most) / step); k * step + least <= end; k++) {
    const wall = k * step;
    for (const shift of new Set([offset(wall + first - 86400000), offset(wall + first + 86400000)])) {
      const ms = wall + shift;
      if (offset(ms) === shift && ms >= start && ms <= end) found.push({ ms, wall });
    }
  }
  return found.sort((one, other) => one.ms - other.ms);
}

/** About `count` ticks of a time span, at round times of the zone. */
function ticks(device, from, to, count, utc) {
  const start = milliseconds(device, from), end = milliseconds(device, to);
  const step = STEPS.find(step => step >= (end - start) / count);
  const place = ms => from + (ms - start) / (end - start) * (to - from);
  const found = [];
  if (step !== undefined) {
    for (const { ms, wall } of wallTimes(start, end, step, utc)) {
      const [day, time] = new Date(wall).toISOString().slice(0, -1).split("T");
      const fraction = step < 1 ? ((wall % 1000 + 1000) % 1000).toFixed(3).padStart(7, "0") : time.slice(9);
      const label = step >= 86400000 || time.startsWith("00:00:00.000") ? day
        : step >= 60000 ? time.slice(0, 5) : step >= 1000 ? time.slice(0, 8) : time.slice(6, 9) + fraction;
      found.push({ time: place(ms), label });
    }
    return found;
  }
  const months = MONTHS.find(months => months * 2.63e9 >= (end - start) / count) ?? 600;
  // The year before may go on in the viewer's zone.
  const first = (new Date(start).getUTCFullYear() - 1) * 12;
  for (let month = Math.floor(first / months) * months; ; month += months) {
    const [year, rest] = [Math.floor(month / 12), month % 12];
    const ms = utc ? Date.UTC(year, rest) : new Date(year, rest).getTime();
    if (ms > end) return found;
    if (ms >= start) found.push({ time: place(ms), label: months % 12 ? `${year}-${pad(rest + 1)}` : String(year) });
  }
}

/** All stretches of a row, with those of the rows that it continues. */
function allStretches(track, row) {
  let start = row;
  while (track.continues(start)) start -= 1;
  const { starts, ends, sets } = track.reasons;
  const stretches = [];
  for (let i = track.first[start]; i < track.first[row + 1]; i++) {
    const last = stretches.at(-1);
    if (last && last.set === sets[i]) last.to = ends[i];
    else stretches.push({ from: starts[i], to: ends[i], set: sets[i] });
  }
  return stretches;
}

function inWords(set, words) {
  const held = words.filter((_, kind) => set >> kind & 1);
  return held.length < 2 ? held.join("") : held.slice(0, -1).join(", ") + " and " + held.at(-1);
}

/** What a wake carried: a row of each track that has it. */
function carried(app, wake) {
  return app.tracks.flatMap(track => {
    const row = firstFrom(track.wake, wake);
    return track.wake[row] === wake ? [{ track, row }] : [];
  });
}

/** So many saves, or the push or refresh, with a verb for several and for one. */
function what(track, saves, several, one) {
  return track.item === "type" ? counted(saves, "save") + " " + (saves === 1 ? one : several) : `the ${track.item} ${one}`;
}

/** What a wake carried, beside a row of it. */
function contents(app, wake, track, row) {
  const found = carried(app, wake);
  const types = found.filter(({ track }) => track.item === "type").length;
  const all = app.wakes.saves[wake];
  const parts = [];
  if (track && track.item === "type") {
    const rest = types > 1 ? ` (${all.toLocaleString("en")} in all, of ${counted(types, "type")})` : "";
    parts.push(counted(track.saves[row], "save") + rest);
  } else if (all > 0) {
    parts.push(`${counted(all, "save")} of ${counted(types, "type")}`);
  }
  for (const item of ["push", "refresh"]) if (found.some(({ track }) => track.item === item)) parts.push("a " + item);
  return parts.length > 0 ? " with " + parts.join(", ") : "";
}

/** How a wake ended for a row that it carried; null if it was in flight at the end. */
function ending(device, app, wake, track, row) {
  const { times, ends, outcomes, cuts } = app.wakes;
  const outcome = heads.outcomes[outcomes[wake]];
  if (outcome === "open") return null;
  const after = duration((ends[wake] - times[wake]) * device.unit);
  if (outcome === "completed") {
    if (track.isDisabled(row)) return `the type is disabled after ${after}, without an answer`;
    return [`answered after ${after}`, `the app is launched after ${after}, which completes the wake`,
      `answered in part after ${after}, when the rest is disabled`][cuts[wake]];
  }
  if (track.isDisabled(row)) return `the type is disabled before an answer; the wake is ${outcome} after ${after}`;
  if (!track.comesBack(row)) return `answered in part after ${after}: the wake is ${outcome}`;
  const verdict = outcome === "expired"
    ? `no answer after ${after}: the wake expires` : `the app or the device ends after ${after}: the wake is aborted`;
  return `${verdict}, ${what(track, track.saves[row], "come back", "comes back")}`;
}

/** The story of a wake: for each thing that it carried, lines of a time and a text. */
function storyOf(device, app, wake, words, utc) {
  const { times, ends, numbers, outcomes } = app.wakes;
  const time = at => timeText(device, at, utc);
  const title = `Wake ${numbers[wake]} of ${shown(app.name)} at ${time(times[wake])}` +
    `${contents(app, wake)}: ${words.outcomes[outcomes[wake]]}`;
  const parts = carried(app, wake).map(({ track, row }) => {
    const name = track.item === "refresh" ? "A refresh"
      : track.item === "push" ? "Push " + shown(track.names[row]) : shown(track.name);
    const lines = [[time(track.since[row]), { type: "saved", push: "pushed", refresh: "due" }[track.item]]];
    // The wakes that carried it in vain, and this one.
    let next = row;
    while (track.continues(next)) next -= 1;
    const tell = () => {
      const wake = track.wake[next];
      const end = ending(device, app, wake, track, next);
      lines.push([time(times[wake]), `wake ${numbers[wake]}${contents(app, wake, track, next)}` +
        (end === null ? ", in flight at the last input" : "")]);
      if (end !== null) lines.push([time(ends[wake]), end]);
      next += 1;
    };
    for (const { from, to, set } of allStretches(track, row)) {
      while (next < row && track.until[next] <= from) tell();
      if (words.reasons[Math.log2(set)] !== "unanswered") {
        lines.push([time(from),
          `held by ${inWords(set, words.reasons)} until ${time(to)}, ${duration((to - from) * device.unit)}`]);
      }
    }
    while (next <= row) tell();
    return { title: `${name} waited ${duration((times[wake] - track.since[row]) * device.unit)}`, lines };
  });
  return { title, parts };
}
