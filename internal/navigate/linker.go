package navigate

import (
	"context"
	"path"

	"sextant/internal/code"
	"sextant/jit"
	"sextant/l2meta"
)

// outcome is what became of a call site.
type outcome uint8

const (
	linkOpen     outcome = iota // nothing readable settles it
	linkSettled                 // it calls a symbol of the workspace
	linkExternal                // it calls the standard library or a dependency
	linkBuiltin                 // it calls what the language itself provides
	linkValue                   // it calls through a value that holds a function
)

// link is a call site with what it calls.
type link struct {
	outcome    outcome
	call       code.Call
	file       string     // of the call site
	caller     l2meta.Row // of an inbound link
	target     l2meta.Row // of a settled one
	module     string     // of an external one, "" when it is not known
	reason     string     // of an open one
	strategy   string
	provenance string
	confidence float64
}

// inbound is what is known of the callers of a symbol.
type inbound struct {
	links []link // settled on the symbol
	open  []link // of its name, and not settled
	files int    // that have a call of that name
	read  int    // of them that were read
}

// overriding is a method that a call may land in when its static target is
// another, or the other way round.
type overriding struct {
	row        l2meta.Row
	strategy   string
	provenance string
	confidence float64
}

// linker resolves call sites on one snapshot. It is not safe for concurrent
// use, and its lifetime is the snapshot's.
type linker struct {
	view     *jit.View
	symbols  l2meta.Index
	resolver *l2meta.Resolver
}

func newLinker(v *jit.View) *linker {
	return &linker{view: v, resolver: l2meta.NewResolver(v)}
}

// callees are the call sites of a symbol, all of them, in order of position.
func (l *linker) callees(ctx context.Context, row l2meta.Row) ([]link, error) {
	found, open, err := l.resolver.Callees(ctx, row.FileID, row.Index)
	if err != nil {
		return nil, err
	}
	var out []link
	for _, f := range found {
		out = append(out, settledLink(f))
	}
	for _, o := range open {
		out = append(out, openLink(o))
	}
	return out, nil
}

func settledLink(f l2meta.Resolved) link {
	return link{outcome: linkSettled, call: f.Call, file: f.File, caller: f.Caller, target: f.Target,
		strategy: f.Strategy, provenance: f.Provenance, confidence: f.Confidence}
}

func openLink(o l2meta.Open) link {
	return link{outcome: linkOpen, call: o.Call, file: o.File, reason: o.Reason}
}

// callers are the call sites that are settled on a symbol, and those of its
// name that are not settled.
func (l *linker) callers(ctx context.Context, row l2meta.Row) (in inbound, err error) {
	found, err := l.resolver.Callers(ctx, row)
	if err != nil {
		return in, err
	}
	in.files, in.read = found.Files, found.Read
	for _, f := range found.Callers {
		in.links = append(in.links, settledLink(f))
	}
	for _, o := range found.Unsettled {
		in.open = append(in.open, openLink(o))
	}
	return in, nil
}

// implementations are the methods of the workspace that a call of the method
// may be dispatched to.
func (l *linker) implementations(context.Context, l2meta.Row) ([]overriding, error) { return nil, nil }

// declarations are the interface and base methods through which a method may
// be called.
func (l *linker) declarations(context.Context, l2meta.Row) ([]overriding, error) { return nil, nil }

// members are the callables that a type declares, in order of file and
// position.
func (l *linker) members(ctx context.Context, row l2meta.Row) (out []l2meta.Row, err error) {
	rows, err := l.symbols.OfFile(ctx, l.view, row.FileID)
	for _, r := range rows {
		if r.Symbol.QualifiedName == row.Symbol.QualifiedName+"."+r.Symbol.Name && r.Symbol.Kind.Callable() {
			out = append(out, r)
		}
	}
	return out, err
}

// fileRow stands for the code of a file outside of every symbol.
func fileRow(id int64, file, language string, class code.Class, lines int) l2meta.Row {
	name := path.Base(file)
	return l2meta.Row{FileID: id, Path: file, Language: language, Class: class, Index: -1,
		Symbol: code.Symbol{Kind: code.KindFile, Name: name, QualifiedName: name, Parent: -1, Span: code.Span{StartLine: 1, EndLine: max(lines, 1)}}}
}
