package syntax

// #include "guard.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// Defects are those of an external scanner that its guard mends one by one.
// What any scanner may do (write more than fits, wait for a byte behind the end
// of the text) the guard holds for all.
type defects int

const (
	// StaleState has parts that loading another state leaves as they were.
	StaleState defects = C.SEXTANT_STALE
	// GlobalState is in variables of the program.
	GlobalState defects = C.SEXTANT_SHARED
	// UnallocatedState is four bytes that the scanner allocates no memory for.
	UnallocatedState defects = C.SEXTANT_UNALLOCATED
	// HeredocList is a list of literals and heredocs with words of any length.
	HeredocList defects = C.SEXTANT_HEREDOC_LIST
	// HeredocWords is a list of heredocs alone with words of any length.
	HeredocWords defects = C.SEXTANT_HEREDOC_WORDS
)

var guarding sync.Mutex // held while a slot of guard.c is taken

// guarded returns a language whose external scanner cannot end the process, hang,
// or carry anything from one text to another; see guard.c.
//
// The binding keeps the pointer unexported, as the only field of Language; it
// is read in place. TestGuardsAreInPlace holds that layout.
func guarded(name string, language *sitter.Language, wrongs defects) *sitter.Language {
	guarding.Lock()
	defer guarding.Unlock()
	plain := *(*unsafe.Pointer)(unsafe.Pointer(language))
	copied := C.sextant_guard(plain, C.int(wrongs))
	if copied == nil {
		panic(fmt.Sprintf("guard.c has no slot left for %s", name))
	}
	return sitter.NewLanguage(unsafe.Pointer(copied))
}
