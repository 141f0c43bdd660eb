// SPDX-License-Identifier: Apache-2.0
/* What a type of terminal can do, by the machine's terminfo database. */
#include <curses.h>
#include <term.h>

#include "CTerminal.h"

/* The type that is current may be Readline's, so it is put back. */
int na_abilities(int terminal, const char *type)
{
    TERMINAL *before = cur_term;
    int error = 0, abilities = 0;
    if (setupterm(type, terminal, &error) != OK)
        return 0;
    const char *erase = tigetstr("el");
    if (erase != NULL && erase != (const char *)-1)
        abilities |= NA_ERASES;
    if (tigetnum("colors") >= 8)
        abilities |= NA_COLORS;
    del_curterm(set_curterm(before));
    return abilities;
}
