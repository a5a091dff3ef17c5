"""A network between client and service that loses, cuts and refuses."""

import http.client
import http.server
import threading


class Proxy:
    """Stands before the service, and does to every n-th request what a network does."""

    def __init__(self, url, faults):
        outer = self
        self.faults = iter(faults)
        self.seen = []
        target = url.removeprefix("http://")

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                length = int(self.headers.get("Content-Length", 0))
                body = self.rfile.read(length)
                outer.seen.append((self.command, self.path, body))
                fault = next(outer.faults, None)
                if fault == "lost before":
                    self.close_connection = True
                    return
                if isinstance(fault, int):
                    self.answer(fault, [("Retry-After", "0")], b"<html>not now</html>")
                    return
                connection = http.client.HTTPConnection(target)
                connection.request(self.command, self.path, body, dict(self.headers))
                answer = connection.getresponse()
                data = answer.read()
                connection.close()
                if fault == "lost after":
                    self.close_connection = True
                    return
                if fault == "cut short":
                    self.send_response(answer.status)
                    self.send_header("Content-Length", str(len(data) + 10))
                    self.end_headers()
                    self.wfile.write(data[:5])
                    self.close_connection = True
                    return
                kept = [("Content-Type", answer.headers.get("Content-Type", ""))]
                self.answer(answer.status, kept, data)

            def answer(self, status, headers, data):
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if status != 204:
                    self.wfile.write(data)

            do_GET = do_POST = do_DELETE = pass_on

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
