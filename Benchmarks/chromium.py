"""Headless Chromium, driven over the DevTools protocol, for `reports`."""
import base64, json, os, subprocess, sys, time

# Before the page's own scripts.
LISTEN = """var seen = [];
addEventListener("error", e => seen.push("error: " + e.message));
addEventListener("unhandledrejection", e => seen.push("rejection: " + e.reason));
addEventListener("securitypolicyviolation", e => seen.push("asks for " + e.blockedURI));"""


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED   {message}")


class Browser:
    """Chromium, spoken to through a pipe."""

    def __init__(self, program, folder):
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def place():
            # Through high numbers, as one may be another's goal.
            for goal, descriptor in ((3, os.dup2(to_browser, 103)), (4, os.dup2(from_browser, 104))):
                os.dup2(descriptor, goal)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={folder}/user", "about:blank"],
            preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.count, self.rest, self.session, self.events = 0, b"", None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=LISTEN)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                check("error" not in answer, f"{method}: {answer.get('error')}")
                return answer["result"]
            self.events.append(answer)

    def receive(self):
        while b"\0" not in self.rest:
            part = os.read(self.input, 1 << 20)
            check(part, "chromium has ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        check("exceptionDetails" not in result, f"{script[:80]}: {result.get('exceptionDetails')}")
        return result["result"].get("value")

    def wait(self, script, seconds=30):
        end = time.monotonic() + seconds
        while not self.evaluate(script):
            check(time.monotonic() < end, f"{script} does not come true; {self.evaluate('seen')}")
            time.sleep(0.02)

    def view(self, width, height, dark=False, phone=False, ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=phone)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        self.call("Page.navigate", url="file://" + path)
        self.wait("document.readyState === 'complete' && performance.getEntriesByName('picture').length > 0")

    def picture(self, path, whole=False, clip=None):
        time.sleep(0.3)
        more = {"clip": clip | {"scale": 1}} if clip else {}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **more)["data"]
        open(path, "wb").write(base64.b64decode(data))

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 and kind == "keyDown" else "")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def end(self):
        self.call("Browser.close")
        self.process.wait(20)
