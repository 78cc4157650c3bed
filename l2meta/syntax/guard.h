#ifndef SEXTANT_GUARD_H
#define SEXTANT_GUARD_H

#include <stdint.h>

// What a scanner does wrong, and what the guard does about it.
enum {
  // Its state has parts that loading another state leaves as they were.
  SEXTANT_STALE = 1,
  // Its state is in variables of the program.
  SEXTANT_SHARED = 2,
  // It allocates no memory for its state, which is of four bytes.
  SEXTANT_UNALLOCATED = 4,
  // Its state is a list of heredocs with words, as sound() reads it: with
  // literals before them, or alone.
  SEXTANT_HEREDOC_LIST = 8,
  SEXTANT_HEREDOC_WORDS = 16,
};

// sextant_guard returns a copy of a language whose external scanner is
// guarded, and the language itself when it has none. NULL when there are too
// many languages. It must not be called concurrently.
const void *sextant_guard(const void *language, int wrongs);

#endif
