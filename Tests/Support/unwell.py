# SPDX-License-Identifier: Apache-2.0
"""A mail server that is unwell until it is told "well" on standard input.

usage: unwell.py FOLDER WAY

Writes FOLDER/ca.pem, prints "ready PORT", "fault" when its fault shows, "text ID" for each mail whose text came in whole, and
"taken ID CODE RECIPIENTS" for each mail that it has taken. The ways: see `Conversation`. After "hold" it keeps still at the
fault until the client is gone.
"""
import email
import email.policy
import socket
import ssl
import sys
import threading

import certificates

folder, way = sys.argv[1:3]
context = certificates.Authority(folder).context()
stranger = certificates.Authority(folder, "stranger.pem").context("stranger-server.pem")
well = threading.Event()
holding = threading.Event()


def say(*words):
    print(*words, flush=True)


class Gone(Exception):
    pass


class Conversation:
    def __init__(self, connection):
        self.connection = connection
        self.way = "well" if well.is_set() else way
        self.reader = connection.makefile("rb")
        self.recipients = []

    def answer(self, text):
        self.connection.sendall(text.encode() + b"\r\n")

    def fault(self):
        """Says that it shows, and keeps still if it is to."""
        say("fault")
        if holding.is_set():
            self.silence()

    def silence(self):
        """Until the client is gone: it says nothing more while it waits."""
        while self.reader.readline():
            pass
        raise Gone

    def line(self):
        line = self.reader.readline()
        if not line:
            raise Gone
        return line

    def run(self):
        if self.way == "busy":
            self.fault()
            return self.answer("421 4.3.2 Not now")
        if self.way == "drip":
            return self.drip()
        self.answer("220 unwell.test ESMTP")
        while True:
            command = self.line().strip()
            verb = command.split(b" ")[0].split(b":")[0].upper()
            if verb == b"QUIT":
                return self.answer("221 Bye")
            self.obey(verb, command)

    def drip(self):
        """A greeting that never ends, a byte now and then."""
        self.fault()
        while not well.wait(0.2):
            self.connection.sendall(b"2")

    def obey(self, verb, command):
        if verb == b"EHLO":
            offers = self.way != "plain" and not isinstance(self.connection, ssl.SSLSocket)
            if self.way == "plain":
                self.fault()
            self.answer("250-unwell.test\r\n250 STARTTLS" if offers else "250 unwell.test")
        elif verb == b"STARTTLS":
            self.encrypt()
        elif verb == b"RCPT":
            self.recipient(command)
        elif verb == b"DATA":
            self.answer("354 Go on")
            self.text()
        else:
            self.answer("250 OK")

    def encrypt(self):
        self.answer("220 Go on")
        if self.way == "stranger":
            self.fault()
        chosen = stranger if self.way == "stranger" else context
        self.connection = chosen.wrap_socket(self.connection, server_side=True)
        self.reader = self.connection.makefile("rb")

    def recipient(self, command):
        refusal = {"later": "451 4.7.1 Come again", "never": "550 5.1.1 No such person"}.get(self.way)
        if refusal:
            self.fault()
            return self.answer(refusal)
        self.recipients.append(command[8:].strip(b"<>: ").decode())
        self.answer("250 OK")

    def text(self):
        if self.way == "hang":
            self.fault()
            self.silence()
        lines = []
        while (line := self.line()) != b".\r\n":
            lines.append(line)
        mail = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        say("text", mail["message-id"])
        if self.way == "cut":
            self.fault()
            raise Gone
        code = next(word for word in mail.get_body(("plain",)).get_content().splitlines() if word.isdigit())
        self.answer("250 2.0.0 Taken")
        say("taken", mail["message-id"], code, ",".join(self.recipients))
        self.recipients = []


def serve(connection):
    try:
        with connection:
            Conversation(connection).run()
    except (Gone, OSError):
        pass


def accept(listener):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
# A port that nobody listens at refuses.
if way != "refuse":
    listener.listen()
    threading.Thread(target=accept, args=(listener,), daemon=True).start()
say("ready", listener.getsockname()[1])
for line in sys.stdin:
    if line.strip() == "hold":
        holding.set()
        say("holds")
    if line.strip() == "well":
        well.set()
        if way == "refuse":
            listener.listen()
            threading.Thread(target=accept, args=(listener,), daemon=True).start()
        say("healed")
threading.Event().wait()
