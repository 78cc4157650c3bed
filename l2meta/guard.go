package l2meta

// #include "guard.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// scannerWrongs are the defects of external scanners that their guards mend
// one by one, by language. What any scanner may do (write more than fits, wait
// for a byte behind the end of the text) the guard holds for all.
var scannerWrongs = map[string]C.int{
	"bash":  C.SEXTANT_STALE | C.SEXTANT_BASH,
	"lua":   C.SEXTANT_SHARED,
	"php":   C.SEXTANT_STALE,
	"ruby":  C.SEXTANT_RUBY,
	"swift": C.SEXTANT_UNALLOCATED | C.SEXTANT_STALE,
}

var guarding sync.Mutex // held while a slot of guard.c is taken

// guarded is a language whose external scanner cannot end the process, hang,
// or carry anything from one text to another; see guard.c.
//
// The binding keeps the pointer unexported, as the only field of Language; it
// is read in place. TestGuardsAreInPlace holds that layout.
func guarded(name string, language *sitter.Language) *sitter.Language {
	guarding.Lock()
	defer guarding.Unlock()
	plain := *(*unsafe.Pointer)(unsafe.Pointer(language))
	copied := C.sextant_guard(plain, scannerWrongs[name])
	if copied == nil {
		panic(fmt.Sprintf("guard.c has no slot left for %s", name))
	}
	return sitter.NewLanguage(unsafe.Pointer(copied))
}
