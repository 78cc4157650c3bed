#ifndef SEXTANT_PARSE_H
#define SEXTANT_PARSE_H

#include "arena.h"
#include "flatten.h"

// sextant_parser is a parser of one language with the arena that holds it and
// its tree. It must not be used concurrently.
typedef struct {
  sextant_arena *arena;
  void *parser;
  sextant_node root; // of the tree, once the text is parsed
} sextant_parser;

// sextant_parser_begin makes a parser of a language, in an arena that is empty.
sextant_parser sextant_parser_begin(sextant_arena *, const void *language);

// sextant_parser_parse parses a text for at most micros microseconds. It
// returns the number of nodes, 0 if the time did not suffice. It is called once
// for a parser.
uint32_t sextant_parser_parse(sextant_parser *, const char *text, uint32_t size, uint64_t micros);

// sextant_parser_end frees the parser and its tree, and empties the arena.
void sextant_parser_end(sextant_parser *);

#endif
