#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A debuginfod server that fails in every way.

usage: debuginfod_server.py DIR

Serves DIR/HEX/debuginfo and DIR/HEX/executable as /buildid/HEX/..., and 404 for what is not there.
Writes its port to DIR/port, and the path of each request to DIR/requests.
The word in DIR/mode says what happens to a file that is there:
  serve      it is sent
  slow       the same, half of a program after four seconds
  NNN        this status
  hang       no answer, until the client goes
  close      the connection ends without an answer
  cut        less of it than was promised
  other      the file DIR/other in its place
  garbage    bytes that are no ELF file
"""
import http.server
import os
import sys
import threading
import time

lock = threading.Lock()
directory = sys.argv[1]


class Handler(http.server.BaseHTTPRequestHandler):
    """One request."""

    def do_GET(self):
        """Sends a file, or fails as the mode says."""
        with lock, open(os.path.join(directory, "requests"), "a", encoding="ascii") as f:
            f.write(self.path + "\n")
        mode = open(os.path.join(directory, "mode"), encoding="ascii").read().strip()
        parts = self.path.split("/")
        path = os.path.join(directory, *parts[2:4])
        if mode == "hang":
            self.connection.recv(1)
        elif mode == "close":
            self.close_connection = True
        elif mode.isdigit():
            self.send_error(int(mode))
        elif parts[1] != "buildid" or not os.path.isfile(path):
            self.send_error(404)
        else:
            self.send(path, mode)

    def send(self, path, mode):
        """Sends a file, or what the mode makes of it."""
        if mode == "other":
            path = os.path.join(directory, "other")
        body = open(path, "rb").read() if mode != "garbage" else b"garbage"
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if mode != "serve":
            self.wfile.write(body[:len(body) // 2])
            self.wfile.flush()
        if mode == "slow" and path.endswith("executable"):
            time.sleep(4)
        if mode != "cut":
            self.wfile.write(body[len(body) // 2 if mode != "serve" else 0:])

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        """Says nothing."""


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
with open(os.path.join(directory, "port.new"), "w", encoding="ascii") as out:
    out.write(str(server.server_port))
os.rename(os.path.join(directory, "port.new"), os.path.join(directory, "port"))
server.serve_forever()
