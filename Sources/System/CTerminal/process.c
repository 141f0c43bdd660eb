// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CTerminal.h"

/* Whoever shares the descriptor may have made it non-blocking: O_NONBLOCK belongs to the open file, open(2). */
static bool wait_for(int descriptor, short event)
{
    struct pollfd entry = {.fd = descriptor, .events = event};
    return poll(&entry, 1, -1) >= 0 || errno == EINTR;
}

ssize_t na_read_some(int descriptor, void *bytes, size_t capacity)
{
    for (;;) {
        ssize_t count = read(descriptor, bytes, capacity);
        if (count >= 0 || (errno != EINTR && errno != EAGAIN))
            return count;
        if (errno == EAGAIN && !wait_for(descriptor, POLLIN))
            return -1;
    }
}

int na_write_all(int descriptor, const void *bytes, size_t length)
{
    const uint8_t *rest = bytes;
    while (length > 0) {
        ssize_t written = write(descriptor, rest, length);
        if (written < 0 && (errno == EINTR || (errno == EAGAIN && wait_for(descriptor, POLLOUT))))
            continue;
        if (written < 0)
            return errno;
        rest += written;
        length -= (size_t)written;
    }
    return 0;
}

int na_columns(int terminal)
{
    struct winsize size;
    return ioctl(terminal, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int na_share_heap(void) { return mallopt(M_ARENA_MAX, 2); }

int na_wipe_freed_memory(void) { return mallopt(M_PERTURB, 0xA5); }

int na_forbid_dumps(void)
{
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno;
}

int na_disable_core_dumps(void)
{
    struct rlimit none;
    if (getrlimit(RLIMIT_CORE, &none) != 0)
        return errno;
    none.rlim_cur = 0;
    if (setrlimit(RLIMIT_CORE, &none) != 0)
        return errno;
    /* The limit alone does not hold for a core_pattern that is a pipe: core(5). */
    return na_forbid_dumps();
}
