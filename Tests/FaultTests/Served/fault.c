// SPDX-License-Identifier: Apache-2.0
//
// Stands between a program and the kernel where the program changes files below a folder: counts the calls over all of
// its threads, ends the program at one of them or lets it fail, and writes down what was done. A test says what is to
// happen by a small file that both have in memory.

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum action { NOTHING, END, FAIL };
enum kind { WRITE = 1, SYNC = 2, TRUNCATE = 4, RENAME = 8, UNLINK = 16, CREATE = 32, READ = 64 };

struct orders {
    int32_t action;
    int32_t error;
    int32_t lasting; // whether all later ones fail too
    uint32_t kinds;
    int64_t number; // of the call that it happens to, from 1
    int64_t seen;
};

static struct orders *orders;
static const char *folder;
static int record = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FAULT_ORDERS"), *log = getenv("FAULT_RECORD");
    folder = getenv("FAULT_FOLDER");
    if (!path || !folder)
        return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    void *memory = mmap(NULL, sizeof *orders, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        abort();
    close(file);
    if (log)
        record = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    orders = memory;
}

static int is_below(const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

/* The path of a descriptor; false for what is not below the folder. */
static int place_of(int fd, char path[4096])
{
    if (!orders)
        return 0;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, 4095);
    if (length < 0)
        return 0;
    path[length] = 0;
    return is_below(path);
}

static int place_at(int dir, const char *name, char path[4096])
{
    if (!orders)
        return 0;
    if (name[0] == '/' || dir == AT_FDCWD) {
        snprintf(path, 4096, "%s", name);
        return is_below(path);
    }
    if (!place_of(dir, path))
        return 0;
    size_t length = strlen(path);
    snprintf(path + length, 4096 - length, "/%s", name);
    return 1;
}

/* Whether the call is to fail. */
static int hurts(enum kind kind)
{
    if (!(__atomic_load_n(&orders->kinds, __ATOMIC_SEQ_CST) & kind))
        return 0;
    int64_t number = __atomic_add_fetch(&orders->seen, 1, __ATOMIC_SEQ_CST);
    int32_t action = __atomic_load_n(&orders->action, __ATOMIC_SEQ_CST);
    if (action == NOTHING || (number != orders->number && !(orders->lasting && number > orders->number)))
        return 0;
    if (action == END) {
        kill(getpid(), SIGKILL);
        for (;;)
            pause();
    }
    errno = orders->error;
    return 1;
}

/* One entry: what, the length of its path, two numbers, the length of its data, and both. */
static void note(char what, const char *path, int64_t number, const void *data, size_t count)
{
    if (record < 0)
        return;
    struct { int64_t what, path, number, count; } head = {what, (int64_t)strlen(path), number, (int64_t)count};
    int saved = errno;
    syscall(SYS_write, record, &head, sizeof head);
    syscall(SYS_write, record, path, strlen(path));
    if (count)
        syscall(SYS_write, record, data, count);
    errno = saved;
}

#define LOCKED(statement) do { pthread_mutex_lock(&order); statement; pthread_mutex_unlock(&order); } while (0)

ssize_t pwrite64(int fd, const void *data, size_t count, off64_t offset)
{
    char path[4096];
    if (!place_of(fd, path))
        return syscall(SYS_pwrite64, fd, data, count, offset);
    if (hurts(WRITE))
        return -1;
    ssize_t done;
    LOCKED(done = syscall(SYS_pwrite64, fd, data, count, offset); if (done > 0) note('W', path, offset, data, (size_t)done));
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t count, off_t offset) { return pwrite64(fd, data, count, offset); }

ssize_t write(int fd, const void *data, size_t count)
{
    char path[4096];
    if (!place_of(fd, path))
        return syscall(SYS_write, fd, data, count);
    if (hurts(WRITE))
        return -1;
    ssize_t done;
    off_t offset = lseek(fd, 0, SEEK_CUR);
    LOCKED(done = syscall(SYS_write, fd, data, count); if (done > 0) note('W', path, offset, data, (size_t)done));
    return done;
}

ssize_t pread64(int fd, void *data, size_t count, off64_t offset)
{
    char path[4096];
    if (place_of(fd, path) && hurts(READ))
        return -1;
    return syscall(SYS_pread64, fd, data, count, offset);
}

ssize_t pread(int fd, void *data, size_t count, off_t offset) { return pread64(fd, data, count, offset); }

static int synced(int fd, long call, char kind)
{
    char path[4096];
    if (!place_of(fd, path))
        return (int)syscall(call, fd);
    if (hurts(SYNC))
        return -1;
    int result;
    LOCKED(result = (int)syscall(call, fd); if (result == 0) note(kind, path, 0, NULL, 0));
    return result;
}

int fsync(int fd) { return synced(fd, SYS_fsync, 'S'); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync, 'S'); }
/* All of the disk that the file is on. */
int syncfs(int fd) { return synced(fd, SYS_syncfs, 'Y'); }

int ftruncate64(int fd, off64_t size)
{
    char path[4096];
    if (!place_of(fd, path))
        return (int)syscall(SYS_ftruncate, fd, size);
    if (hurts(TRUNCATE))
        return -1;
    int result;
    LOCKED(result = (int)syscall(SYS_ftruncate, fd, size); if (result == 0) note('T', path, size, NULL, 0));
    return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int renameat(int from, const char *old, int to, const char *new)
{
    char source[4096], target[4096];
    if (!place_at(from, old, source) || !place_at(to, new, target))
        return (int)syscall(SYS_renameat2, from, old, to, new, 0);
    if (hurts(RENAME))
        return -1;
    int result;
    LOCKED(result = (int)syscall(SYS_renameat2, from, old, to, new, 0);
           if (result == 0) note('R', source, 0, target, strlen(target)));
    return result;
}

int rename(const char *old, const char *new) { return renameat(AT_FDCWD, old, AT_FDCWD, new); }

int unlinkat(int dir, const char *name, int flags)
{
    char path[4096];
    if (!place_at(dir, name, path))
        return (int)syscall(SYS_unlinkat, dir, name, flags);
    if (hurts(UNLINK))
        return -1;
    int result;
    LOCKED(result = (int)syscall(SYS_unlinkat, dir, name, flags); if (result == 0) note('U', path, 0, NULL, 0));
    return result;
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

int mkdir(const char *name, mode_t mode)
{
    char path[4096];
    if (!place_at(AT_FDCWD, name, path) || syscall(SYS_faccessat, AT_FDCWD, name, F_OK) == 0)
        return (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);
    if (hurts(CREATE))
        return -1;
    int result;
    LOCKED(result = (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode); if (result == 0) note('D', path, 0, NULL, 0));
    return result;
}

int posix_fallocate(int fd, off_t offset, off_t length)
{
    char path[4096];
    if (place_of(fd, path) && hurts(WRITE))
        return errno;
    return syscall(SYS_fallocate, fd, 0, offset, length) == 0 ? 0 : errno;
}

int posix_fallocate64(int fd, off64_t offset, off64_t length) { return posix_fallocate(fd, offset, length); }

static int opened(int dir, const char *name, int flags, mode_t mode)
{
    char path[4096];
    if (!(flags & O_CREAT) || !place_at(dir, name, path) || syscall(SYS_faccessat, dir, name, F_OK) == 0)
        return (int)syscall(SYS_openat, dir, name, flags, mode);
    if (hurts(CREATE))
        return -1;
    int result;
    LOCKED(result = (int)syscall(SYS_openat, dir, name, flags, mode); if (result >= 0) note('C', path, 0, NULL, 0));
    return result;
}

#define MODE(flags, mode) \
    mode_t mode = 0; \
    if (flags & O_CREAT) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }

int open(const char *name, int flags, ...) { MODE(flags, mode) return opened(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE(flags, mode) return opened(AT_FDCWD, name, flags, mode); }
int openat(int dir, const char *name, int flags, ...) { MODE(flags, mode) return opened(dir, name, flags, mode); }
int openat64(int dir, const char *name, int flags, ...) { MODE(flags, mode) return opened(dir, name, flags, mode); }

/* The first bytes of an answer, before they leave. */
static void leaving(const void *data, size_t count)
{
    if (orders && record >= 0 && count >= 9 && memcmp(data, "HTTP/1.1 ", 9) == 0)
        LOCKED(note('A', "", 0, data, 12 < count ? 12 : count));
}

ssize_t send(int fd, const void *data, size_t count, int flags)
{
    leaving(data, count);
    return syscall(SYS_sendto, fd, data, count, flags, NULL, 0);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    if (message->msg_iovlen > 0)
        leaving(message->msg_iov[0].iov_base, message->msg_iov[0].iov_len);
    return syscall(SYS_sendmsg, fd, message, flags);
}
