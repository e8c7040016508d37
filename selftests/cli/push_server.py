#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A server for profiles that fails in every way.

usage: push_server.py DIR [--cert FILE] [--script WORD,...]

Writes its port to DIR/port, a line of JSON for each request to DIR/requests, and the parts of forms to DIR/NR.PART.
WORDs say what happens to requests, one each; the last one stays:
  NNN        this status; NNN:S with Retry-After: S
  hang       no answer, until the client goes
  close      the connection ends without an answer
  early      the same before the request was read
  garbage    an answer that is not HTTP
  slow       200, and then a body that never ends, byte for byte
  huge       200, and then a body that never ends, as fast as it can
  cut        200, and then less of a body than was promised
  redirect   307 to the path /elsewhere; redirect:S with Retry-After: S
A file DIR/script replaces the words while the server runs.
"""
import argparse
import http.server
import json
import os
import re
import ssl
import sys
import threading
import time
import urllib.parse

lock = threading.Lock()
count = 0


def next_word(directory):
    """Returns the number of a request, and the word for it."""
    global count
    path = os.path.join(directory, "script")
    with lock:
        words = open(path, encoding="ascii").read().strip().split(",")
        if len(words) > 1:
            with open(path + ".new", "w", encoding="ascii") as f:
                f.write(",".join(words[1:]))
            os.rename(path + ".new", path)
        count += 1
        return count, words[0]


def parts_of(body, content_type):
    """Splits a form by its boundary: a list of headers and contents."""
    match = re.search(r'boundary="?([^";]+)"?', content_type or "")
    if not match:
        return []
    found = []
    for part in body.split(b"--" + match[1].encode())[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().strip().split("\r\n"))
        found.append((headers, content[:-2]))
    return found


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers as the script says."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        pass

    def record(self, number, word, body):
        """Notes a request that was read as a whole."""
        directory = self.server.directory
        url = urllib.parse.urlsplit(self.path)
        names = []
        for headers, content in parts_of(body, self.headers.get("Content-Type")):
            name = re.search(r'name="([^"]*)"', headers.get("Content-Disposition", ""))[1]
            names.append([name, headers.get("Content-Type"), len(content)])
            with open(os.path.join(directory, f"{number}.{name}"), "wb") as f:
                f.write(content)
        line = {"number": number, "word": word, "method": self.command, "path": url.path,
                "query": dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True)),
                "headers": {k.lower(): v for k, v in self.headers.items()}, "parts": names}
        with lock, open(os.path.join(directory, "requests"), "a", encoding="utf-8") as f:
            f.write(json.dumps(line) + "\n")

    def endless(self, piece, pause):
        """A body that lasts until the client goes."""
        self.send_response(200)
        self.send_header("Content-Length", str(1 << 40))
        self.end_headers()
        try:
            while True:
                self.wfile.write(piece)
                time.sleep(pause)
        except OSError:
            pass

    def answer(self, word):
        """Does what a word says with a request that was read."""
        self.close_connection = word in ("hang", "close", "garbage", "slow", "huge", "cut")
        if word == "hang":
            self.rfile.read(1)
        elif word == "garbage":
            self.wfile.write(b"\0\1\2\3 not HTTP\r\n\r\n")
        elif word in ("slow", "huge"):
            self.endless(b"x" * (1 if word == "slow" else 65536), 0.05 if word == "slow" else 0)
        elif word == "cut":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"short")
        elif word != "close":
            self.status(word)

    def status(self, word):
        """A plain answer."""
        status, _, after = word.partition(":")
        redirect = status == "redirect"
        body = b"" if status in ("200", "204") else f"because of {word}\x1b[31m\n".encode()
        self.send_response(307 if redirect else int(status))
        if redirect:
            self.send_header("Location", "/elsewhere")
        if after:
            self.send_header("Retry-After", after)
        if status != "204":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):  # pylint: disable=invalid-name
        """Any request that acrctl makes."""
        number, word = next_word(self.server.directory)
        if word == "early":
            self.close_connection = True
            return
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        if len(body) < length:
            return
        self.record(number, word, body)
        self.answer(word)


class Server(http.server.ThreadingHTTPServer):
    """Does not print what clients do to it."""

    directory = ""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def main():
    """Serves until it is killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--cert")
    parser.add_argument("--script", default="200")
    args = parser.parse_args()
    with open(os.path.join(args.directory, "script"), "w", encoding="ascii") as f:
        f.write(args.script)
    server = Server(("127.0.0.1", 0), Handler)
    server.directory = args.directory
    if args.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(args.cert)
        # handshakes in the threads of connections, since a client may break one off
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    with open(os.path.join(args.directory, "port.new"), "w", encoding="ascii") as f:
        f.write(str(server.server_port))
    os.rename(os.path.join(args.directory, "port.new"), os.path.join(args.directory, "port"))
    server.serve_forever()


main()
