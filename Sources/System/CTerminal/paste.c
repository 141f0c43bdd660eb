// SPDX-License-Identifier: Apache-2.0
#include "paste.h"

#include <string.h>

static const char begins[] = "\033[200~";
static const char ends[] = "\033[201~";

void na_paste_interrupt(na_paste *paste)
{
    explicit_bzero(paste->recent, sizeof paste->recent);
}

na_paste_mark na_paste_follow(na_paste *paste, uint8_t byte)
{
    memmove(paste->recent, paste->recent + 1, NA_PASTE_MARKER - 1);
    paste->recent[NA_PASTE_MARKER - 1] = (char)byte;
    bool is_start = memcmp(paste->recent, begins, NA_PASTE_MARKER) == 0;
    if (!is_start && !(paste->is_open && memcmp(paste->recent, ends, NA_PASTE_MARKER) == 0))
        return NA_PASTE_NOTHING;
    na_paste_interrupt(paste);
    paste->is_open = is_start;
    return is_start ? NA_PASTE_BEGINS : NA_PASTE_ENDS;
}
