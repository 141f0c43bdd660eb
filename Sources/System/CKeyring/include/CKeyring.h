/* Named bytes in the kernel's keyring of this user (user-keyring(7)), by system calls: no library is needed. */
#ifndef NATIVEAUTH_CKEYRING_H
#define NATIVEAUTH_CKEYRING_H

#include <stddef.h>
#include <stdint.h>

/* Each returns 0, or an errno: ENOKEY where there is nothing of this name, EMSGSIZE for more bytes than the kernel takes,
   EDQUOT when the user's share of the kernel's memory is used up. */

/* The bytes, to be given back by na_keyring_free. */
int na_keyring_read(const char *name, uint8_t **bytes, size_t *length);
void na_keyring_free(uint8_t *bytes, size_t length);

/* Sets or replaces the bytes in one step. */
int na_keyring_write(const char *name, const uint8_t *bytes, size_t length);

int na_keyring_remove(const char *name);

#endif
