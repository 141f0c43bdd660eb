// SPDX-License-Identifier: Apache-2.0
/* Sockets between processes of one machine (unix(7)), by a name in a folder. */
#ifndef NATIVEAUTH_CLOCALSOCKET_H
#define NATIVEAUTH_CLOCALSOCKET_H

#include <stdint.h>

/* Each returns a descriptor that no child process inherits, or -1 with errno. */

/* Connects to the socket of this name. */
int na_local_connect(const char *folder, const char *name);

/* Listens under this name, for this user alone; whatever has the name is replaced. */
int na_local_listen(const char *folder, const char *name);

/* Waits for a connection; EINVAL once the listener was shut down. */
int na_local_accept(int listener);

/* The user at the other end of a connection; -1 with errno. */
int na_local_peer(int stream, uint32_t *user);

#endif
