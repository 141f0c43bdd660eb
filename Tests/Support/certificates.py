# SPDX-License-Identifier: Apache-2.0
"""A certificate authority of a test's own, and certificates of servers on this machine."""
import datetime
import ipaddress
import os
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

_now = datetime.datetime.utcnow()
_day = datetime.timedelta(days=1)


def _name(text):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def _certificate(subject, alternatives, issuer, issuer_key, key, is_ca=False):
    builder = (
        x509.CertificateBuilder().subject_name(_name(subject)).issuer_name(_name(issuer)).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(_now - _day).not_valid_after(_now + _day)
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True))
    if alternatives:
        builder = builder.add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def _pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


class Authority:
    """Writes FOLDER/NAME, which a client is told to trust."""

    def __init__(self, folder, name="ca.pem"):
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        with open(os.path.join(folder, name), "wb") as file:
            file.write(_pem(_certificate("Test CA", None, "Test CA", self.key, self.key, is_ca=True)))

    def context(self, path="server.pem"):
        """For a server at 127.0.0.1."""
        key = ec.generate_private_key(ec.SECP256R1())
        alternatives = [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        path = os.path.join(self.folder, path)
        with open(path, "wb") as file:
            file.write(key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
            file.write(_pem(_certificate("127.0.0.1", alternatives, "Test CA", self.key, key)))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context
