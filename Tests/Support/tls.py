# SPDX-License-Identifier: Apache-2.0
"""Servers with good and bad certificates, and a proxy that wants a password, all on loopback.

usage: tls.py FOLDER    writes FOLDER/ca.pem, prints one line "ready PROXY_PORT", and serves until it is ended

The proxy takes CONNECT for the names of the certificates and leads to the server that has the one of that name.
"""
import base64
import datetime
import os
import socketserver
import ssl
import sys
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

folder = sys.argv[1]
now = datetime.datetime.utcnow()
day = datetime.timedelta(days=1)


def name(text):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def certificate(subject, host, issuer, issuer_key, key, begin, end, is_ca=False):
    builder = (
        x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(begin).not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True))
    if host:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def pem(value):
    return value.public_bytes(serialization.Encoding.PEM)


authority_key = ec.generate_private_key(ec.SECP256R1())
authority = certificate("Test CA", None, "Test CA", authority_key, authority_key, now - day, now + day, is_ca=True)
with open(os.path.join(folder, "ca.pem"), "wb") as file:
    file.write(pem(authority))


class Answer(socketserver.StreamRequestHandler):
    def handle(self):
        while self.rfile.readline() not in (b"\r\n", b""):
            pass
        date = datetime.datetime.utcnow().strftime("%a, %d %b %Y %H:%M:%S GMT")
        self.wfile.write(f"HTTP/1.1 200 OK\r\nDate: {date}\r\nContent-Length: 2\r\n\r\n{{}}".encode())


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    context = None

    def finish_request(self, request, address):
        try:
            if self.context:
                request = self.context.wrap_socket(request, server_side=True)
            super().finish_request(request, address)
        except OSError:
            pass  # a client that does not trust the certificate goes away


def serve(handler, context=None):
    server = Server(("127.0.0.1", 0), handler)
    server.context = context
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def secure(host, begin, end):
    key = ec.generate_private_key(ec.SECP256R1())
    path = os.path.join(folder, host + ".pem")
    with open(path, "wb") as file:
        file.write(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        file.write(pem(certificate(host, host, "Test CA", authority_key, key, begin, end)))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return serve(Answer, context)


good = secure("good.test", now - day, now + day)
ports = {"good.test": good, "expired.test": secure("expired.test", now - 3 * day, now - day), "other.test": good}
password = base64.b64encode(b"ada:secret")


class Proxy(socketserver.StreamRequestHandler):
    def handle(self):
        import socket
        words = self.rfile.readline().split()
        lines = list(iter(self.rfile.readline, b"\r\n"))
        if not any(line.lower().startswith(b"proxy-authorization:") and password in line for line in lines):
            self.wfile.write(b"HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n")
            return
        host = words[1].split(b":")[0].decode()
        with socket.create_connection(("127.0.0.1", ports[host])) as there:
            self.wfile.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            threading.Thread(target=copy, args=(there, self.connection), daemon=True).start()
            copy(self.connection, there)


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass


print("ready", serve(Proxy), flush=True)
threading.Event().wait()
