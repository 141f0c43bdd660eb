// SPDX-License-Identifier: Apache-2.0
#include "CKeyring.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A "big_key" takes 1 MiB, and hardly counts against the user's quota; not every kernel has it. A "user" key takes
   32,767 bytes, within a quota of 20,000 for all keys of a user who is not root (keyrings(7)). A kernel has the first
   type or it has not, so everything that is in its keyring is of one type. */
static const char *const types[] = {"big_key", "user"};
static const size_t limits[] = {1024 * 1024, 32767};

/* The possessor may do anything; other processes of the same user see that there is a key; nobody else sees a thing. */
static const unsigned long owner_only = 0x3f010000;

/* Possession is what lets a process read, and it goes by links: a process whose session has no link to its user's keyring,
   as under cron, gets one here. It lasts as long as the process, and no child inherits it. */
static int join(void) {
    return syscall(SYS_keyctl, KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_PROCESS_KEYRING) < 0 ? errno : 0;
}

/* The key's number, or -1 with an errno. */
static long find(const char *name) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, types[i], name, 0);
        if (key >= 0 || errno != ENOKEY) return key;
    }
    return -1;
}

/* A key that somebody let expire, or revoked, is gone like any other. */
static int missing_or(int code) { return code == EKEYEXPIRED || code == EKEYREVOKED ? ENOKEY : code; }

void na_keyring_free(uint8_t *bytes, size_t length) {
    if (bytes) explicit_bzero(bytes, length);
    free(bytes);
}

int na_keyring_read(const char *name, uint8_t **bytes, size_t *length) {
    int code = join();
    if (code) return code;
    long key = find(name);
    if (key < 0) return missing_or(errno);
    long size = syscall(SYS_keyctl, KEYCTL_READ, key, NULL, 0);
    /* It may grow between the two calls: read what there is, as often as it takes. */
    while (size >= 0) {
        size_t capacity = (size_t)size;
        uint8_t *buffer = malloc(capacity + 1);
        if (!buffer) return ENOMEM;
        size = syscall(SYS_keyctl, KEYCTL_READ, key, buffer, capacity);
        if (size >= 0 && (size_t)size <= capacity) {
            *bytes = buffer;
            *length = (size_t)size;
            return 0;
        }
        code = errno;
        na_keyring_free(buffer, capacity);
        errno = code;
    }
    return missing_or(errno);
}

int na_keyring_write(const char *name, const uint8_t *bytes, size_t length) {
    int code = join();
    if (code) return code;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (length > limits[i]) return EMSGSIZE;
        long key = syscall(SYS_add_key, types[i], name, bytes, length, KEY_SPEC_USER_KEYRING);
        if (key >= 0) return syscall(SYS_keyctl, KEYCTL_SETPERM, key, owner_only) < 0 ? errno : 0;
        if (errno != ENODEV) return errno;
    }
    return ENOSYS;
}

int na_keyring_remove(const char *name) {
    int code = join();
    if (code) return code;
    long key = find(name);
    if (key < 0) return missing_or(errno);
    return syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING) < 0 ? errno : 0;
}
