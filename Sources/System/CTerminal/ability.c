// SPDX-License-Identifier: Apache-2.0
/* What a type of terminal can do, by the machine's terminfo database. */
#include <curses.h>
#include <pthread.h>
#include <term.h>

#include "CTerminal.h"

/* The current type is one for the whole process: term(3X) knows no threads. */
static pthread_mutex_t current_type = PTHREAD_MUTEX_INITIALIZER;

/* The type that is current may be Readline's, so it is put back. */
static int abilities_of(int terminal, const char *type)
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

int na_abilities(int terminal, const char *type)
{
    pthread_mutex_lock(&current_type);
    int abilities = abilities_of(terminal, type);
    pthread_mutex_unlock(&current_type);
    return abilities;
}
