#!/usr/bin/env python3
"""The rules of the page Rules as a plain scheduler that talks over a pipe: one file, every function named after its rule.

    rouse check 'exec:Tests/Schedulers/plain.py' --seeds 20
    rouse replay day.wtrace --scheduler 'exec:Tests/Schedulers/plain.py' --wakes wakes.jsonl

Rouse writes a line of JSON, and the scheduler answers with the lines of the wake log that are complete, and an empty line
(page Schedulers, "Over a pipe"). Start from it to write a scheduler in another language. It looks at every app and
subscription each time; what it does is what matters here.
"""
import json
import sys

NEVER = 2**63 - 1
HOUR = 3600 * 10**9
PERIODS = {"immediate": 0, "hourly": HOUR, "daily": 24 * HOUR, "weekly": 168 * HOUR}


def nanoseconds(seconds):
    """Rules, 3: a duration; round() takes ties to even."""
    return round(seconds * 1e9)


class Policy:
    def __init__(self, given):
        self.caps, self.behaviour, self.subscriptions = given["caps"], given["behaviour"], given["subscriptions"]
        self.budget = given["budget"]
        self.window = nanoseconds(self.budget["window"]) if self.budget else 0
        self.timeout = nanoseconds(given["completionTimeout"])
        self.max_strikes = given["maxStrikes"]
        self.backoff_base, self.backoff_max = nanoseconds(given["backoffBase"]), nanoseconds(given["backoffMax"])
        self.backoff_factor = given["backoffFactor"]
        self.push_limit, self.push_window = given["pushLimit"], nanoseconds(given["pushWindow"])
        self.minimum_interval = nanoseconds(given["minimumRefreshInterval"])
        self.carry = given["carry"]
        self.force_quit_blocks, self.lock_blocks = given["forceQuitBlocksHealth"], given["lockBlocksHealth"]


class Subscription:
    """An app's background delivery of a type (rules, 1)."""
    def __init__(self):
        self.period, self.last = 0, None
        self.pending, self.oldest = 0, NEVER
        self.carried, self.carried_oldest = 0, NEVER  # outstanding in the wake in flight


class App:
    def __init__(self, name):
        self.name, self.state = name, "terminated"
        self.force_quit, self.entitled, self.complication = False, True, False
        self.subscriptions, self.queries = {}, {}
        self.wake, self.wakes, self.deadline, self.answer = None, 0, NEVER, NEVER
        self.push_outstanding = self.refresh_outstanding = False
        self.strikes, self.stopped, self.delay, self.backoff = 0, False, None, -NEVER
        self.held = None
        self.interval, self.last_refresh, self.status = None, 0, "available"
        self.charged, self.pushed = [], []  # times of wakes


class Device:
    def __init__(self, policy, name):
        self.policy, self.name, self.present = policy, name, -NEVER
        self.network = self.power = True
        self.locked = False
        self.apps, self.log = {}, []  # apps in the order of their numbers
        self.counts = dict.fromkeys(
            ["liveDeliveries", "ignoredCompletions", "rejectedRegistrations", "rejectedPushes", "pushesSuperseded",
             "pushesDiscarded", "pushesDeliveredLive", "pushesHeldAtEnd", "pendingAtEnd"], 0)
        for given in policy.subscriptions:
            self.app(given["app"])
        for given in policy.subscriptions:
            self.enable(self.app(given["app"]), given["type"], given["frequency"])

    def app(self, name):
        """An app is numbered as it first appears (rules, 1)."""
        return self.apps.setdefault(name, App(name))

    # --- 6. The wake ---

    def limit(self, app):
        return self.policy.budget["limit" if app.complication else "limitWithoutComplication"]

    def budget_open(self, app, t):
        return not self.policy.budget or sum(t - self.policy.window < c <= t for c in app.charged) < self.limit(app)

    def blocked(self, app):
        return (app.stopped or app.force_quit and self.policy.force_quit_blocks
                or self.locked and self.policy.lock_blocks)

    @staticmethod
    def type_due(app, s, t):
        return s.pending > 0 and (s.last is None or t >= s.last + s.period) and t >= app.backoff

    def health_due(self, app, t):
        return (self.budget_open(app, t) and not self.blocked(app)
                and any(self.type_due(app, s, t) for s in app.subscriptions.values()))

    def refresh_due(self, app, t):
        return (self.budget_open(app, t) and app.interval is not None and app.status == "available" and self.network
                and self.power and not app.force_quit and t >= app.last_refresh + app.interval)

    def push_due(self, app, t):
        return (app.held is not None and not app.force_quit
                and sum(t - self.policy.push_window < p <= t for p in app.pushed) < self.policy.push_limit)

    def evaluate(self, app, t):
        """6.2: wakes the app, once, if anything is due."""
        if app.state in ("awake", "foreground"):
            return
        refresh, push = self.refresh_due(app, t), self.push_due(app, t)
        if not (self.health_due(app, t) or refresh or push):
            return
        carry_all = self.policy.carry == "always" or self.policy.carry == "launch" and app.state == "terminated"
        carried = {}
        if self.budget_open(app, t) and not self.blocked(app):
            carried = {name: s for name, s in app.subscriptions.items()
                       if s.pending and (carry_all or self.type_due(app, s, t))}
        app.wake = {
            "t": t, "app": app.name, "types": sorted(carried, key=str.encode),
            "saves": sum(s.pending for s in carried.values()),
            "oldest": min((s.oldest for s in carried.values()), default=None),
            "push": app.held if push else None, "refresh": refresh, "outcome": "open", "end": None}
        self.log.append(app.wake)
        for s in carried.values():
            s.carried, s.carried_oldest, s.last = s.pending, s.oldest, t
            s.pending, s.oldest = 0, NEVER
        if refresh:
            app.last_refresh = t
        if push:
            app.held = None
            app.pushed.append(t)
        if carried or refresh:
            app.charged.append(t)
        app.push_outstanding, app.refresh_outstanding = push, refresh
        # 6.3, 6.4
        app.wakes += 1
        app.deadline, app.answer = t + self.policy.timeout, NEVER
        behaviour = self.policy.behaviour
        ignores = behaviour["ignoresEvery"]
        if behaviour["completesAfter"] is not None and not (ignores and app.wakes % ignores == 0):
            app.answer = t + nanoseconds(behaviour["completesAfter"])
            app.answer += nanoseconds(behaviour["coldStart"]) if app.state == "terminated" else 0
        app.state = "awake"

    def end_wake(self, app, t, outcome, is_answer=False):
        """6.5, 6.6: the wake in flight ends."""
        outstanding = [s for s in app.subscriptions.values() if s.carried]
        for s in outstanding:
            if outcome != "completed":
                s.pending, s.oldest = s.pending + s.carried, min(s.oldest, s.carried_oldest)
            s.carried = 0
        app.push_outstanding = app.refresh_outstanding = False
        app.state = "suspended"
        app.wake["outcome"], app.wake["end"] = outcome, t
        if outcome != "completed" and outstanding:
            self.strike(app, t)
        if is_answer and app.wake["types"]:
            app.strikes, app.delay, app.backoff = 0, None, -NEVER

    def strike(self, app, t):
        app.strikes += 1
        if app.strikes >= self.policy.max_strikes:
            app.stopped = True
            return
        following = float(self.policy.backoff_base) if app.delay is None else app.delay * self.policy.backoff_factor
        app.delay = round(min(following, float(self.policy.backoff_max)))
        app.backoff = t + app.delay

    # --- 4. Time ---

    @staticmethod
    def window_opens(times, t, window, limit):
        """When fewer than `limit` of the times are left in the window."""
        if limit <= 0:
            return NEVER
        inside = [time for time in times if t - window < time <= t]
        return t if len(inside) < limit else inside[-limit] + window

    def timer(self, app):
        """4.4"""
        if app.state == "awake":
            return app.deadline
        if app.state == "foreground":
            return NEVER
        t, due = self.present, NEVER
        budget = t
        if self.policy.budget:
            budget = self.window_opens(app.charged, t, self.policy.window, self.limit(app))
        if not self.blocked(app):
            for s in app.subscriptions.values():
                if s.pending:
                    due = min(due, max(budget, app.backoff, -NEVER if s.last is None else s.last + s.period))
        if (app.interval is not None and app.status == "available" and self.network and self.power
                and not app.force_quit):
            due = min(due, max(budget, app.last_refresh + app.interval))
        if app.held is not None and not app.force_quit:
            due = min(due, self.window_opens(app.pushed, t, self.policy.push_window, self.policy.push_limit))
        return due

    def advance(self, time):
        """4.2: lets what is due at or before a time happen: timers before answers, then by app number."""
        while True:
            due = [(self.timer(app), 0, number, app) for number, app in enumerate(self.apps.values())]
            due += [(app.answer, 1, number, app) for number, app in enumerate(self.apps.values())
                    if app.state == "awake"]
            at, is_answer, _, app = min(due, default=(NEVER, 0, 0, None), key=lambda item: item[:3])
            if app is None or at > time or at >= NEVER:
                return
            self.present = max(self.present, at)
            if is_answer:
                self.end_wake(app, at, "completed", is_answer=True)
            elif app.state == "awake":
                self.end_wake(app, at, "expired")
            self.evaluate(app, self.present)

    # --- 5. What an input does ---

    def take(self, e):
        self.advance(max(e["t"], self.present))
        self.present = max(e["t"], self.present)  # 4.1
        kind = e["k"]
        if kind in ("save", "delete"):
            return self.sample(e)
        if kind in ("network", "power"):
            setattr(self, kind, e["good"])
        elif kind in ("lock", "unlock"):
            self.locked = kind == "lock"
        elif kind == "reboot":
            self.reboot()
        else:
            # An input that names an app numbers it.
            app = None if kind == "refreshStatus" and e["app"] == "*" else self.app(e["app"])
            getattr(self, kind)(app, *([e] if kind in WHOLE else [e[key] for key in FIELDS.get(kind, [])]))
        for each in self.apps.values():
            self.evaluate(each, self.present)  # 4.5

    def sample(self, e):
        """5.1"""
        for app in self.apps.values():
            s = app.subscriptions.get(e["type"])
            if s is None or not self.takes(app, e):
                continue
            if app.state == "foreground":
                self.counts["liveDeliveries"] += 1
                continue
            s.pending, s.oldest = s.pending + 1, min(s.oldest, self.present)
            self.evaluate(app, self.present)

    @staticmethod
    def takes(app, e):
        queries = [predicate for type, predicate in app.queries.values() if type == e["type"]]
        return (not queries or e["k"] == "delete"
                or any(predicate is None or matches(predicate, e) for predicate in queries))

    def enable(self, app, type, frequency):
        """5.2"""
        if not app.entitled or type.startswith("HKCorrelationTypeIdentifier"):
            self.counts["rejectedRegistrations"] += 1
            return
        if app.state == "foreground" or not app.subscriptions:
            app.strikes, app.delay, app.backoff, app.stopped = 0, None, -NEVER, False
        cap = self.policy.caps.get(type, self.policy.caps["default"])
        app.subscriptions.setdefault(type, Subscription()).period = max(PERIODS[frequency], PERIODS[cap])

    def disable(self, app, type):
        """5.3"""
        s = app.subscriptions.pop(type, None)
        if s and s.carried and not self.outstanding(app):
            self.end_wake(app, self.present, "completed")

    def disableAll(self, app):
        for type in list(app.subscriptions):
            self.disable(app, type)

    def execute(self, app, e):
        app.queries[e["query"]] = (e["type"], e.get("predicate"))

    def stop(self, app, query):
        app.queries.pop(query, None)

    @staticmethod
    def outstanding(app):
        return app.push_outstanding or app.refresh_outstanding or any(s.carried for s in app.subscriptions.values())

    def complete(self, app, e):
        """5.4"""
        item = e.get("item")
        s = app.subscriptions.get(item)
        if app.state != "awake" or item is not None and not (
                app.push_outstanding if item == "push" else app.refresh_outstanding if item == "refresh"
                else s and s.carried):
            self.counts["ignoredCompletions"] += 1
            return
        if item == "push":
            app.push_outstanding = False
        elif item == "refresh":
            app.refresh_outstanding = False
        elif item is not None:
            s.carried = 0
        if item is None or not self.outstanding(app):
            self.end_wake(app, self.present, "completed", is_answer=True)

    def launch(self, app):
        """5.5"""
        app.force_quit = False
        if app.state == "awake":
            self.end_wake(app, self.present, "completed", is_answer=True)
        for s in app.subscriptions.values():
            self.counts["liveDeliveries"] += s.pending
            s.pending, s.oldest = 0, NEVER
        self.counts["pushesDeliveredLive"] += app.held is not None
        app.held, app.state = None, "foreground"

    def background(self, app):
        """5.6"""
        if app.state == "foreground":
            app.state = "suspended"

    def terminate(self, app):
        """5.7"""
        if app.state == "awake":
            self.end_wake(app, self.present, "aborted")
        self.counts["pushesDiscarded"] += app.held is not None
        app.held, app.state = None, "terminated"

    def forceQuit(self, app):
        self.terminate(app)
        app.force_quit = True

    def reboot(self):
        for app in self.apps.values():
            self.terminate(app)
            app.force_quit = False
        self.locked = True

    def push(self, app, e):
        """5.8"""
        aps = e.get("aps")
        aps = {"content-available": 1} if aps is None else aps
        available, priority, sort = aps.get("content-available"), e.get("priority"), e.get("pushType")
        if (isinstance(available, bool) or available != 1 or {"alert", "badge", "sound"} & aps.keys()
                or sort not in (None, "background") or priority not in (None, 5)):
            self.counts["rejectedPushes"] += 1
        elif app.state == "foreground":
            self.counts["pushesDeliveredLive"] += 1
        elif app.force_quit:
            self.counts["pushesDiscarded"] += 1
        else:
            self.counts["pushesSuperseded"] += app.held is not None
            app.held = e["id"]

    def refreshInterval(self, app, interval):
        """5.9"""
        if interval == "never":
            app.interval = None
            return
        if app.interval is None:
            app.last_refresh = self.present
        least = self.policy.minimum_interval
        app.interval = least if interval == "minimum" else max(least, nanoseconds(interval))

    def refreshStatus(self, app, status):
        for each in self.apps.values() if app is None else [app]:
            each.status = status

    def complication(self, app, active):
        app.complication = active

    def entitlement(self, app, granted):
        app.entitled = granted

    def finish(self):
        """7: the wakes, and what was counted."""
        for app in self.apps.values():
            self.counts["pushesHeldAtEnd"] += app.held is not None
            self.counts["pendingAtEnd"] += sum(s.pending for s in app.subscriptions.values())
        stopped = [app.name for app in self.apps.values() if app.stopped]
        return self.log + [{"summary": {**self.counts, "stoppedApps": stopped}}]


# The fields that an input's function takes, and the inputs of which it takes all.
FIELDS = {"enable": ["type", "frequency"], "disable": ["type"], "stop": ["query"], "refreshInterval": ["interval"],
          "refreshStatus": ["status"], "complication": ["active"], "entitlement": ["granted"]}
WHOLE = {"execute", "complete", "push"}


def matches(predicate, e):
    """Rules, 2: whether a sample matches a predicate."""
    def given(key):
        return predicate.get(key) is not None
    start = e["start"] if e.get("start") is not None else e["t"]
    end = e["end"] if e.get("end") is not None else start
    value = e.get("value")
    return not (
        given("source") and predicate["source"] != e["source"]
        or given("start") and (start if predicate.get("strictStart") else end) < predicate["start"]
        or given("end") and (end > predicate["end"] if predicate.get("strictEnd") else start >= predicate["end"])
        or (given("min") or given("max")) and value is None
        or given("min") and value < predicate["min"] or given("max") and value > predicate["max"])


def main():
    policy = device = None
    for line in sys.stdin:
        event, answer = json.loads(line), []
        if event["k"] == "policy":
            policy = Policy(event["policy"])
        elif event["k"] == "begin":
            device = Device(policy, event.get("device", ""))
        elif event["k"] == "finish":
            answer = device.finish()
        else:
            device.take(event)
        for part in answer:
            sys.stdout.write(json.dumps(part) + "\n")
        sys.stdout.write("\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
