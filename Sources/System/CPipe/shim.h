// SPDX-License-Identifier: Apache-2.0
#ifndef NATIVEAUTH_CPIPE_H
#define NATIVEAUTH_CPIPE_H

#include <fcntl.h>

/* Of <unistd.h>, where it is hidden behind _GNU_SOURCE. */
extern int pipe2(int ends[2], int flags);

/* A pipe that no child inherits, not even one that another thread starts at this moment. Returns 0, or -1 and errno. */
static inline int na_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

#endif
