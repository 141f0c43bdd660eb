# SPDX-License-Identifier: Apache-2.0
"""Glewlwyd, an OpenID provider by other people: on loopback, with one app without a secret, and one user.

usage: glewlwyd.py FOLDER [SESSIONS]    prints one line "ready ISSUER REDIRECT", then the refresh tokens of so many sessions, a
                                        line each, and serves until it is ended

The app is "terminal"; its codes are brought to REDIRECT alone. The user is "ada", who has agreed to what the app may do; the
password is the first line of the standard input.
"""
import base64
import ctypes
import hashlib
import http.cookiejar
import json
import os
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

folder = sys.argv[1]
package = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.build/glewlwyd/usr")
password = sys.stdin.readline().rstrip("\r\n")
scopes = "openid profile email offline_access"


def free_ports(count):
    """Ports that nobody gets by chance: those for outgoing connections are higher."""
    ears, port = [], 10000 + os.getpid() * 7 % 20000
    while len(ears) < count:
        ear = socket.socket()
        try:
            ear.bind(("127.0.0.1", port))
            ears.append(ear)
        except OSError:
            ear.close()
        port += 1
    ports = [ear.getsockname()[1] for ear in ears]
    for ear in ears:
        ear.close()
    return ports


def prepare(port):
    """Its database, its key, its pages, its settings."""
    with open(package + "/share/dbconfig-common/data/glewlwyd/install/sqlite3") as schema:
        sqlite3.connect(folder + "/db").executescript(schema.read())
    run = {"check": True, "stderr": subprocess.DEVNULL}
    subprocess.run(["openssl", "genrsa", "-out", folder + "/key.pem", "2048"], **run)
    subprocess.run(["openssl", "rsa", "-in", folder + "/key.pem", "-pubout", "-out", folder + "/cert.pem"], **run)
    shutil.copytree("/usr/share/glewlwyd/webapp", folder + "/web")
    # Debian's package has a folder where the pages want a file.
    if os.path.isdir(folder + "/web/config.json"):
        os.rename(folder + "/web/config.json", folder + "/web/settings")
        shutil.copy(folder + "/web/settings/config.json", folder + "/web/config.json")
    kinds = {".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".json": "application/json"}
    kinds["*"] = "application/octet-stream"
    types = ", ".join('{extension = "%s", mime_type = "%s", compress = 0}' % kind for kind in kinds.items())
    with open(folder + "/conf", "w") as conf:
        conf.write(f'''
port = {port}
bind_address = "127.0.0.1"
external_url = "http://127.0.0.1:{port}"
api_prefix = "api"
static_files_path = "{folder}/web"
static_files_mime_types = ({types})
cookie_domain = "127.0.0.1"
cookie_secure = 0
session_expiration = 86400
session_key = "session"
admin_scope = "g_admin"
profile_scope = "g_profile"
log_mode = "console"
log_level = "INFO"
user_module_path = "{package}/lib/glewlwyd/user"
client_module_path = "{package}/lib/glewlwyd/client"
user_auth_scheme_module_path = "{package}/lib/glewlwyd/scheme"
plugin_module_path = "{package}/lib/glewlwyd/plugin"
hash_algorithm = "SHA256"
database = {{ type = "sqlite3"; path = "{folder}/db"; }};
''')


def start(port):
    """The server, which ends with this script, whatever happens to that; it answers when this returns."""
    def die_with_parent():
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)

    server = subprocess.Popen(
        [package + "/bin/glewlwyd", "--config-file=" + folder + "/conf"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, preexec_fn=die_with_parent)
    said = ""
    for line in server.stdout:
        said += line
        # It says so a little before it listens.
        if "Glewlwyd started on port" in line and answers(port):
            return server
    sys.exit(said)


def answers(port):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 5).close()
            return True
        except ConnectionRefusedError:
            time.sleep(0.02)
    return False


class Stay(urllib.request.HTTPRedirectHandler):
    """Keeps a redirect for the one who asked."""

    def redirect_request(self, *_):
        return None


class Person:
    """Somebody who is signed in at the provider itself."""

    def __init__(self, base, name, secret):
        self.base = base
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
            Stay())
        self("POST", "/auth/", {"username": name, "password": secret})

    def __call__(self, method, path, value):
        request = urllib.request.Request(
            self.base + path, json.dumps(value).encode(), {"Content-Type": "application/json"}, method=method)
        self.opener.open(request, timeout=60).close()


def read(name):
    with open(folder + "/" + name) as file:
        return file.read()


def provider(issuer):
    kinds = {"code": True, "device": True, "refresh": True}
    for other in ["token", "none", "password", "client"]:
        kinds[other] = False
    return {
        **{f"auth-type-{kind}-enabled": value for kind, value in kinds.items()},
        "iss": issuer, "jwt-type": "rsa", "jwt-key-size": "256", "key": read("key.pem"), "cert": read("cert.pem"),
        "access-token-duration": 3600, "refresh-token-duration": 86400, "code-duration": 60,
        "refresh-token-rolling": True, "refresh-token-one-use": "always", "subject-type": "public",
        "allowed-scope": scopes.split(), "pkce-allowed": True, "pkce-required": True, "pkce-method-plain-allowed": False,
        "jwks-show": True, "oauth-as-iss-id": True, "device-authorization-expiration": 600,
        "device-authorization-interval": 1, "introspection-revocation-allowed": True,
        "introspection-revocation-allow-target-client": True, "name-claim": "mandatory", "email-claim": "mandatory",
        "scope-claim": "no", "additional-parameters": [], "claims": [],
    }


def furnish(base, issuer, redirect):
    """By the API of the administrators; the database comes with one."""
    admin = Person(base, "admin", "password")
    admin("POST", "/mod/plugin/", {
        "module": "oidc", "name": "oidc", "display_name": "OpenID", "enabled": True, "parameters": provider(issuer)})
    for scope in scopes.split()[1:]:
        admin("POST", "/scope/", {
            "name": scope, "display_name": scope, "description": scope, "password_required": True,
            "password_max_age": 0})
    admin("POST", "/user/", {
        "username": "ada", "name": "Ada Lovelace", "email": "ada@elsewhere.example", "password": password,
        "enabled": True, "scope": scopes.split()})
    admin("POST", "/client/", {
        "client_id": "terminal", "name": "Terminal", "confidential": False, "enabled": True,
        "redirect_uri": [redirect], "authorization_type": ["code", "refresh_token", "device_authorization"],
        "scope": []})
    Person(base, "ada", password)("PUT", "/auth/grant/terminal", {"scope": scopes})


def refresh_token(ada, issuer, redirect):
    """A session of ada's, by a code (RFC 6749, section 4.1) with a proof (RFC 7636)."""
    verifier = secrets.token_urlsafe(48)
    proof = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    shared = {"client_id": "terminal", "redirect_uri": redirect}
    question = {
        **shared, "response_type": "code", "scope": scopes, "state": "s", "nonce": "n", "code_challenge": proof,
        "code_challenge_method": "S256", "g_continue": ""}
    try:
        ada.opener.open(issuer + "/auth?" + urllib.parse.urlencode(question), timeout=60)
        sys.exit("the provider asks on")
    except urllib.error.HTTPError as answer:
        place = urllib.parse.urlparse(answer.headers["Location"])
    code = urllib.parse.parse_qs(place.query)["code"][0]
    form = {**shared, "grant_type": "authorization_code", "code": code, "code_verifier": verifier}
    with ada.opener.open(issuer + "/token", urllib.parse.urlencode(form).encode(), timeout=60) as answer:
        return json.load(answer)["refresh_token"]


port, redirect_port = free_ports(2)
base = f"http://127.0.0.1:{port}/api"
redirect = f"http://127.0.0.1:{redirect_port}/signed-in"
prepare(port)
server = start(port)
furnish(base, base + "/oidc", redirect)
print("ready", base + "/oidc", redirect, flush=True)
for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 0):
    print(refresh_token(Person(base, "ada", password), base + "/oidc", redirect), flush=True)
for _ in server.stdout:
    pass
