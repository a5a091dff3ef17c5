"""The service as a process of its own, for the tests of what talks to it."""

import signal
import subprocess


class Server:
    """`gbandit serve` on a free port; the same one again after it was killed."""

    def __init__(self, gbandit, store="memory:", *more, listen="127.0.0.1:0"):
        self.command = [gbandit, "serve", "--store", store, "--log", "warn", *more]
        self.process = None
        self.start(listen)

    def start(self, listen=None):
        listen = listen or self.url.removeprefix("http://")
        self.process = subprocess.Popen(
            [*self.command, "--listen", listen], stdout=subprocess.PIPE, text=True
        )
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), line
        self.url = line.removeprefix("listening on ").strip()

    def kill(self):
        """SIGKILL: no time to finish anything."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


def tokens(gbandit, file, *scopes):
    """Writes tokens of these scopes into a file, and gives them back by scope."""
    made = {}
    with file.open("w") as lines:
        for scope in scopes:
            shown = subprocess.run(
                [gbandit, "token", scope, "--scope", scope],
                check=True,
                capture_output=True,
                text=True,
            )
            lines.write(shown.stdout)
            made[scope] = shown.stderr.split()[-1]
    return made
