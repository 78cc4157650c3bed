package proof

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Outcome classifies the resolution of a call site.
type Outcome uint8

const (
	Open     Outcome = iota // unresolved
	Settled                 // calls a symbol of the workspace
	External                // calls the standard library or a dependency
	Builtin                 // calls a builtin of the language
	Value                   // calls through a value that holds a function
)

// Link is a call site with its resolution.
type Link struct {
	Outcome    Outcome
	Call       code.Call
	File       string      // of the call site
	Language   string      // of File
	Caller     resolve.Ref // the symbol around the call site
	Target     resolve.Ref // the called symbol, if Settled
	Module     string      // module of the callee if External, "" if unknown
	Reason     string      // why it is Open, or External without a known declaration
	Strategy   string      // the rule that found Target, such as "same_file"; "" if not Settled
	Provenance string      // the evidence for Target, for users
	Confidence float64     // that Target is right

	By        string      // the language server that resolved the call, "" for none
	Refuted   resolve.Ref // the target from syntax, if a server resolved the call to another
	RefutedBy string      // the server that did; "" for none
	Provable  bool        // a server could answer for this call site, and has not
	Late      bool        // a server disagrees with syntax, but answered after the first page was made

	// Direct and Receiver limit the overrides that may run instead of Target: none if Direct is set, as
	// for super.f(); else those in subtypes of Receiver, or all if Receiver is zero.
	Direct   bool
	Receiver resolve.Ref

	hash     code.Hash // hash of the calling file
	syntax   string    // the resolution from syntax; stored with a server's verdict on it
	answered bool      // whether a server has answered for this call site
}

// Inbound holds the call sites in source code that call or may call a symbol.
type Inbound struct {
	Links []Link // resolved to the symbol
	// Unread are call sites that syntax resolves to the symbol, in files on which no server has answered.
	// A widely called symbol has thousands of them, few of which are shown, so the index's records of
	// their files are not decoded.
	Unread  []resolve.SiteRef
	Open    []resolve.SiteRef // unresolved calls of the symbol's name
	Refuted []Link            // resolved to the symbol by syntax, but to another by a server
	// Doubted are calls that a server could resolve: open calls, and calls at places that a
	// server lists as references to the symbol.
	Doubted []Link
	Files   int  // number of files with a call of the symbol's name
	Read    int  // number of those that were read
	Late    bool // more of them would have been read in a longer time
	// Unasked is true if a server could list the references to the symbol, and none has.
	Unasked bool
}

// Overriding is a method that a call may run instead of its static target, or a base
// method through whose calls a method may run.
type Overriding struct {
	Ref        resolve.Ref
	Strategy   string    // as in Link
	Provenance string    // the evidence that one overrides the other, for users
	Confidence float64   // that it does
	By         string    // the language server that confirms it, "" for none
	Question   *Question // asks a server to confirm it; nil if no server can or one has
}

// linkOf converts a call site as package resolve resolved it, from syntax alone.
func linkOf(s *resolve.Site) Link {
	l := Link{Call: *s.Call, File: s.File.Path, Language: s.File.Language, Caller: s.Caller, Reason: s.Reason}
	switch s.Outcome {
	case resolve.Settled:
		l.Outcome, l.Target, l.Strategy, l.Provenance, l.Confidence = Settled, s.Target, string(s.Strategy),
			s.Provenance, s.Confidence
		l.Direct, l.Receiver = s.Direct, s.Receiver
	case resolve.External:
		l.Outcome, l.Module = External, s.Module
		if s.Module == resolve.Builtin {
			l.Outcome = Builtin
		}
	case resolve.FuncValue:
		l.Outcome = Value
	}
	return l
}

// Confident returns the confidence of an edge that leads through the override relation base, from the
// confidence of its call: the lower one of the call's and the relation's. For a nil base, which means
// that the call reaches its target directly, it returns the call's.
func (base *Overriding) Confident(confidence float64) float64 {
	if base == nil {
		return confidence
	}
	return min(confidence, base.Confidence)
}
