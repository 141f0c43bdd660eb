// SPDX-License-Identifier: Apache-2.0
#include "CLocalSocket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

typedef int (*na_join)(int number, const struct sockaddr *address, socklen_t length);

/* An address holds 107 bytes and a home folder's path may be longer, so the folder is named by its descriptor. */
static int join(int number, const char *folder, const char *name, na_join act) {
    int directory = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return -1;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", directory, name);
    int result = -1;
    if (length < (int)sizeof address.sun_path)
        result = act(number, (const struct sockaddr *)&address, sizeof address);
    else
        errno = ENAMETOOLONG;
    int reason = errno;
    close(directory);
    errno = reason;
    return result;
}

/* Lets go of a descriptor that came to nothing, and keeps the reason. */
static int give_up(int number) {
    int reason = errno;
    close(number);
    errno = reason;
    return -1;
}

int na_local_connect(const char *folder, const char *name) {
    int number = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (number < 0) return -1;
    return join(number, folder, name, connect) == 0 ? number : give_up(number);
}

static int replace(int number, const struct sockaddr *address, socklen_t length) {
    const char *path = ((const struct sockaddr_un *)(const void *)address)->sun_path;
    if (unlink(path) != 0 && errno != ENOENT) return -1;
    return bind(number, address, length);
}

int na_local_listen(const char *folder, const char *name) {
    int number = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (number < 0) return -1;
    /* The mode of the name that bind makes. */
    if (fchmod(number, 0600) != 0 || join(number, folder, name, replace) != 0 || listen(number, 16) != 0)
        return give_up(number);
    return number;
}

int na_local_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}

int na_local_peer(int stream, uint32_t *user) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(stream, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    *user = credentials.uid;
    return 0;
}
