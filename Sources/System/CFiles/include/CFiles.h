// SPDX-License-Identifier: Apache-2.0
/* What Swift does not see of the C library's file functions. */
#ifndef NATIVEAUTH_CFILES_H
#define NATIVEAUTH_CFILES_H

/* Two names change places, at once. Returns 0, or -1 and errno. */
int na_exchange(const char *one, const char *other);

/* All of the file system that a file is on goes to the disk. Returns 0, or -1 and errno. */
int na_sync_file_system(int file);

#endif
