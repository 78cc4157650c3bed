package syntax

// #include "guard.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// defects is a set of bugs in the external scanner of one grammar (C code that finds tokens),
// which the wrapper in guard.c corrects. Bugs that any scanner may have are prevented for all
// scanners: writing more state than fits, and waiting for a byte after the end of the text.
type defects int

const (
	// StaleState means that a scanner that loads a saved state keeps parts of its previous state.
	StaleState defects = C.SEXTANT_STALE
	// GlobalState means that the scanner keeps state in global variables.
	GlobalState defects = C.SEXTANT_SHARED
	// UnallocatedState means that the scanner keeps four bytes of state for which it allocates no
	// memory.
	UnallocatedState defects = C.SEXTANT_UNALLOCATED
	// HeredocList means that the scanner may save a state that it cannot load: a list of literals
	// and heredocs, whose words may be of any length.
	HeredocList defects = C.SEXTANT_HEREDOC_LIST
	// HeredocWords means the same for a list of heredocs alone.
	HeredocWords defects = C.SEXTANT_HEREDOC_WORDS
)

var guarding sync.Mutex // held while a slot of guard.c is allocated

// guarded returns a copy of language whose external scanner cannot crash the process, hang, or
// carry state from one text to another; see guard.c. It panics if guard.c has no free slot.
func guarded(name string, language *sitter.Language, wrongs defects) *sitter.Language {
	guarding.Lock()
	defer guarding.Unlock()
	copied := C.sextant_guard(languagePointer(language), C.int(wrongs))
	if copied == nil {
		panic(fmt.Sprintf("guard.c has no slot left for %s", name))
	}
	return sitter.NewLanguage(unsafe.Pointer(copied))
}
