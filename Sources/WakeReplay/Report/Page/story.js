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

/** Three significant digits, as Quantity.swift has them. */
function three(value) {
  const power = value < 9.995 ? 100 : value < 99.95 ? 10 : 1;
  return String(Math.round(value * power) / power);
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

function counted(count, noun) {
  return count.toLocaleString("en") + " " + noun + (count === 1 ? "" : "s");
}

/** Steps between ticks in milliseconds, up to days; longer ones are months. */
const STEPS = [0.001, 0.01, 0.1, 1, 2, 5, 10, 20, 50, 100, 200, 500, ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
  1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800].map(seconds => seconds * 1000)];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240];

/** About `count` ticks of a time span, at round times of the zone. */
function ticks(device, from, to, count, utc) {
  const start = milliseconds(device, from), end = milliseconds(device, to);
  const step = STEPS.find(step => step >= (end - start) / count);
  const place = ms => from + (ms - start) / (end - start) * (to - from);
  const found = [];
  if (step !== undefined) {
    const shift = utc ? 0 : new Date(start).getTimezoneOffset() * 60000;
    for (let k = Math.ceil((start - shift) / step); k * step + shift <= end; k++) {
      const date = new Date(k * step + (utc ? 0 : 0));
      const [day, time] = date.toISOString().slice(0, -1).split("T");
      const fraction = step < 1 ? ((k * step % 1000 + 1000) % 1000).toFixed(3).padStart(7, "0") : time.slice(9);
      const label = step >= 86400000 || time.startsWith("00:00:00.000") ? day
        : step >= 60000 ? time.slice(0, 5) : step >= 1000 ? time.slice(0, 8) : time.slice(6, 9) + fraction;
      found.push({ time: place(k * step + shift), label });
    }
    return found;
  }
  const months = MONTHS.find(months => months * 2.63e9 >= (end - start) / count) ?? 600;
  const first = new Date(start).getUTCFullYear() * 12;
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
  for (let i = track.first[start]; i < track.first[row + 1]; i++)
    stretches.push({ from: starts[i], to: ends[i], set: sets[i] });
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

/** Whether what a row's wake carried comes back: then it waits on, or is delivered live. */
function comesBack(track, row, wakes) {
  const wake = track.wake[row];
  if (track.gone.starts[track.gone.after(wakes.ends[wake])] === track.since[row]) return true;
  if (row + 1 >= track.rows || track.since[row + 1] !== track.since[row]) return false;
  const unanswered = 1 << heads.reasons.indexOf("unanswered");
  return wakes.times[wake] === wakes.ends[wake] || allStretches(track, row + 1).some(({ from, to, set }) =>
    set === unanswered && from <= wakes.times[wake] && to > wakes.times[wake]);
}

/** How a wake ended for a row that it carried; null if it was in flight at the end. */
function ending(device, app, wake, track, row) {
  const { times, ends, outcomes } = app.wakes;
  const outcome = heads.outcomes[outcomes[wake]];
  if (outcome === "open") return null;
  const after = duration((ends[wake] - times[wake]) * device.unit);
  if (outcome === "completed") return `answered after ${after}`;
  if (!comesBack(track, row, app.wakes)) return `answered in part after ${after}: the wake is ${outcome}`;
  const verdict = outcome === "expired"
    ? `no answer after ${after}: the wake expires` : `the app or the device ends after ${after}: the wake is aborted`;
  return `${verdict}, ${what(track, track.saves[row], "come back", "comes back")}`;
}

/** The story of a wake: for each thing that it carried, lines of a time and a text. */
function storyOf(device, app, wake, words, utc) {
  const { times, ends, numbers, outcomes } = app.wakes;
  const time = at => timeText(device, at, utc);
  const title = `Wake ${numbers[wake]} of ${app.name} at ${time(times[wake])}` +
    `${contents(app, wake)}: ${words.outcomes[outcomes[wake]]}`;
  const parts = carried(app, wake).map(({ track, row }) => {
    const name = { type: track.name, push: track.names && "Push " + track.names[row], refresh: "A refresh" }[track.item];
    const lines = [[time(track.since[row]), { type: "saved", push: "pushed", refresh: "due" }[track.item]]];
    // The wakes that carried it in vain, and this one.
    let next = row;
    while (next > 0 && track.since[next - 1] === track.since[row] && comesBack(track, next - 1, app.wakes)) next -= 1;
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
