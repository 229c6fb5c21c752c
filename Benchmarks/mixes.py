"""Policies and inputs for `beside-peer`: on real traces, and at random."""
import random

HOUR = 3_600_000_000_000
SECOND = 1_000_000_000
FREQUENCIES = ("immediate", "hourly", "daily", "weekly")


def subscribe(apps, types, frequency):
    """Subscriptions of some apps on types; `frequency` is a word or a function of app and type numbers."""
    return [{"app": f"com.example.app{app}", "type": name,
             "frequency": frequency(app, place) if callable(frequency) else frequency}
            for app in range(apps) for place, name in enumerate(types)]


def mixed(app, place):
    return FREQUENCIES[(app + place) % 3]


def policies(types):
    """The policies of the matrix by name; each names what it adds to a trace, if anything."""
    few, twelve = types[:5], types[:12]
    answers = {"completesAfter": 2, "coldStart": 1}
    ignoring = answers | {"ignoresEvery": 5}
    return {
        "hourly": ({"subscriptions": subscribe(1, types, "hourly"), "behaviour": answers}, None),
        "immediate": ({"subscriptions": subscribe(1, types, "immediate"), "behaviour": answers}, None),
        "ignored": ({"subscriptions": subscribe(1, types, mixed), "behaviour": ignoring,
                     "maxStrikes": 1000, "backoffMax": 600}, None),
        "watch budget": ({"preset": "watchos", "subscriptions": subscribe(2, few, "immediate"),
                          "behaviour": answers}, None),
        "six apps": ({"subscriptions": subscribe(6, twelve, mixed), "behaviour": ignoring,
                      "budget": {"window": 3600, "limit": 8, "limitWithoutComplication": 6}}, None),
        "ignoring apps": ({"subscriptions": subscribe(6, twelve, "immediate"), "carry": "always",
                           "behaviour": answers | {"ignoresEvery": 2}, "maxStrikes": 1000,
                           "backoffBase": 5, "backoffMax": 60}, None),
        "no answers": ({"subscriptions": subscribe(3, twelve, mixed), "maxStrikes": 1000,
                        "backoffMax": 300}, None),
        "a hundred apps": ({"subscriptions": subscribe(100, types[:3], "hourly"),
                            "behaviour": answers}, None),
        "predicates": ({"subscriptions": subscribe(2, few, mixed), "behaviour": answers}, add_queries),
        "pushes": ({"subscriptions": subscribe(4, few, "hourly"), "behaviour": answers}, add_pushes),
        "foreground by day": ({"subscriptions": subscribe(4, few, mixed), "behaviour": answers}, add_launches),
    }


def add_queries(events, types):
    """Each app queries each of its types, with predicates of the source and of time."""
    sources = sorted({event["source"] for event in events})[:4]
    first = events[0]["t"]
    for app in range(2):
        for place, name in enumerate(types[:5]):
            predicate = {"source": sources[place % len(sources)]} if app else {"start": first + 24 * HOUR}
            yield {"t": first, "k": "execute", "app": f"com.example.app{app}", "query": f"q{place}",
                   "type": name, "predicate": predicate}
    yield from events


def add_pushes(events, types):
    """A push to one of the apps after every third save, and a network that comes and goes."""
    for place, event in enumerate(events):
        yield event
        if place % 3 == 0:
            yield {"t": event["t"], "k": "push", "app": f"com.example.app{place // 3 % 4}", "id": f"p{place % 7}"}
        if place % 50 == 0:
            yield {"t": event["t"], "k": "network", "good": place % 100 == 0}


def add_launches(events, types):
    """Each app is in the foreground for the second half of each day."""
    is_open = False
    for event in events:
        if (event["t"] // HOUR % 24 >= 12) != is_open:
            is_open = not is_open
            for app in range(4):
                yield {"t": event["t"], "k": "launch" if is_open else "background", "app": f"com.example.app{app}"}
        yield event


def random_mix(seed, inputs):
    """A random policy, and inputs of all kinds for it."""
    rng = random.Random(seed)
    types = [f"HKQuantityTypeIdentifier{seed % 97}x{place}" for place in range(rng.choice((1, 3, 12, 40, 100)))]
    apps = rng.choice((1, 2, 4, 8, 20))
    policy = {"carry": rng.choice(("launch", "due", "always")), "maxStrikes": rng.choice((3, 10, 1000)),
              "backoffBase": rng.choice((1, 10, 60)), "backoffMax": rng.choice((60, 600, 86400))}
    if rng.random() < 0.4:
        policy["preset"] = "watchos"
    if rng.random() < 0.5:
        policy["budget"] = {"window": rng.choice((600, 3600)), "limit": rng.randint(1, 20),
                            "limitWithoutComplication": rng.randint(1, 10)}
    if rng.random() < 0.8:
        policy["behaviour"] = {"completesAfter": rng.choice((0, 1, 5, 29)), "coldStart": rng.choice((0, 2)),
                               "ignoresEvery": rng.choice((0, 0, 2, 5, 20))}
    density = rng.choice((0.2, 0.5, 1))
    policy["subscriptions"] = [s for s in subscribe(apps, types, lambda *_: rng.choice(FREQUENCIES[:3]))
                               if rng.random() < density]
    others = rng.choice((0, 0.02, 0.1, 0.3, 0.7))
    step = rng.choice((0.1, 1, 10, 100)) * SECOND
    devices = rng.choice((1, 1, 3))
    kinds = ("complete", "launch", "background", "terminate", "push", "lock", "unlock", "network", "power", "enable",
             "disable", "execute", "stop", "refreshInterval", "complication", "forceQuit", "refreshStatus", "reboot")
    chosen = [kind for kind in kinds if rng.random() < 0.7] or ["push"]
    weights = [rng.random() ** 2 * (0.01 if kind in ("reboot", "forceQuit", "disable") else 1) for kind in chosen]
    popular = [rng.random() ** 3 + 0.001 for _ in types]
    time = [1_700_000_000 * SECOND] * devices
    events = []
    for _ in range(inputs):
        device = rng.randrange(devices)
        time[device] += int(rng.expovariate(1 / step))
        event = {"t": time[device]}
        if devices > 1:
            event["device"] = f"device-{seed}-{device}"
        app = f"com.example.app{rng.randrange(apps)}"
        name = rng.choices(types, popular)[0]
        if rng.random() >= others:
            event |= {"k": "save" if rng.random() < 0.95 else "delete", "type": name, "source": f"s{rng.randrange(3)}"}
        else:
            kind = rng.choices(chosen, weights)[0]
            event["k"] = kind
            if kind in ("complete", "launch", "background", "terminate", "forceQuit"):
                event["app"] = app
            elif kind == "push":
                event |= {"app": app, "id": f"p{rng.randrange(50)}"}
            elif kind in ("network", "power"):
                event["good"] = rng.random() < 0.8
            elif kind == "enable":
                event |= {"app": app, "type": name, "frequency": rng.choice(FREQUENCIES)}
            elif kind == "disable":
                event |= {"app": app, "type": name}
            elif kind in ("execute", "stop"):
                event |= {"app": app, "query": f"q{rng.randrange(4)}"}
                if kind == "execute":
                    event["type"] = name
                    if rng.random() < 0.7:
                        event["predicate"] = {"source": f"s{rng.randrange(3)}"}
            elif kind == "refreshInterval":
                event |= {"app": app, "interval": rng.choice((900, 3600, "minimum", "never"))}
            elif kind == "complication":
                event |= {"app": app, "active": rng.random() < 0.5}
            elif kind == "refreshStatus":
                event |= {"app": app, "status": rng.choice(("available", "denied"))}
        events.append(event)
    return policy, events
