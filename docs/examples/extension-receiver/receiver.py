#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A receiver for custom authentication extensions: all four events, and the checks that a receiver owes its users.

It needs PyJWT with its cryptography (Debian: python3-jwt, python3-cryptography).

    receiver.py --authority http://127.0.0.1:8400/TENANT-ID --audience APPLICATION-ID
"""

import argparse
import collections
import http.server
import json
import ssl
import sys
import threading
import urllib.request

import jwt

# The app in whose name extensions are called. A token of any other app is a person's, and not for us.
CALLER = "99045fe1-7639-4a75-9d4a-577b6ca3810f"
BODY_LIMIT = 64 * 1024


class Tenant:
    """What the tenant publishes about itself: its issuer's name and its keys."""

    def __init__(self, authority, audience):
        with urllib.request.urlopen(authority + "/v2.0/.well-known/openid-configuration", timeout=10) as answer:
            description = json.load(answer)
        self.issuer = description["issuer"]
        self.audience = audience
        # Keeps the keys, and fetches them again for a token with a key that is new. The first call has no time for it.
        self.keys = jwt.PyJWKClient(description["jwks_uri"])
        self.keys.get_signing_keys()

    def check(self, token):
        """The claims of a token that the tenant made for us; raises jwt.PyJWTError for any other."""
        claims = jwt.decode(
            token, self.keys.get_signing_key_from_jwt(token).key, algorithms=["RS256"], issuer=self.issuer,
            audience=self.audience, options={"require": ["exp", "nbf", "iat", "iss", "aud", "azp", "tid", "jti"]})
        if claims["azp"] != CALLER:
            raise jwt.InvalidTokenError("the token is not from the caller of extensions")
        return claims


# --- What this receiver answers. Put your own rules here. -------------------------------------------------------------

def answer(kind, action, **members):
    data_type = "microsoft.graph.on" + kind + "ResponseData"
    return {"data": {"@odata.type": data_type, "actions": [{"@odata.type": "microsoft.graph." + action, **members}]}}


def token_issuance_start(data):
    """Adds claims to the token; an app or API takes those that its claims mapping names."""
    mail = data["authenticationContext"]["user"].get("mail", "")
    tier = "gold" if mail.endswith("@lofoten.example") else "standard"
    return answer("TokenIssuanceStart", "tokenIssuanceStart.provideClaimsForToken",
                  claims={"shopTier": tier, "shopRoles": ["buyer", "reviewer"]})


def attribute_collection_start(data):
    """Answers a question before it is asked, or turns a person away."""
    name = data["userSignUpInfo"]["identities"][0]["issuerAssignedId"]
    if name.endswith("@blocked.example"):
        return answer("AttributeCollectionStart", "attributeCollectionStart.showBlockPage",
                      title="No accounts here", message="Ask your employer for an account.")
    if name.endswith("@lofoten.example"):
        return answer("AttributeCollectionStart", "attributeCollectionStart.setPrefillValues",
                      inputs={"country": "Norway"})
    return answer("AttributeCollectionStart", "attributeCollectionStart.continueWithDefaultBehavior")


def attribute_collection_submit(data):
    """Checks what was given, or changes it."""
    attributes = data["userSignUpInfo"]["attributes"]
    city = attributes.get("city", {}).get("value", "")
    if city.lower() == "atlantis":
        return answer("AttributeCollectionSubmit", "attributeCollectionSubmit.showValidationError",
                      message="Please correct your answers.", attributeErrors={"city": "There is no such city."})
    if city != city.strip().title():
        return answer("AttributeCollectionSubmit", "attributeCollectionSubmit.modifyAttributeValues",
                      attributes={"city": city.strip().title()})
    return answer("AttributeCollectionSubmit", "attributeCollectionSubmit.continueWithDefaultBehavior")


def otp_send(data):
    """Delivers a code. This one prints it, where yours hands it to a mail service. Never write it to a log."""
    context = {name.lower(): value for name, value in data["otpContext"].items()}
    print("mail for {identifier}: your code is {onetimecode}".format(**context), flush=True)
    return answer("OtpSend", "OtpSend.continueWithDefaultBehavior")


EVENTS = {
    "microsoft.graph.authenticationEvent.tokenIssuanceStart": token_issuance_start,
    "microsoft.graph.authenticationEvent.attributeCollectionStart": attribute_collection_start,
    "microsoft.graph.authenticationEvent.attributeCollectionSubmit": attribute_collection_submit,
    "microsoft.graph.authenticationEvent.emailOtpSend": otp_send,
}


# --- The way in --------------------------------------------------------------------------------------------------------

class Answered:
    """The answers to the last requests by their ids: a request that comes twice must not send two mails."""

    def __init__(self, limit=1000):
        self.answers = collections.OrderedDict()
        self.limit = limit
        self.lock = threading.Lock()

    def get(self, request_id, make):
        # One at a time: the second attempt waits for the first, instead of overtaking it.
        with self.lock:
            if request_id not in self.answers:
                self.answers[request_id] = make()
                while len(self.answers) > self.limit:
                    self.answers.popitem(last=False)
            return self.answers[request_id]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    tenant = None
    answered = Answered()

    def do_POST(self):
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            length = -1
        if not 0 <= length <= BODY_LIMIT:
            self.close_connection = True
            return self.reply(413, {})
        body = self.rfile.read(length)
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        try:
            if scheme.lower() != "bearer":
                raise jwt.InvalidTokenError("there is no token")
            claims = self.tenant.check(token)
        except jwt.PyJWTError as error:
            print("refused:", type(error).__name__, file=sys.stderr, flush=True)
            return self.reply(401, {})
        except OSError:
            return self.reply(503, {})  # the tenant's keys cannot be fetched
        try:
            request = json.loads(body)
            data = request["data"]
            if data["tenantId"] != claims["tid"]:
                return self.reply(403, {})
            event = EVENTS[request["type"]]
            return self.reply(200, self.answered.get(claims["jti"], lambda: event(data)))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            return self.reply(400, {})

    def reply(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """Nothing: a log of requests is the place where secrets are found later."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--authority", required=True, help="the tenant's address: 'nativeauth tenant config get authority'")
    parser.add_argument("--audience", required=True, help="the application id at the end of the extension's resource_id")
    parser.add_argument("--listen", default="127.0.0.1:9099", help="HOST:PORT; port 0 picks one")
    parser.add_argument("--tls-cert", help="a certificate chain as PEM; without it, listen on this machine only")
    parser.add_argument("--tls-key", help="its key")
    options = parser.parse_args()
    host, _, port = options.listen.rpartition(":")
    Handler.tenant = Tenant(options.authority.rstrip("/"), options.audience)
    server = http.server.ThreadingHTTPServer((host, int(port)), Handler)
    scheme = "http"
    if options.tls_cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.tls_cert, options.tls_key)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        scheme = "https"
    print("listening at {}://{}:{}".format(scheme, host, server.server_address[1]), flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
