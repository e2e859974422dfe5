/*
 * power-cut FOLDER…: cuts the power of the file systems that are mounted there. Nothing is written to their disks any
 * more: neither what waits in memory nor the journal. What was synced stays; everybody who syncs now gets an error.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

/* EXT4_IOC_SHUTDOWN of the kernel's fs/ext4/ext4.h, and its flag EXT4_GOING_FLAGS_NOLOGFLUSH */
#define SHUTDOWN _IOR('X', 125, uint32_t)
#define WITHOUT_FLUSHING_THE_LOG 2

int main(int count, char **words) {
  int *folders = calloc(count, sizeof(int));
  if (folders == NULL) return 1;
  for (int index = 1; index < count; index += 1) {
    folders[index] = open(words[index], O_RDONLY | O_DIRECTORY);
    if (folders[index] < 0) {
      perror(words[index]);
      return 1;
    }
  }
  for (int index = 1; index < count; index += 1) {
    uint32_t flags = WITHOUT_FLUSHING_THE_LOG;
    if (ioctl(folders[index], SHUTDOWN, &flags) < 0) {
      perror(words[index]);
      return 1;
    }
  }
  return 0;
}
