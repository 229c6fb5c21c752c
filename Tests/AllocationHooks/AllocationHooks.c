#include "AllocationHooks.h"

#include <errno.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define ROUSE_SANITIZER 1
#endif
#endif

#if defined(__GLIBC__) && !defined(ROUSE_SANITIZER)

// glibc's own allocator under the names it keeps for those who replace malloc. Memory still comes
// from it, so free() needs no counterpart here.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *__libc_valloc(size_t size);
void *__libc_pvalloc(size_t size);

// initial-exec: reading a thread-local of any other model may itself allocate.
#define THREAD_LOCAL static _Thread_local __attribute__((tls_model("initial-exec")))
THREAD_LOCAL uint64_t allocation_count;
THREAD_LOCAL uint64_t allocation_bytes;

static inline void note(size_t size) {
  allocation_count += 1;
  allocation_bytes += size;
}

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note(count * size);
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  note(size);
  return __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  note(bytes);
  return __libc_realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
    return EINVAL;
  }
  note(size);
  void *allocated = __libc_memalign(alignment, size);
  if (allocated == NULL) return ENOMEM;
  *memory = allocated;
  return 0;
}

void *valloc(size_t size) {
  note(size);
  return __libc_valloc(size);
}

void *pvalloc(size_t size) {
  note(size);
  return __libc_pvalloc(size);
}

bool rouse_allocation_hooks_are_active(void) { return true; }
uint64_t rouse_allocation_count(void) { return allocation_count; }
uint64_t rouse_allocation_bytes(void) { return allocation_bytes; }

#else

bool rouse_allocation_hooks_are_active(void) { return false; }
uint64_t rouse_allocation_count(void) { return 0; }
uint64_t rouse_allocation_bytes(void) { return 0; }

#endif
