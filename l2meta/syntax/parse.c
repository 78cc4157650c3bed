#include "parse.h"

#include <stddef.h>

// The parts of tree-sitter's public API that are called here; the binding links
// the library.
extern void *ts_parser_new(void);
extern void ts_parser_delete(void *);
extern bool ts_parser_set_language(void *, const void *);
extern void ts_parser_set_timeout_micros(void *, uint64_t);
extern void *ts_parser_parse_string(void *, const void *old, const char *, uint32_t);
extern sextant_node ts_tree_root_node(const void *);

sextant_parser sextant_parser_begin(sextant_arena *arena, const void *language) {
  sextant_parser p = {.arena = arena};
  sextant_arena_enter(arena);
  p.parser = ts_parser_new();
  ts_parser_set_language(p.parser, language);
  sextant_arena_enter(NULL);
  return p;
}

uint32_t sextant_parser_parse(sextant_parser *p, const char *text, uint32_t size, uint64_t micros) {
  sextant_arena_enter(p->arena);
  ts_parser_set_timeout_micros(p->parser, micros);
  void *tree = ts_parser_parse_string(p->parser, NULL, text, size);
  sextant_arena_enter(NULL);
  if (tree == NULL) return 0;
  p->root = ts_tree_root_node(tree);
  return sextant_count(p->root);
}

void sextant_parser_end(sextant_parser *p) {
  // The tree goes with the arena; the state of an external scanner does not.
  sextant_arena_enter(p->arena);
  ts_parser_delete(p->parser);
  sextant_arena_enter(NULL);
  sextant_arena_reset(p->arena);
}
