#include "guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// An external scanner is C code of a grammar: it reads ahead with a lexer,
// keeps a state, and writes that state into a buffer of STATE bytes after each
// token, to load it again before the next. Some of them write more than fits,
// write what they cannot load (and stop the process by an assertion), keep
// parts of an earlier state, or wait at the end of the text for a byte that
// never comes. A guard stands between the parser and one scanner, so that each
// scan starts from a state that is sound and comes to an end.

// lexer is tree-sitter's TSLexer.
typedef struct lexer lexer;
struct lexer {
  int32_t lookahead;
  uint16_t result_symbol;
  void (*advance)(lexer *, bool);
  void (*mark_end)(lexer *);
  uint32_t (*get_column)(lexer *);
  bool (*is_at_included_range_start)(const lexer *);
  bool (*eof)(const lexer *);
};

// scanner are the functions of an external scanner.
typedef struct {
  void *(*create)(void);
  void (*destroy)(void *);
  bool (*scan)(void *, lexer *, const bool *);
  unsigned (*serialize)(void *, char *);
  void (*deserialize)(void *, const char *, unsigned);
} scanner;

// language has the layout of tree-sitter's TSLanguage, as of ABI 13 and 14.
typedef struct {
  uint32_t version, counts[8];
  uint16_t max_alias_sequence_length;
  const void *tables[13];
  bool (*lex)(lexer *, uint16_t), (*keyword_lex)(lexer *, uint16_t);
  uint16_t keyword_capture_token;
  const bool *external_states;
  const uint16_t *external_symbols;
  scanner external;
  const void *primary_state_ids; // since ABI 14
} language;

enum {
  STATE = 1024,      // TREE_SITTER_SERIALIZATION_BUFFER_SIZE
  ROOM = 8 * STATE,  // for what a scanner writes beyond it
  SLOTS = 32,
  BEYOND = 16,       // advances at the end of the text that a scan may make
};

// slot is a guarded language.
typedef struct {
  const void *of; // the language as it came
  language *copy; // and with its scanner guarded
  scanner scanner;
  int wrongs;
  pthread_mutex_t lock; // held while a SHARED scanner has its state in place
} slot;

static slot slots[SLOTS];
static int used;

// guard is the state of one parser.
typedef struct {
  slot *slot;
  void *inner; // the scanner's own state; NULL for one that has none
  bool dirty;  // a scan has changed inner since it was made
  unsigned length;
  char state[STATE];
  // During a scan:
  lexer own; // the functions of the lexer
  int beyond;
  int64_t column; // of the lexer, -1 while it is not known
  jmp_buf out;
} guard;

static __thread guard *scanning;

// advance is lexer.advance during a scan. A scan that goes on at the end of the
// text is left: it waits for a byte that does not come.
static void advance(lexer *l, bool skip) {
  guard *g = scanning;
  if (l->lookahead == 0 && g->own.eof(l)) {
    if (++g->beyond > BEYOND) longjmp(g->out, 1);
  } else if (l->lookahead == '\n') {
    g->column = 0;
  } else if (g->column >= 0) {
    g->column++;
  }
  g->own.advance(l, skip);
}

// column is lexer.get_column during a scan. The lexer's own reads the line from
// its start again, which scanners ask for at every byte.
static uint32_t column(lexer *l) {
  guard *g = scanning;
  if (g->column < 0) g->column = g->own.get_column(l);
  return (uint32_t)g->column;
}

static void *make_inner(slot *s) {
  return s->wrongs & SEXTANT_UNALLOCATED ? calloc(1, 16) : s->scanner.create();
}

// words reports whether a list of count heredocs ends where the state does.
// Each has flags bytes, the length of its word in width bytes, and the word.
static bool words(const unsigned char *state, size_t at, size_t length, unsigned count, size_t flags, size_t width) {
  for (; count > 0; count--) {
    uint32_t size = 0;
    if (at + flags + width > length) return false;
    memcpy(&size, state + at + flags, width); // of a little-endian machine
    at += flags + width;
    if (size > length - at) return false;
    at += size;
  }
  return at == length;
}

// sound reports whether the scanner can load the state that it wrote.
static bool sound(int wrongs, const unsigned char *state, size_t length) {
  if (length > STATE) return false;
  if (length == 0) return true;
  if (wrongs & SEXTANT_HEREDOC_LIST) { // literals of five bytes, heredocs
    size_t heredocs = 1 + 5 * (size_t)state[0];
    return heredocs < length && words(state, heredocs + 1, length, state[heredocs], 3, 1);
  }
  if (wrongs & SEXTANT_HEREDOC_WORDS) return length >= 4 && words(state, 4, length, state[3], 3, 4);
  return true;
}

// load gives the scanner the state of the guard.
static void load(guard *g) {
  static const char blank[4] = {0};
  slot *s = g->slot;
  if (g->dirty && g->inner != NULL && (g->length == 0 || s->wrongs & SEXTANT_STALE)) {
    s->scanner.destroy(g->inner);
    g->inner = make_inner(s);
  }
  g->dirty = true;
  if (g->length == 0 && s->wrongs & SEXTANT_SHARED) {
    s->scanner.deserialize(g->inner, blank, sizeof blank);
  } else {
    s->scanner.deserialize(g->inner, g->length == 0 ? NULL : g->state, g->length);
  }
}

// store takes the state of the scanner; one that it could not load is dropped.
static void store(guard *g) {
  char room[ROOM];
  unsigned length = g->slot->scanner.serialize(g->inner, room);
  g->length = sound(g->slot->wrongs, (const unsigned char *)room, length) ? length : 0;
  memcpy(g->state, room, g->length);
}

static bool scan(void *payload, lexer *l, const bool *valid) {
  guard *g = payload;
  slot *s = g->slot;
  volatile bool found = false;
  if (s->wrongs & SEXTANT_SHARED) pthread_mutex_lock(&s->lock);
  load(g);
  g->own = *l;
  g->beyond = 0;
  g->column = -1;
  l->advance = advance;
  l->get_column = column;
  scanning = g;
  if (setjmp(g->out) == 0) found = s->scanner.scan(g->inner, l, valid);
  scanning = NULL;
  l->advance = g->own.advance;
  l->get_column = g->own.get_column;
  if (found) store(g);
  if (s->wrongs & SEXTANT_SHARED) pthread_mutex_unlock(&s->lock);
  return found;
}

static unsigned serialize(void *payload, char *buffer) {
  guard *g = payload;
  memcpy(buffer, g->state, g->length);
  return g->length;
}

static void deserialize(void *payload, const char *buffer, unsigned length) {
  guard *g = payload;
  g->length = length <= STATE ? length : 0;
  if (g->length > 0) memcpy(g->state, buffer, g->length);
}

static void destroy(void *payload) {
  guard *g = payload;
  g->slot->scanner.destroy(g->inner);
  free(g);
}

static void *create(slot *s) {
  guard *g = calloc(1, sizeof *g);
  g->slot = s;
  g->inner = make_inner(s);
  return g;
}

// A scanner's create has no argument, so each slot has its own.
#define CREATE(i) static void *create_##i(void) { return create(&slots[i]); }
#define EACH(of) \
  of(0) of(1) of(2) of(3) of(4) of(5) of(6) of(7) of(8) of(9) of(10) of(11) of(12) of(13) of(14) of(15) \
  of(16) of(17) of(18) of(19) of(20) of(21) of(22) of(23) of(24) of(25) of(26) of(27) of(28) of(29) of(30) of(31)
#define NAME(i) create_##i,

EACH(CREATE)
static void *(*const creates[SLOTS])(void) = {EACH(NAME)};

const void *sextant_guard(const void *of, int wrongs) {
  const language *l = of;
  if (l->external.scan == NULL) return of;
  for (int i = 0; i < used; i++) {
    if (slots[i].of == of) return slots[i].copy;
  }
  if (used == SLOTS) return NULL;
  slot *s = &slots[used];
  s->of = of;
  s->scanner = l->external;
  s->wrongs = wrongs;
  pthread_mutex_init(&s->lock, NULL);
  language *copy = calloc(1, sizeof *copy);
  memcpy(copy, l, l->version < 14 ? offsetof(language, primary_state_ids) : sizeof *copy);
  copy->external = (scanner){creates[used++], destroy, scan, serialize, deserialize};
  return s->copy = copy;
}
