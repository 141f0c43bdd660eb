# SPDX-License-Identifier: Apache-2.0
"""A mail server, by aiosmtpd, that prints what it takes.

usage: relay.py FOLDER starttls|tls|plain [USER PASSWORD]

Writes FOLDER/ca.pem, prints "ready PORT", and then a JSON object for each mail. With a user it takes mail of nobody else;
except with "plain" it takes neither mail nor a password over a connection that is not encrypted.
"""
import asyncio
import email
import email.policy
import json
import sys

from aiosmtpd.smtp import SMTP, AuthResult

import certificates

folder, kind = sys.argv[1:3]
login = tuple(word.encode() for word in sys.argv[3:5])


class Taker:
    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = list(mail.walk())
        body = mail.get_body(("plain",))
        html = mail.get_body(("html",))
        lines = envelope.content.split(b"\r\n")
        print(json.dumps({
            "sender": envelope.mail_from, "recipients": envelope.rcpt_tos, "options": envelope.mail_options,
            "encrypted": server.transport.get_extra_info("ssl_object") is not None, "user": (session.auth_data or b"").decode(),
            "from": str(mail["from"]), "to": str(mail["to"]), "subject": str(mail["subject"]),
            "date": str(mail["date"]), "id": str(mail["message-id"]), "auto": str(mail["auto-submitted"]),
            "types": [part.get_content_type() for part in parts],
            "text": body.get_content(), "html": html.get_content() if html else "",
            "defects": [str(defect) for part in parts for defect in part.defects],
            "longest": max(len(line) for line in lines),
            "bare": any(b"\r" in line or b"\n" in line for line in lines),
            "ascii": envelope.content.isascii(),
        }), flush=True)
        return "250 2.0.0 Taken"


def authenticator(server, session, envelope, mechanism, data):
    good = (data.login, data.password) == login
    return AuthResult(success=good, handled=False, auth_data=data.login)


options = {}
if login:
    options = dict(authenticator=authenticator, auth_required=True, auth_require_tls=kind != "plain")
context = certificates.Authority(folder).context() if kind != "plain" else None


if kind == "tls" and login:
    options["auth_require_tls"] = False  # TLS from the beginning is none that aiosmtpd knows of


def session():
    if kind == "starttls":
        return SMTP(Taker(), tls_context=context, require_starttls=True, **options)
    return SMTP(Taker(), **options)


async def serve():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(session, "127.0.0.1", 0, ssl=context if kind == "tls" else None)
    print("ready", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(serve())
