# SPDX-License-Identifier: Apache-2.0
"""The tenant as a service of a system that is booted."""
from system import expect

SOCKET = "nativeauth-tenant.socket"
SERVICE = "nativeauth-tenant.service"
ADDRESS = "http://127.0.0.1:8400"
# As the owner of the machine acts for the service's user.
TENANT = "runuser -u nativeauth -- env XDG_DATA_HOME=/var/lib nativeauth-tenant"
# The client id of the sample app with passwords: docs/tenant.md.
APP = "5a3d1e00-0000-4000-8000-000000000001"


class Service:
    def __init__(self, system):
        self.system = system

    def is_off(self):
        for unit in (SOCKET, SERVICE):
            for question, answer in (("is-enabled", "disabled"), ("is-active", "inactive")):
                said = self.system.run(f"systemctl {question} {unit} || true")
                expect(said == answer, f"After the installation, {unit} is {said}.")
        expect(not self.listening(), "After the installation, something listens at port 8400.")

    def verifies(self):
        said = self.system.run(f"systemd-analyze verify {SERVICE} {SOCKET} 2>&1")
        expect(said == "", f"systemd finds fault with the units:\n{said}")

    def starts(self):
        self.system.run(f"systemctl enable --now {SOCKET}")
        expect(self.listening() == ["127.0.0.1"], f"The socket is open at {self.listening()}.")
        self.answers()
        owner = self.system.run(f"stat --format %U:%a /proc/$(systemctl show -P MainPID {SERVICE}) /var/lib/nativeauth")
        expect(owner.split() == ["nativeauth:555", "nativeauth:700"], f"The process and its folder are {owner}.")
        expect(self.listening() == ["127.0.0.1"], f"The service listens at {self.listening()}.")

    def answers(self):
        place = f"{ADDRESS}/local/v2.0/.well-known/openid-configuration"
        said = self.system.run(f"curl --silent --show-error --fail {place}")
        expect(f'"issuer":"{ADDRESS}' in said.replace("\\/", "/"), f"The discovery document is {said}.")

    def signs_up(self, address):
        authority = self.system.run(f"{TENANT} config get authority")
        self.system.run(
            "umask 077; echo Correct-horse-7-battery >password; "
            f"NATIVEAUTH_AUTHORITY={authority} NATIVEAUTH_CLIENT_ID={APP} nativeauth signup --username {address} "
            f"--password-file password --attribute country=Norway --otp-command '{TENANT} inbox --code --to {address}'")
        self.has(address)

    def has(self, address):
        expect(address in self.system.run(f"{TENANT} user list"), f"The tenant does not have {address}.")

    def reloads(self):
        before = self.state(SERVICE)
        self.system.run(f"systemctl reload {SERVICE}")
        self.answers()
        expect(self.state(SERVICE) == before, "It is another process after it was told to reload.")

    def goes_on_through(self, upgrade):
        """The server is another one afterwards, and the socket the same."""
        before = self.state(SERVICE), self.state(SOCKET)
        upgrade()
        after = self.state(SERVICE), self.state(SOCKET)
        expect(before[0] != after[0], "The upgrade does not start the server again.")
        expect(before[1] == after[1], "The upgrade closes the socket.")
        self.answers()

    def state(self, unit):
        said = self.system.run(f"systemctl is-active {unit}; systemctl show -P InvocationID {unit}")
        expect(said.startswith("active\n"), f"{unit} is {said}.")
        return said

    def is_gone(self):
        expect(not self.listening(), "Without its package, something listens at port 8400.")
        self.system.fails(f"systemctl cat {SERVICE}")
        processes = self.system.run("find /proc -maxdepth 1 -user nativeauth")
        expect(not processes, f"The service's user still runs {processes}.")
        for program in ("nativeauth", "nativeauth-tenant", "git-credential-nativeauth", "docker-credential-nativeauth"):
            self.system.fails(f"command -v {program}")
        left = self.system.run("find /usr /lib/systemd /etc -name '*nativeauth*' ! -path '*.wants/*'")
        expect(not left, f"The packages leave behind:\n{left}")

    def listening(self):
        """The addresses at which TCP port 8400 is open, of both versions of IP."""
        rows = self.system.run("cat /proc/net/tcp /proc/net/tcp6").splitlines()
        places = [row.split()[1] for row in rows if row.split()[3] == "0A" and row.split()[1].endswith(":20D0")]
        return ["127.0.0.1" if place == "0100007F:20D0" else place for place in places]
