#include "arena.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// A parse allocates a block for nearly every node of the tree, and deleting the
// tree visits them all again. An arena makes the first cheap and the second
// needless. Files of several hundred KB are indexed in three quarters of the time and memory.

enum {
  ALIGN = 16,
  HEADER = 8,          // the size of a block, before it
  CLASSES = 64,        // freed blocks below CLASSES * ALIGN bytes are used again
  FIRST = 1 << 20,     // bytes of the first chunk
  LARGEST = 16 << 20,  // bytes up to which each chunk doubles the one before
  KEPT = 4 << 20,      // bytes of the largest chunk that a reset keeps
};

typedef struct chunk {
  struct chunk *next; // allocated before this one
  size_t size;
} chunk;

struct sextant_arena {
  chunk *chunks; // the latest first
  char *at, *end; // what is left of it
  void *freed[CLASSES]; // by size in units of ALIGN; each block holds the next
};

static __thread sextant_arena *entered;

static void out_of_memory(size_t size) {
  fprintf(stderr, "tree-sitter failed to allocate %zu bytes\n", size);
  abort();
}

static size_t *header(void *block) { return (size_t *)((char *)block - HEADER); }

// rounded returns the bytes of a block, so that the next header is followed by
// an aligned block.
static size_t rounded(size_t size) { return ((size + HEADER + ALIGN - 1) & ~(size_t)(ALIGN - 1)) - HEADER; }

// start sets an arena to the beginning of its latest chunk.
static void start(sextant_arena *a) {
  char *first = (char *)(a->chunks + 1);
  a->at = first + (ALIGN - HEADER);
  a->end = first + a->chunks->size;
}

static void grow(sextant_arena *a, size_t size) {
  size_t want = a->chunks == NULL ? FIRST : a->chunks->size * 2;
  if (want > LARGEST) want = LARGEST;
  if (want < size + 2 * ALIGN) want = size + 2 * ALIGN;
  // malloc would keep the chunks of a large file for the thread that parsed it.
  chunk *c = mmap(NULL, sizeof(chunk) + want, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  if (c == MAP_FAILED) out_of_memory(want);
  c->next = a->chunks;
  c->size = want;
  a->chunks = c;
  start(a);
}

static void *cut(sextant_arena *a, size_t size) {
  size_t room = rounded(size), class = (room + HEADER) / ALIGN;
  if (class < CLASSES && a->freed[class] != NULL) {
    void *block = a->freed[class];
    a->freed[class] = *(void **)block;
    return block;
  }
  if (a->chunks == NULL || (size_t)(a->end - a->at) < room + HEADER) grow(a, room + HEADER);
  char *block = a->at + HEADER;
  a->at = block + room;
  *header(block) = room;
  return block;
}

static void *arena_malloc(size_t size) {
  if (entered != NULL) return cut(entered, size);
  void *block = malloc(size);
  if (block == NULL && size > 0) out_of_memory(size);
  return block;
}

static void *arena_calloc(size_t count, size_t size) {
  if (entered != NULL) {
    void *block = cut(entered, count * size);
    return memset(block, 0, count * size);
  }
  void *block = calloc(count, size);
  if (block == NULL && count * size > 0) out_of_memory(count * size);
  return block;
}

static void arena_free(void *block) {
  if (entered == NULL) {
    free(block);
    return;
  }
  if (block == NULL) return;
  size_t class = (*header(block) + HEADER) / ALIGN;
  if (class >= CLASSES) return;
  *(void **)block = entered->freed[class];
  entered->freed[class] = block;
}

static void *arena_realloc(void *block, size_t size) {
  if (entered == NULL) {
    void *moved = realloc(block, size);
    if (moved == NULL && size > 0) out_of_memory(size);
    return moved;
  }
  if (block == NULL) return cut(entered, size);
  size_t had = *header(block);
  if (size <= had) return block;
  void *moved = cut(entered, size);
  memcpy(moved, block, had);
  arena_free(block);
  return moved;
}

extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

void sextant_arenas(void) { ts_set_allocator(arena_malloc, arena_calloc, arena_realloc, arena_free); }

sextant_arena *sextant_arena_new(void) {
  sextant_arena *a = calloc(1, sizeof *a);
  if (a == NULL) out_of_memory(sizeof *a);
  return a;
}

// drop frees the latest chunk.
static void drop(sextant_arena *a) {
  chunk *c = a->chunks;
  a->chunks = c->next;
  munmap(c, sizeof(chunk) + c->size);
}

void sextant_arena_free(sextant_arena *a) {
  while (a->chunks != NULL) drop(a);
  free(a);
}

void sextant_arena_enter(sextant_arena *a) { entered = a; }

void sextant_arena_reset(sextant_arena *a) {
  memset(a->freed, 0, sizeof a->freed);
  while (a->chunks != NULL && a->chunks->size > KEPT) drop(a);
  if (a->chunks == NULL) return;
  chunk *kept = a->chunks;
  a->chunks = kept->next;
  while (a->chunks != NULL) drop(a);
  a->chunks = kept;
  kept->next = NULL;
  start(a);
}
