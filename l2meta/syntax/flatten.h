#ifndef SEXTANT_FLATTEN_H
#define SEXTANT_FLATTEN_H

#include <stdbool.h>
#include <stdint.h>

// sextant_node has the layout of tree-sitter's TSNode.
typedef struct {
  uint32_t context[4];
  const void *id;
  const void *tree;
} sextant_node;

// sextant_flat is flatNode of flatten.go.
typedef struct {
  uint32_t start, end;
  int32_t parent, next;
  uint16_t symbol, field, flags, pad;
} sextant_flat;

uint32_t sextant_count(sextant_node root);
uint32_t sextant_flatten(sextant_node root, sextant_flat *out, uint32_t cap);

#endif
