# SPDX-License-Identifier: Apache-2.0
"""A service manager of a few lines: hands over a listening socket, and hears what the service says of itself.

Usage: service.py FOLDER PROGRAM [ARGUMENT ...]
It starts the program twice on the same socket, asks it something, tells it to stop, and prints what it saw as JSON.
"""
import json
import os
import signal
import socket
import sys
import urllib.request

folder, command = sys.argv[1], sys.argv[2:]
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(16)
port = listener.getsockname()[1]
abstract = "\0nativeauth-test-%d" % os.getpid()


def start(notify):
    child = os.fork()
    if child:
        return child
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    environment = dict(os.environ, LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", NOTIFY_SOCKET=notify)
    os.execve(command[0], command, environment)


def hear(ear):
    return ear.recv(4096).decode().splitlines()


def life(address, name):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.settimeout(60)
        ear.bind(address)
        child = start(name)
        said = [hear(ear)]
        # While it is not there, whoever calls waits in the queue of the socket.
        answer = urllib.request.urlopen("http://127.0.0.1:%d/readyz" % port, timeout=60).read().decode()
        variables = open("/proc/%d/environ" % child).read().split("\0")
        os.kill(child, signal.SIGTERM)
        said.append(hear(ear))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return {"said": said, "answer": answer, "status": status, "variables": len(variables)}


lives = [life(folder + "/notify", folder + "/notify"), life(abstract, "@" + abstract[1:])]
print(json.dumps({"port": port, "lives": lives}))
