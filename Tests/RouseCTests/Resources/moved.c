/* Traces whose files somebody else moves, removes or would replace; and where files are left.
 * Argument: a folder. */
#include <dirent.h>
#include <rouse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "expect.h"

static rouse_type_t type;
static rouse_source_t source;
static rouse_producer_t producer;

static void prepare(rouse_recorder_t recorder) {
  EXPECT(rouse_type(recorder, "type", &type), ROUSE_OK);
  EXPECT(rouse_source(recorder, "source", &source), ROUSE_OK);
  EXPECT(rouse_producer_open(recorder, &producer), ROUSE_OK);
}

static void save(int events) {
  for (int event = 0; event < events; event++) EXPECT(rouse_save(producer, event, type, source), ROUSE_OK);
}

/* Files of a folder. */
static int files(const char *path) {
  int files = 0;
  DIR *folder = opendir(path);
  for (struct dirent *entry; (entry = readdir(folder));) files += entry->d_name[0] != '.';
  closedir(folder);
  return files;
}

int main(int count, char **arguments) {
  if (count != 2 || chdir(arguments[1]) || mkdir("rings", 0700)) return 64;
  rouse_recorder_t recorder, other;
  rouse_statistics_t statistics;

  /* An opening that fails leaves neither ring nor trace. */
  char *name = malloc(65537);
  memset(name, 'd', 65536), name[65536] = 0;
  rouse_options_t options = {
      .size = sizeof options, .trace = "live.wtrace", .ring_folder = "rings", .flush_seconds = 1e9};
  options.device = name;
  EXPECT(rouse_open(&options, &recorder), ROUSE_NO_ROOM);
  free(name);
  options.device = NULL;
  if (files("rings") || !access("live.wtrace", F_OK)) failures++, fputs("files are left\n", stderr);

  /* Renamed, as those who rotate logs do; then removed, which is told once. */
  EXPECT(rouse_open(&options, &recorder), ROUSE_OK);
  prepare(recorder);
  save(10);
  EXPECT(rouse_flush(recorder), ROUSE_OK);
  if (rename("live.wtrace", "old.wtrace")) return 65;
  save(5);
  EXPECT(rouse_flush(recorder), ROUSE_OK);
  if (access("live.wtrace", F_OK)) failures++, fputs("nothing is begun anew\n", stderr);
  if (unlink("live.wtrace")) return 65;
  save(20);
  EXPECT(rouse_flush(recorder), ROUSE_IO);
  if (!strstr(rouse_last_error(), "was removed")) failures++, fputs("no reason told\n", stderr);
  /* Said before the event was. */
  EXPECT(rouse_save(producer, 20, type, source), ROUSE_NOT_WRITTEN);
  save(4);
  EXPECT(rouse_flush(recorder), ROUSE_OK);

  /* A snapshot replaces no trace that is recorded, and one to "-" is a file. */
  rouse_options_t overwrite = {
      .size = sizeof options, .mode = ROUSE_OVERWRITE, .ring_folder = "rings", .slots_per_ring = 1024};
  rouse_producer_t first = producer;
  EXPECT(rouse_open(&overwrite, &other), ROUSE_OK);
  prepare(other);
  save(7);
  EXPECT(rouse_snapshot(other, "live.wtrace"), ROUSE_IN_USE);
  EXPECT(rouse_snapshot(other, "-"), ROUSE_OK);
  EXPECT(rouse_statistics(other, &statistics), ROUSE_OK);
  if (statistics.lost != 0) failures++, fputs("counted as lost before anything was\n", stderr);
  save(10000);
  EXPECT(rouse_statistics(other, &statistics), ROUSE_OK);
  if (statistics.lost < 10007 - 1024 || statistics.lost > 10007)
    failures++, fprintf(stderr, "%d are lost\n", (int)statistics.lost);
  EXPECT(rouse_producer_close(producer), ROUSE_OK);
  EXPECT(rouse_close(other), ROUSE_OK);

  /* A process that has gone elsewhere finds its files. */
  char here[4096];
  if (!getcwd(here, sizeof here) || chdir("/")) return 65;
  EXPECT(rouse_producer_close(first), ROUSE_OK);
  EXPECT(rouse_close(recorder), ROUSE_OK);
  if (chdir(here)) return 65;
  if (files("rings")) failures++, fputs("a ring is left\n", stderr);
  return failures != 0;
}
