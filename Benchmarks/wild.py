"""Random policies and inputs of shapes that `mixes.random_mix` has not: hundreds of types, apps and queries, thousands of
devices, late inputs, bursts and sessions, values and spans, and inputs of which half are of one kind."""
import itertools, random

from mixes import FREQUENCIES, SECOND

# What inputs other than saves and deletes are about, and of which kinds they are then.
THEMES = {
    "predicates": ("execute",) * 5 + ("stop",),
    "locks": ("lock", "unlock", "network", "power"),
    "foreground": ("launch", "background", "background", "terminate", "forceQuit"),
    "pushes": ("push",) * 6 + ("network", "refreshInterval", "refreshStatus", "complication"),
    "enables": ("enable", "enable", "disable"),
    "answers": ("complete",),
    "all": ("complete", "launch", "background", "terminate", "push", "lock", "unlock", "network", "power", "enable",
            "disable", "execute", "stop", "refreshInterval", "complication", "forceQuit", "refreshStatus", "reboot"),
}


def some(rng, words, exponent):
    """Picks words at random, some more often than others."""
    weights = list(itertools.accumulate(rng.random() ** exponent + 0.001 for _ in words))
    return lambda: rng.choices(words, cum_weights=weights)[0]


def policy_of(rng, apps, types):
    policy = {"carry": rng.choice(("launch", "due", "always")), "maxStrikes": rng.choice((1, 3, 30, 1000)),
              "backoffBase": rng.choice((0, 1, 30, 600)), "backoffMax": rng.choice((600, 3600, 86400)),
              "completionTimeout": rng.choice((5, 30, 300))}
    if rng.random() < 0.3:
        policy["preset"] = "watchos"
    if rng.random() < 0.5:
        policy["budget"] = {"window": rng.choice((60, 3600, 86400)), "limit": rng.choice((1, 4, 15, 100, 1000)),
                            "limitWithoutComplication": rng.choice((1, 2, 8, 50))}
    if rng.random() < 0.8:
        policy["behaviour"] = {"completesAfter": rng.choice((0, 0.5, 3, 20, 100)), "coldStart": rng.choice((0, 1, 10)),
                               "ignoresEvery": rng.choice((0, 0, 0, 1, 2, 3, 7, 50))}
    if rng.random() < 0.3:
        policy |= {"pushLimit": rng.choice((0, 1, 3, 10)), "pushWindow": rng.choice((60, 1200))}
    for name in ("lockBlocksHealth", "forceQuitBlocksHealth"):
        if rng.random() < 0.3:
            policy[name] = rng.random() < 0.5
    pairs = list(itertools.product(apps, types))
    rng.shuffle(pairs)
    frequencies = rng.choice((FREQUENCIES[:1], FREQUENCIES[1:2], FREQUENCIES[:2], FREQUENCIES))
    policy["subscriptions"] = [{"app": app, "type": name, "frequency": rng.choice(frequencies)}
                               for app, name in pairs[:rng.choice((1, 3, 10, 60, 400, 2000))]]
    return policy


def steps_of(rng):
    """The time from one input of a device to its next one, in nanoseconds, and whether some are late."""
    step = rng.choice((0.001, 0.05, 1, 20, 600)) * SECOND
    return rng.choice((
        (lambda: rng.expovariate(1 / step), False),
        (lambda: rng.expovariate(1 / step), True),
        # Bursts, a grid of times, and sessions.
        (lambda: 30 * step if rng.random() < 0.03 else 0, False),
        (lambda: rng.choice((0, 1, 1, 1, 2)) * step, False),
        (lambda: 200 * step if rng.random() < 0.005 else 0.2 * step * rng.random(), False),
    )) + (step,)


def turns_of(rng, devices):
    """Which device comes next: any, one after the other, or runs."""
    def runs():
        while True:
            yield from itertools.repeat(rng.randrange(devices), rng.randrange(1, 40))

    return rng.choice((iter(lambda: rng.randrange(devices), None), itertools.cycle(range(devices)), runs()))


def predicate_of(rng, time, sources):
    return rng.choice((
        {}, {}, {"source": rng.choice(sources)}, {"source": rng.choice(sources)}, {"min": rng.randrange(100)},
        {"min": rng.randrange(50), "max": 50 + rng.randrange(50)},
        {"start": time + SECOND * rng.randrange(-1000, 1000)}))


def wild_mix(seed, inputs):
    """A random policy, and inputs for it."""
    rng = random.Random(f"wild {seed}")
    types = [f"HKQuantityTypeIdentifierWild{place}" for place in range(rng.choice((1, 2, 5, 12, 30, 100, 300)))]
    apps = [f"com.example.app{place}" for place in range(rng.choice((1, 2, 3, 6, 15, 60, 300)))]
    sources = [f"s{place}" for place in range(rng.choice((1, 2, 10, 100)))]
    policy = policy_of(rng, apps, types)
    theme, others = rng.choice([(theme, share) for theme in THEMES for share in (0.001, 0.01, 0.05, 0.2, 0.5)]
                               + 10 * [("locks", 0)])
    next_step, are_late, step = steps_of(rng)
    devices = rng.choice((1, 1, 1, 2, 10, 200, 3000))
    turns = turns_of(rng, devices)
    any_type, any_app = some(rng, types, rng.choice((0, 1, 3))), some(rng, apps, 2)
    deletes, queries = rng.choice((0, 0.02, 0.3)), rng.choice((2, 30, 100))
    have_values, have_spans = rng.random() < 0.4, rng.random() < 0.3
    times = [1_700_000_000 * SECOND] * devices

    def sample(time):
        if rng.random() < deletes:
            return {"k": "delete", "type": any_type(), "source": rng.choice(sources)}
        event = {"k": "save", "type": any_type(), "source": rng.choice(sources)}
        if have_values:
            event["value"] = rng.randrange(200) / 2
        if have_spans:
            event |= {"start": time - SECOND * rng.randrange(100), "end": time}
        return event

    def other(time):
        kind = rng.choice(THEMES[theme])
        event = {"k": kind}
        if kind in ("network", "power"):
            return event | {"good": rng.random() < 0.7}
        if kind in ("lock", "unlock", "reboot"):
            return event
        event["app"] = any_app()
        if kind == "complete" and rng.random() < 0.5:
            event["item"] = rng.choice((any_type(), "push", "refresh"))
        elif kind == "push":
            event["id"] = f"p{rng.randrange(5000)}"
        elif kind == "enable":
            event |= {"type": any_type(), "frequency": rng.choice(FREQUENCIES)}
        elif kind == "disable":
            event["type"] = any_type()
        elif kind in ("execute", "stop"):
            event["query"] = f"q{rng.randrange(queries)}"
            if kind == "execute":
                event["type"] = any_type()
                predicate = predicate_of(rng, time, sources)
                if predicate:
                    event["predicate"] = predicate
        elif kind == "refreshInterval":
            event["interval"] = rng.choice((900, 7200, "minimum", "never"))
        elif kind == "complication":
            event["active"] = rng.random() < 0.5
        elif kind == "refreshStatus":
            event["status"] = rng.choice(("available", "denied"))
        return event

    events = []
    for device in itertools.islice(turns, inputs):
        times[device] += int(next_step())
        time = times[device]
        if are_late and rng.random() < 0.05:
            time -= int(step) * rng.randrange(1, 50)
        event = {"t": time} | ({"device": f"device-{device}"} if devices > 1 else {})
        events.append(event | (other(time) if rng.random() < others else sample(time)))
    return policy, events
