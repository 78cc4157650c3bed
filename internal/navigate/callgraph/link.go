package callgraph

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// outcome classifies the resolution of a call site.
type outcome uint8

const (
	linkOpen     outcome = iota // unresolved
	linkSettled                 // calls a symbol of the workspace
	linkExternal                // calls the standard library or a dependency
	linkBuiltin                 // calls a builtin of the language
	linkValue                   // calls through a value that holds a function
)

// link is a call site with its resolution.
type link struct {
	outcome    outcome
	call       code.Call
	file       string // of the call site
	language   string
	caller     resolve.Ref
	target     resolve.Ref // the called symbol, if linkSettled
	module     string      // module of the callee if linkExternal, "" if unknown
	reason     string      // why it is linkOpen, or linkExternal without a known declaration
	strategy   string
	provenance string
	confidence float64

	hash      code.Hash   // hash of the calling file
	syntax    string      // the resolution from syntax; stored with a server's verdict on it
	by        string      // the language server that resolved the call, "" for none
	refuted   resolve.Ref // the target from syntax, if a server resolved the call to another
	refutedBy string
	answered  bool // a server has answered for this call site
	provable  bool // a server could answer for this call site, and has not
	late      bool // a server disagrees with syntax, but answered after the first page was made

	// direct and receiver limit the overrides that may run instead of target: none if direct is set, as
	// for super.f(); else those in subtypes of receiver, or all if receiver is zero.
	direct   bool
	receiver resolve.Ref
}

// inbound holds the call sites in source code that call or may call a symbol.
type inbound struct {
	links []link // resolved to the symbol
	// unread are call sites that syntax resolves to the symbol, in files on which no server has answered.
	// A widely called symbol has thousands of them, few of which are shown, so the index's records of
	// their files are not decoded.
	unread  []resolve.SiteRef
	open    []resolve.SiteRef // unresolved calls of the symbol's name
	refuted []link            // resolved to the symbol by syntax, but to another by a server
	// doubted are calls that a server could resolve: open calls, and calls at places that a
	// server lists as references to the symbol.
	doubted []link
	files   int  // number of files with a call of the symbol's name
	read    int  // number of those that were read
	late    bool // more of them would have been read in a longer time
	// unasked is true if a server could list the references to the symbol, and none has.
	unasked bool
}

// overriding is a method that a call may run instead of its static target, or a base
// method through whose calls a method may run.
type overriding struct {
	ref        resolve.Ref
	strategy   string
	provenance string
	confidence float64
	by         string    // the language server that confirms it, "" for none
	question   *question // asks a server to confirm it; nil if no server can or one has
}

// linkOf converts a call site as package resolve resolved it, from syntax alone.
func linkOf(s *resolve.Site) link {
	l := link{call: *s.Call, file: s.File.Path, language: s.File.Language, caller: s.Caller, reason: s.Reason}
	switch s.Outcome {
	case resolve.Settled:
		l.outcome, l.target, l.strategy, l.provenance, l.confidence = linkSettled, s.Target, string(s.Strategy),
			s.Provenance, s.Confidence
		l.direct, l.receiver = s.Direct, s.Receiver
	case resolve.External:
		l.outcome, l.module = linkExternal, s.Module
		if s.Module == resolve.Builtin {
			l.outcome = linkBuiltin
		}
	case resolve.FuncValue:
		l.outcome = linkValue
	}
	return l
}

// confident returns the confidence of an edge that leads through the override relation base, from the
// confidence of its call: the lower one of the call's and the relation's. For a nil base, which means
// that the call reaches its target directly, it returns the call's.
func (base *overriding) confident(confidence float64) float64 {
	if base == nil {
		return confidence
	}
	return min(confidence, base.confidence)
}
