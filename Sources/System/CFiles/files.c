// SPDX-License-Identifier: Apache-2.0
#include "CFiles.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int na_exchange(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int na_sync_file_system(int file) { return syncfs(file); }
