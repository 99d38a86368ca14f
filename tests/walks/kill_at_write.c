// LD_PRELOAD for tests: ends the process as kill -9 would, at the n-th change of a directory entry
// (link, rename or unlink; that is every moment at which a store on local disk changes).
//   KILL_AT=n      before the n-th call is carried out
//   KILL_AFTER=n   after it was, before its caller learns of it
//   COUNT_FILE=f   writes the number of calls to f at a normal end
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_long calls;

static long wanted(const char* name) {
  const char* text = getenv(name);
  return text == NULL ? -1 : atol(text);
}

static void die(void) { kill(getpid(), SIGKILL); }

static long before(void) {
  const long call = atomic_fetch_add(&calls, 1) + 1;
  if (call == wanted("KILL_AT")) die();
  return call;
}

static int after(long call, int result) {
  if (call == wanted("KILL_AFTER")) die();
  return result;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int link(const char* from, const char* to) {
  const long call = before();
  return after(call, NEXT(link)(from, to));
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  const long call = before();
  return after(call, NEXT(linkat)(from_folder, from, to_folder, to, flags));
}

int rename(const char* from, const char* to) {
  const long call = before();
  return after(call, NEXT(rename)(from, to));
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  const long call = before();
  return after(call, NEXT(renameat)(from_folder, from, to_folder, to));
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  const long call = before();
  return after(call, NEXT(renameat2)(from_folder, from, to_folder, to, flags));
}

int unlink(const char* path) {
  const long call = before();
  return after(call, NEXT(unlink)(path));
}

int unlinkat(int folder, const char* path, int flags) {
  const long call = before();
  return after(call, NEXT(unlinkat)(folder, path, flags));
}

__attribute__((destructor)) static void report(void) {
  const char* path = getenv("COUNT_FILE");
  if (path == NULL) return;
  FILE* file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld\n", (long)atomic_load(&calls));
  fclose(file);
}
