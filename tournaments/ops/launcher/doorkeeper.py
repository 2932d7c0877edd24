"""`python3 -m tournaments.ops.launcher.doorkeeper PORT`: says that the site is starting, until the web server answers.

The web server opens the same port beside it (SO_REUSEPORT), and the kernel shares connections between the two.
"""

import socket
import sys
import time
from contextlib import closing, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

from tournaments.web.server.starting_page import STATUS, starting_answer

HOST = "127.0.0.1"
LOOK = 0.1  # seconds between two looks for the web server
LONGEST = 65536  # bytes of a request's line or head


class Handler(StreamRequestHandler):
    timeout = 2.0  # seconds for a request's head

    def handle(self) -> None:
        with suppress(OSError):
            method, path = [*self.rfile.readline(LONGEST).decode("latin-1").split(" "), "", ""][:2]
            for _ in range(100):
                if not self.rfile.readline(LONGEST).strip():
                    break
            headers, body = starting_answer(path)
            lines = [f"HTTP/1.1 {STATUS} Service Unavailable", "connection: close"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            self.wfile.write("\r\n".join([*lines, "", ""]).encode() + (b"" if method == "HEAD" else body))
            self.request.shutdown(socket.SHUT_WR)
            self.request.recv(LONGEST)  # a body that nobody reads would reset the connection


class Doorkeeper(ThreadingTCPServer):
    allow_reuse_address = allow_reuse_port = True
    request_queue_size = 128

    def answer_the_rest(self) -> None:
        """Answer those who have connected to us until now: closing the port would reset their connections."""
        self.socket.settimeout(0)
        with suppress(BlockingIOError):
            while True:
                self.process_request(*self.get_request())


def keep_door(port: int) -> None:
    """Answer until the web server does."""
    with Doorkeeper((HOST, port), Handler) as server:
        answering = Thread(target=server.serve_forever, args=(LOOK,))
        answering.start()
        while not web_server_answers(port):
            time.sleep(LOOK)
        server.shutdown()
        answering.join()
        server.answer_the_rest()


def web_server_answers(port: int) -> bool:
    """Whether one answers /healthz; we answer it with 503, so it may take some looks."""
    with suppress(OSError, HTTPException), closing(HTTPConnection(HOST, port, timeout=1)) as connection:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == HTTPStatus.OK
    return False


if __name__ == "__main__":
    keep_door(int(sys.argv[1]))
