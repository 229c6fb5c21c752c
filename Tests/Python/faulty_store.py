"""S3 on loopback, by moto, in which every third read of a trace fails: by an error 500, or by a connection that is cut."""
import os
import threading
from collections import defaultdict


class FaultyStore:
    """A server with the bucket `fleet` of some traces, as a context; `faults` counts reads and what failed of them."""

    def __init__(self, paths, faulty=True):
        from moto.server import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import WSGIRequestHandler, make_server

        self.paths, self.faulty, self.faults, self._armed = paths, faulty, defaultdict(int), threading.Event()
        self._application = DomainDispatcherApplication(create_backend_app)
        quiet = type("Quiet", (WSGIRequestHandler,), {"log": lambda *_: None})
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True, request_handler=quiet)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.options = {"key": "a", "secret": "b", "endpoint_url": f"http://127.0.0.1:{self._server.server_port}"}

    def _answer(self, environ, start_response):
        is_read = environ["REQUEST_METHOD"] == "GET" and environ["PATH_INFO"].endswith(".wtrace")
        if not (self._armed.is_set() and is_read):
            return self._application(environ, start_response)
        self.faults["reads"] += 1
        turn = self.faults["reads"] % 6
        if turn == 1:
            self.faults["500"] += 1
            start_response("500 Internal Server Error", [("Content-Type", "application/xml")])
            return [b"<Error><Code>InternalError</Code><Message>try again</Message></Error>"]
        if turn == 4:
            self.faults["cut"] += 1
            whole = b"".join(self._application(environ, start_response))
            return [whole[:len(whole) // 2]]
        return self._application(environ, start_response)

    def __enter__(self):
        import boto3
        self._thread.start()
        self._store = boto3.client("s3", endpoint_url=self.options["endpoint_url"], aws_access_key_id="a",
                                   aws_secret_access_key="b", region_name="us-east-1")
        self._store.create_bucket(Bucket="fleet")
        for path in self.paths:
            self.put(path)
        if self.faulty:
            self._armed.set()
        return self

    def put(self, path, key=None):
        with open(path, "rb") as file:
            self._store.put_object(Bucket="fleet", Key=key or os.path.basename(path), Body=file.read())

    def damage(self, key):
        """Puts as many zeros in the place of a trace."""
        size = self._store.list_objects(Bucket="fleet", Prefix=key)["Contents"][0]["Size"]
        self._store.put_object(Bucket="fleet", Key=key, Body=bytes(size))

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
