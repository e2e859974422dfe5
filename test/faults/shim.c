/*
 * A library for LD_PRELOAD that makes one write, sync or allocation of a program fail, or all from one on.
 *
 * What concerns files below the folder FAULTS_BELOW is counted, from 1 on. The call with the number FAULTS_AT fails as
 * FAULTS_KIND says: a name of an error (ENOSPC, EIO, EDQUOT), or "short" for half of a write; with "+" behind it all
 * later calls fail as well (a disk that stays full). A line for each counted call is added to the file FAULTS_LOG:
 * its number, what it is, the file, and "!" when it was made to fail. The count goes on in processes that the program
 * starts and that replace it, each with a count of its own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static long counted;

/* The error that a call on a file has to end with: 0 for none, -1 for a write of a half. */
static int fault(const char *call, int file) {
  const char *below = getenv("FAULTS_BELOW");
  if (below == NULL) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (strncmp(path, below, strlen(below)) != 0) return 0;

  const char *at = getenv("FAULTS_AT"), *kind = getenv("FAULTS_KIND"), *log = getenv("FAULTS_LOG");
  long number = __atomic_add_fetch(&counted, 1, __ATOMIC_SEQ_CST), first = at == NULL ? 0 : atol(at);
  int stays = kind != NULL && strchr(kind, '+') != NULL;
  int fails = first > 0 && (number == first || (stays && number > first));
  if (log != NULL) {
    char line[PATH_MAX + 64];
    int bytes = snprintf(line, sizeof line, "%ld %s %s%s\n", number, call, path + strlen(below), fails ? " !" : "");
    int descriptor = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor >= 0) {
      syscall(SYS_write, descriptor, line, bytes);
      syscall(SYS_close, descriptor);
    }
  }
  if (!fails || kind == NULL) return 0;
  if (strncmp(kind, "short", 5) == 0) return -1;
  if (strncmp(kind, "EIO", 3) == 0) return EIO;
  return strncmp(kind, "EDQUOT", 6) == 0 ? EDQUOT : ENOSPC;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A call that has no half fails for want of space instead. */
#define WITHOUT_HALF(name, file, call)           \
  do {                                           \
    int error = fault(#name, file);              \
    if (error == 0) return call;                 \
    errno = error < 0 ? ENOSPC : error;          \
    return -1;                                   \
  } while (0)

#define BYTES(name, file, half, whole)           \
  do {                                           \
    int error = fault(#name, file);              \
    if (error == 0) return whole;                \
    if (error < 0) return half;                  \
    errno = error;                               \
    return -1;                                   \
  } while (0)

ssize_t write(int file, const void *bytes, size_t count) {
  BYTES(write, file, REAL(write)(file, bytes, count / 2), REAL(write)(file, bytes, count));
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  BYTES(pwrite, file, REAL(pwrite)(file, bytes, count / 2, offset), REAL(pwrite)(file, bytes, count, offset));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  BYTES(pwrite, file, REAL(pwrite64)(file, bytes, count / 2, offset), REAL(pwrite64)(file, bytes, count, offset));
}

/* Half of what is written in pieces is half of the first one. */
#define FIRST_HALF(parts) (parts)[0].iov_base, (parts)[0].iov_len / 2

ssize_t writev(int file, const struct iovec *parts, int count) {
  BYTES(writev, file, REAL(write)(file, FIRST_HALF(parts)), REAL(writev)(file, parts, count));
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  BYTES(pwritev, file, REAL(pwrite)(file, FIRST_HALF(parts), offset), REAL(pwritev)(file, parts, count, offset));
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
  BYTES(pwritev, file, REAL(pwrite64)(file, FIRST_HALF(parts), offset),
        REAL(pwritev64)(file, parts, count, offset));
}

int fsync(int file) { WITHOUT_HALF(fsync, file, REAL(fsync)(file)); }

int fdatasync(int file) { WITHOUT_HALF(fdatasync, file, REAL(fdatasync)(file)); }

int ftruncate(int file, off_t length) { WITHOUT_HALF(ftruncate, file, REAL(ftruncate)(file, length)); }

int ftruncate64(int file, off64_t length) { WITHOUT_HALF(ftruncate, file, REAL(ftruncate64)(file, length)); }

int fallocate(int file, int mode, off_t offset, off_t length) {
  WITHOUT_HALF(fallocate, file, REAL(fallocate)(file, mode, offset, length));
}

int fallocate64(int file, int mode, off64_t offset, off64_t length) {
  WITHOUT_HALF(fallocate, file, REAL(fallocate64)(file, mode, offset, length));
}
