// SPDX-License-Identifier: Apache-2.0
/* What a program needs to hand a secret to another one, or to be small, and what <unistd.h> alone does not give. */
#ifndef NATIVEAUTH_CPROCESS_H
#define NATIVEAUTH_CPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * A file in memory that has these bytes and never others: it can be read by its path in /dev/fd any number of times, and
 * neither changed nor resized. No child inherits it as long as it is close-on-exec, which it is. -1 and errno on failure.
 */
int na_sealed_memory(const void *bytes, size_t length);

/* How a program is to find its process. */
typedef struct na_surroundings {
    mode_t mask;
    bool ignores_broken_pipe;
} na_surroundings;

/* Becomes another program, which inherits the descriptors besides those that it would inherit anyway. Returns the errno
   if that is not possible; the process is as it was then. */
int na_become(const char *path, char *const arguments[], char *const environment[], const int *inherited, size_t count,
              na_surroundings surroundings);

/* The same in a child, whose standard output is another descriptor, and which no signal is kept from. It is ended by SIGTERM when the thread ends that
   started it, so that whoever ends this process ends both. 0 or an errno. */
int na_start_bound(const char *path, char *const arguments[], char *const environment[], const int *inherited,
                   size_t count, na_surroundings surroundings, int output, pid_t *child);

/* Lets go of the program's own code and constants, of which a start needs much that is not needed again; what is, is read
   from the file again, most likely from the system's cache. Returns how many bytes it let go at most. */
size_t na_give_back_pages(void);

#endif
