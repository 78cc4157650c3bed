#include "flatten.h"

// The tree-sitter library is linked by the binding; these are the parts of its
// public API that are called here, with the types above.
typedef struct {
  const void *tree;
  const void *id;
  uint32_t context[3];
} cursor;

extern uint32_t ts_node_descendant_count(sextant_node);
extern cursor ts_tree_cursor_new(sextant_node);
extern void ts_tree_cursor_delete(cursor *);
extern sextant_node ts_tree_cursor_current_node(const cursor *);
extern uint16_t ts_tree_cursor_current_field_id(const cursor *);
extern bool ts_tree_cursor_goto_first_child(cursor *);
extern bool ts_tree_cursor_goto_next_sibling(cursor *);
extern bool ts_tree_cursor_goto_parent(cursor *);
extern uint16_t ts_node_symbol(sextant_node);
extern uint32_t ts_node_start_byte(sextant_node);
extern uint32_t ts_node_end_byte(sextant_node);
extern bool ts_node_is_named(sextant_node);
extern bool ts_node_is_missing(sextant_node);

uint32_t sextant_count(sextant_node root) { return ts_node_descendant_count(root); }

// sextant_flatten writes the tree below root in pre-order and returns the
// number of nodes, at most cap. A node's subtree is out[i .. out[i].next).
uint32_t sextant_flatten(sextant_node root, sextant_flat *out, uint32_t cap) {
  cursor c = ts_tree_cursor_new(root);
  uint32_t n = 0;
  int32_t parent = -1;
  while (n < cap) {
    sextant_node k = ts_tree_cursor_current_node(&c);
    sextant_flat *f = &out[n];
    f->start = ts_node_start_byte(k);
    f->end = ts_node_end_byte(k);
    f->parent = parent;
    f->symbol = ts_node_symbol(k);
    f->field = ts_tree_cursor_current_field_id(&c);
    f->flags = (ts_node_is_named(k) ? 1 : 0) | (ts_node_is_missing(k) ? 2 : 0);
    f->pad = 0;
    int32_t self = (int32_t)n++;
    if (ts_tree_cursor_goto_first_child(&c)) {
      parent = self;
      continue;
    }
    out[self].next = (int32_t)n;
    while (!ts_tree_cursor_goto_next_sibling(&c)) {
      if (parent < 0 || !ts_tree_cursor_goto_parent(&c)) {
        ts_tree_cursor_delete(&c);
        return n;
      }
      out[parent].next = (int32_t)n;
      parent = out[parent].parent;
    }
  }
  // More nodes than were counted: close what is open.
  for (; parent >= 0; parent = out[parent].parent) out[parent].next = (int32_t)n;
  ts_tree_cursor_delete(&c);
  return n;
}
