# SPDX-License-Identifier: Apache-2.0
"""A Debian system in a folder, with a network, processes and users of its own; it can be booted."""
import os
import pathlib
import signal
import socket
import subprocess

NAME = f"nativeauth-{os.getpid()}"
CONTAINER = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", f"--machine={NAME}"]
# What it makes for every container, and leaves where /run is on a disk.
LEFT_BEHIND = pathlib.Path("/run/systemd/nspawn/propagate", NAME)
# What changes in any system that is used.
RESTLESS = ("/dev", "/proc", "/run", "/sys", "/tmp", "/root", "/home", "/var/cache", "/var/log", "/var/tmp",
            "/var/lib/apt", "/var/lib/dpkg", "/etc/machine-id", "/var/lib/dbus/machine-id")


class Failure(Exception):
    """What does not hold, in a sentence."""


def expect(holds, sentence):
    if not holds:
        raise Failure(sentence)


class System:
    def __init__(self, archive, folder):
        self.root = pathlib.Path(folder)
        self.root.mkdir()
        self.process = self.leader = None
        subprocess.run(["tar", "--extract", "--file", archive, "--directory", folder, "--numeric-owner"], check=True)

    def run(self, command, user="root", succeeds=True):
        """What a command of bash prints; it runs as a user who has logged in."""
        words = ["runuser", "--login", user, "--command", command]
        outcome = subprocess.run(self._inside() + words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 timeout=300, check=False)
        expect((outcome.returncode == 0) == succeeds,
               f"As {user}, this ended with {outcome.returncode}: {command}\n{outcome.stdout}{outcome.stderr}")
        return outcome.stdout.strip()

    def fails(self, command, user="root"):
        return self.run(command, user, succeeds=False)

    def _inside(self):
        if self.leader:
            return ["nsenter", "--target", self.leader, "--all", "--root", "--wd=/"]
        return CONTAINER + ["--directory", str(self.root), "--pipe", "--as-pid2"]

    def boot(self):
        """Starts its systemd, without a network, and returns when that is ready."""
        place = str(self.root.parent / "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            notices.bind(place)
            notices.settimeout(120)
            words = CONTAINER + ["--directory", str(self.root), "--private-network", "--notify-ready=yes", "--boot"]
            with open(self.root.parent / "boot.log", "wb") as log:
                self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                env={**os.environ, "NOTIFY_SOCKET": place})
            leader = self._wait_until_ready(notices)
        self.leader = leader
        os.unlink(place)

    def _wait_until_ready(self, notices):
        leader = None
        while True:
            try:
                lines = notices.recv(4096).decode().split("\n")
            except TimeoutError:
                log = (self.root.parent / "boot.log").read_text(errors="replace")
                sentence = "The system does not boot; in a container, that needs --privileged."
                raise Failure(f"{sentence}\n{log}") from None
            leader = next((line.split("=")[1] for line in lines if line.startswith("X_NSPAWN_LEADER_PID=")), leader)
            if "READY=1" in lines and leader:
                return leader

    def power_off(self):
        os.kill(int(self.leader), signal.SIGRTMIN + 4)  # as systemctl poweroff asks for it
        self.process.wait(timeout=120)
        self.process = self.leader = None

    def close(self):
        """Ends it, whatever state it is in."""
        if self.process:
            self.process.kill()
            self.process.wait()
        if LEFT_BEHIND.is_dir():
            LEFT_BEHIND.rmdir()

    def files(self):
        """Every path that is there to stay, and what it is: a folder, a link's target, or a file's bytes in /etc."""
        found = {}
        for folder, folders, files in os.walk(self.root):
            inside = "/" + os.path.relpath(folder, self.root).removeprefix(".")
            folders[:] = [name for name in folders if os.path.join(inside, name) not in RESTLESS]
            for name in folders + files:
                path = os.path.join(inside, name)
                if path not in RESTLESS:
                    found[path] = self._content(pathlib.Path(folder, name), path)
        return found

    @staticmethod
    def _content(place, path):
        if place.is_symlink():
            return os.readlink(place)
        if place.is_dir():
            return "folder"
        return place.read_bytes() if path.startswith("/etc/") else "file"
