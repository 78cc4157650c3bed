#ifndef SEXTANT_ARENA_H
#define SEXTANT_ARENA_H

// sextant_arena is the memory of one parse: blocks are cut from large chunks,
// and all of them are freed at once. It must not be used concurrently.
typedef struct sextant_arena sextant_arena;

// sextant_arenas makes tree-sitter allocate from the arena that the calling
// thread has entered, and with malloc where it has entered none. It is called
// once, before the first parse.
void sextant_arenas(void);

// sextant_arena_new returns an empty arena, and sextant_arena_free frees one.
sextant_arena *sextant_arena_new(void);
void sextant_arena_free(sextant_arena *);

// sextant_arena_enter lets the calling thread allocate from an arena, until it
// enters NULL.
void sextant_arena_enter(sextant_arena *);

// sextant_arena_reset frees all blocks, but keeps some memory for the next.
void sextant_arena_reset(sextant_arena *);

#endif
