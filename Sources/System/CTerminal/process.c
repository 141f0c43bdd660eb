// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CTerminal.h"

int na_write_all(int descriptor, const void *bytes, size_t length)
{
    const uint8_t *rest = bytes;
    while (length > 0) {
        ssize_t written = write(descriptor, rest, length);
        if (written < 0 && errno == EINTR)
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
