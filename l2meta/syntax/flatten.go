package syntax

/*
#cgo linux LDFLAGS: -Wl,--unresolved-symbols=ignore-all
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include "flatten.h"
*/
import "C"

import "unsafe"

// flatNode is one syntax node of a flattened tree, in pre-order: the first
// child of node i is i+1, its next sibling is next. It has the layout of
// sextant_flat.
type flatNode struct {
	Start, End uint32 // byte offsets
	parent     int32  // number of the parent, -1 for the root
	Next       int32  // number of the first node after the node's subtree
	symbol     uint16 // number of the node type in the grammar
	Field      uint16 // number of the field in the parent, 0 for none
	flags      uint16
	_          uint16
}

const (
	flagNamed   = 1
	flagMissing = 2
)

// flatten copies the tree of n nodes below root into an array in one C pass. The binding's own
// cursor makes a call into C for each node, which halves the throughput.
func flatten(root C.sextant_node, n int) []flatNode {
	nodes := make([]flatNode, n)
	got := C.sextant_flatten(root, (*C.sextant_flat)(unsafe.Pointer(&nodes[0])), C.uint32_t(n))
	return nodes[:got]
}
