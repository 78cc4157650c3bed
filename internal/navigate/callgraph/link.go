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
	target     resolve.Ref // of a linkSettled one
	module     string      // of a linkExternal one, "" if unknown
	reason     string      // of a linkOpen one, and of a linkExternal one that rests on no declaration outside
	strategy   string
	provenance string
	confidence float64

	hash      code.Hash   // of the calling file
	syntax    string      // the resolution by syntax alone, with which verdicts are stored
	by        string      // the server that resolved it, "" for none
	refuted   resolve.Ref // the target by syntax, where a server disagrees
	refutedBy string
	answered  bool // a server has answered for this call site
	provable  bool // a server could answer, and has not
	late      bool // a server disagrees, too late for this list of edges

	// direct and receiver decide the dispatch, as in resolve.Verdict.
	direct   bool
	receiver resolve.Ref
}

// inbound holds the call sites that call or may call a symbol.
type inbound struct {
	links []link // resolved to the symbol
	// unread are resolved to it by syntax, in files without verdicts. A widely called
	// symbol has thousands of them, few of which are shown, so their facts are not
	// decoded.
	unread  []resolve.SiteRef
	open    []resolve.SiteRef // unresolved calls of its name
	refuted []link            // resolved to it by syntax, and elsewhere by a server
	// a server could resolve them: open calls, and others where a server sees the symbol named
	doubted []link
	files   int // number of files with a call of that name
	read    int // number of those that were read
	// unasked: no server has listed the references of the symbol, and one could.
	unasked bool
}

// overriding is a method that a call may run instead of its static target, or a base
// method through whose calls a method may run.
type overriding struct {
	ref        resolve.Ref
	strategy   string
	provenance string
	confidence float64
	by         string    // the server that confirms it, "" for none
	question   *question // for a server that could confirm it, nil if none can or one has
}

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
