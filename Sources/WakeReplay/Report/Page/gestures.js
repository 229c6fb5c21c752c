// Mouse, touch and keys. `act` is called after each change; it brings a story into view that was asked for.

/** Lets a timeline be panned, zoomed and asked. */
function listen(timeline, act) {
  const { canvas } = timeline;
  const pointers = new Map();
  let moved = 0;
  const place = event => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  // The wheel alone scrolls. A pinch on a touchpad comes as a wheel with Ctrl.
  canvas.addEventListener("wheel", event => {
    const isZoom = event.ctrlKey || event.metaKey;
    const isPan = !isZoom && (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey);
    if (!isZoom && !isPan) return;
    event.preventDefault();
    const scale = event.deltaMode === 1 ? 20 : 1;
    if (isPan) {
      pan((event.deltaX || event.deltaY) * scale);
    } else {
      timeline.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * scale * 0.002))), timeline.time(place(event).x));
    }
    act("view");
  }, { passive: false });

  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    if (pointers.size === 1) moved = 0;
  });
  canvas.addEventListener("pointermove", event => {
    const last = pointers.get(event.pointerId);
    if (last === undefined) return;
    const now = place(event);
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    moved += Math.abs(now.x - last.x) + Math.abs(now.y - last.y);
    if (others.length === 0) {
      pan(last.x - now.x);
    } else {
      // Two fingers: the times below them stay there.
      const other = others[0];
      const [one, two] = [timeline.time(last.x), timeline.time(other.x)];
      if (Math.abs(now.x - other.x) > 8) {
        const span = Math.abs(two - one) / Math.abs(now.x - other.x) * (timeline.width - timeline.left);
        const from = two - (other.x - timeline.left) / (timeline.width - timeline.left) * span;
        timeline.move(from, from + span);
      }
    }
    pointers.set(event.pointerId, now);
    act("view");
  });
  const release = event => {
    if (pointers.delete(event.pointerId) && pointers.size === 0 && moved < 6 && event.type === "pointerup") {
      choose(place(event));
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);

  function pan(pixels) {
    const shift = pixels / (timeline.width - timeline.left) * (timeline.to - timeline.from);
    timeline.move(timeline.from + shift, timeline.to + shift);
  }

  /** A click: on an app's name, or on the wake nearest to it. */
  function choose({ x, y }) {
    const lane = timeline.laneAt(y);
    if (!lane?.app) return;
    timeline.app = lane.app;
    if (lane.kind === "app") {
      if (!timeline.opened.delete(lane.app)) timeline.opened.add(lane.app);
      timeline.selected = null;
      timeline.resize();
      return act("story");
    }
    const wake = nearestWake(timeline, timeline.time(x));
    const isNear = wake !== null && Math.abs(timeline.x(lane.app.wakes.times[wake]) - x) < 12;
    timeline.selected = isNear ? wake : null;
    act("story", isNear);
  }

  const keys = {
    ArrowLeft: event => pan(event.shiftKey ? -400 : -80),
    ArrowRight: event => pan(event.shiftKey ? 400 : 80),
    ArrowUp: () => chooseApp(-1),
    ArrowDown: () => chooseApp(1),
    "+": () => timeline.zoom(0.6), "=": () => timeline.zoom(0.6),
    "-": () => timeline.zoom(1 / 0.6),
    0: () => timeline.showAll(), Home: () => timeline.showAll(),
    n: () => step(1), p: () => step(-1),
    Enter: () => { timeline.selected ??= nearestWake(timeline, (timeline.from + timeline.to) / 2); },
    Escape: () => { timeline.selected = null; },
  };
  canvas.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key](event);
    act("story", event.key === "Enter");
  });

  function chooseApp(by) {
    const { apps } = timeline.device;
    const next = apps.indexOf(timeline.app) + by;
    if (!apps[next]) return;
    [timeline.app, timeline.selected] = [apps[next], null];
    timeline.reveal("wakes");
    timeline.reveal("app");
  }

  /** The next or the previous wake of the app, brought into view. */
  function step(by) {
    const { app } = timeline;
    if (!app || app.wakes.times.length === 0) return;
    const middle = (timeline.from + timeline.to) / 2;
    const wake = timeline.selected === null ? nearestWake(timeline, middle) : timeline.selected + by;
    timeline.selected = Math.max(0, Math.min(app.wakes.times.length - 1, wake));
    timeline.reveal("wakes");
    const time = app.wakes.times[timeline.selected];
    if (time < timeline.from || time > timeline.to) {
      timeline.move(time - (timeline.to - timeline.from) / 2, time + (timeline.to - timeline.from) / 2);
    }
  }
  return { step };
}

/** The wake of the chosen app that begins nearest to a time. */
function nearestWake(timeline, time) {
  const times = timeline.app ? timeline.app.wakes.times : [];
  if (times.length === 0) return null;
  const after = Math.min(firstFrom(times, time), times.length - 1);
  return after > 0 && time - times[after - 1] < times[after] - time ? after - 1 : after;
}
