// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CProcess.h"

/* Of Linux 6.3; an older C library does not know it. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

static int memory(void)
{
    const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int file = memfd_create("nativeauth", flags | MFD_NOEXEC_SEAL);
    return file < 0 && errno == EINVAL ? memfd_create("nativeauth", flags) : file;
}

static bool fill(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return lseek(file, 0, SEEK_SET) == 0;
}

int na_sealed_memory(const void *bytes, size_t length)
{
    int file = memory();
    if (file < 0)
        return -1;
    const int seals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
    if (fill(file, bytes, length) && fchmod(file, 0400) == 0 && fcntl(file, F_ADD_SEALS, seals) == 0)
        return file;
    int reason = errno;
    close(file);
    errno = reason;
    return -1;
}
