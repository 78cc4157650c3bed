package l2meta

import (
	"context"
	"path"
	"strings"

	"sextant/internal/code"
	"sextant/internal/store"
)

// The strategies that settle a call, from the narrowest scope outwards.
const (
	StrategySameScope   = "same_scope"   // a function nested in the caller or in what encloses it
	StrategySameFile    = "same_file"    // a top-level name of the file
	StrategySameType    = "same_type"    // a member, through self, this or the receiver
	StrategySamePackage = "same_package" // a top-level name of the package, in another of its files
)

// Uncalibrated is the confidence of a strategy whose precision has not been
// measured on a truth set.
const Uncalibrated = 0.7

// Resolved is a call site with the symbol that it calls.
type Resolved struct {
	Call       code.Call
	File       string // of the call site
	Caller     Row
	Target     Row
	Strategy   string
	Confidence float64
	Provenance string
}

// Open is a call site that no rung settled.
type Open struct {
	Call   code.Call
	File   string
	Reason string
}

// scope is one file with everything that a call in it can be settled by.
type scope struct {
	row   store.FileRow
	rows  []Row
	facts Facts
}

// Resolver settles calls on one snapshot. It keeps the files that it read, for
// one question; it is not safe for concurrent use.
type Resolver struct {
	index Index
	view  *store.View
	files map[int64]*scope
}

// NewResolver settles calls on v, whose lifetime bounds its own.
func NewResolver(v *store.View) *Resolver {
	return &Resolver{view: v, files: map[int64]*scope{}}
}

func (r *Resolver) scope(ctx context.Context, fileID int64) (*scope, error) {
	if s, ok := r.files[fileID]; ok {
		return s, nil
	}
	row, _, err := r.view.FileByID(ctx, fileID)
	if err != nil {
		return nil, err
	}
	s := &scope{row: row}
	if s.rows, err = r.index.OfFile(ctx, r.view, fileID); err != nil {
		return nil, err
	}
	if s.facts, err = r.index.Facts(ctx, r.view, fileID); err != nil {
		return nil, err
	}
	r.files[fileID] = s
	return s, nil
}

// Callees settles the calls that the symbol makes, those of the symbols nested
// in it that are no callables of their own included.
func (r *Resolver) Callees(ctx context.Context, fileID int64, symbol int) (found []Resolved, open []Open, err error) {
	s, err := r.scope(ctx, fileID)
	if err != nil || symbol < 0 || symbol >= len(s.rows) {
		return nil, nil, err
	}
	for _, c := range s.facts.Calls {
		if !s.madeBy(c.Caller, symbol) {
			continue
		}
		hit, why, err := r.settle(ctx, s, c)
		switch {
		case err != nil:
			return nil, nil, err
		case hit == nil:
			open = append(open, Open{Call: c, File: s.row.Path, Reason: why})
		default:
			hit.Caller = s.rows[symbol]
			found = append(found, *hit)
		}
	}
	return found, open, nil
}

// madeBy reports whether a call in caller belongs to symbol: its own, or one
// in a part of it that cannot be called by itself.
func (s *scope) madeBy(caller, symbol int) bool {
	for caller >= 0 && caller < len(s.rows) {
		if caller == symbol {
			return true
		}
		if s.rows[caller].Symbol.Kind.Callable() {
			return false
		}
		caller = s.rows[caller].Symbol.Parent
	}
	return false
}

// maxCallingFiles bounds how many files a caller search reads.
const maxCallingFiles = 400

// Inbound is what is known of the callers of a symbol.
type Inbound struct {
	Callers []Resolved
	// Unsettled counts call sites of that name that no rung settled, among the
	// files read.
	Unsettled []Open
	// Files is how many files have a call of that name, Read how many of them
	// were read.
	Files, Read int
}

// Callers settles the calls of target's name in the files that may call it.
func (r *Resolver) Callers(ctx context.Context, target Row) (in Inbound, err error) {
	ids, err := r.index.Calling(ctx, r.view, target.Symbol.Name)
	if err != nil {
		return in, err
	}
	in.Files = len(ids)
	for _, id := range ids {
		if in.Read == maxCallingFiles {
			break
		}
		in.Read++
		s, err := r.scope(ctx, id)
		if err != nil {
			return in, err
		}
		for _, c := range s.facts.Calls {
			if c.Callee != target.Symbol.Name {
				continue
			}
			hit, why, err := r.settle(ctx, s, c)
			switch {
			case err != nil:
				return in, err
			case hit == nil:
				in.Unsettled = append(in.Unsettled, Open{Call: c, File: s.row.Path, Reason: why})
			case hit.Target.FileID == target.FileID && hit.Target.Index == target.Index && c.Caller >= 0:
				hit.Caller = s.rows[s.callable(c.Caller)]
				in.Callers = append(in.Callers, *hit)
			}
		}
	}
	return in, nil
}

// callable is the nearest callable that encloses symbol i, or i itself.
func (s *scope) callable(i int) int {
	for at := i; at >= 0; at = s.rows[at].Symbol.Parent {
		if s.rows[at].Symbol.Kind.Callable() {
			return at
		}
	}
	return i
}

// settle finds the one symbol that c calls, or why it stays open.
func (r *Resolver) settle(ctx context.Context, s *scope, c code.Call) (*Resolved, string, error) {
	if c.Kind == code.CallMacro || c.Kind == code.CallReference {
		return nil, "a macro or a value; not resolved from syntax", nil
	}
	if c.Receiver != "" {
		return r.settleMember(ctx, s, c)
	}
	if s.hides(c) {
		return nil, "a local value of that name hides any function", nil
	}
	if i, ok := s.local(c); ok {
		return s.resolved(c, s.rows[i], StrategySameScope, "declared in the enclosing scope"), "", nil
	}
	switch hits := s.topLevel(c.Callee); {
	case len(hits) == 1:
		return s.resolved(c, s.rows[hits[0]], StrategySameFile, "the only top-level "+c.Callee+" of the file"), "", nil
	case len(hits) > 1:
		return nil, "several top-level declarations of that name in the file", nil
	}
	if s.imports(c.Callee) {
		return nil, "comes from an import", nil
	}
	if !packageScoped(s.row.Language) {
		return nil, "not declared in the file", nil
	}
	hit, why, err := r.samePackage(ctx, s, c.Callee, "")
	if err != nil || hit == nil {
		return nil, why, err
	}
	return s.resolved(c, *hit, StrategySamePackage, "the only top-level "+c.Callee+" of the package"), "", nil
}

func (s *scope) resolved(c code.Call, target Row, strategy, provenance string) *Resolved {
	return &Resolved{Call: c, File: s.row.Path, Target: target, Strategy: strategy, Confidence: Uncalibrated, Provenance: provenance}
}

// settleMember settles self.f(), this.f() and, in Go, r.f() on a method's own
// receiver, within the type that declares the caller.
func (r *Resolver) settleMember(ctx context.Context, s *scope, c code.Call) (*Resolved, string, error) {
	owner := s.selfType(c)
	if owner == "" {
		return nil, "the type of " + c.Receiver + " is not known", nil
	}
	var hits []int
	for i := range s.rows {
		if sym := &s.rows[i].Symbol; sym.QualifiedName == owner+"."+c.Callee && sym.Kind.Callable() {
			hits = append(hits, i)
		}
	}
	if len(hits) == 1 {
		return s.resolved(c, s.rows[hits[0]], StrategySameType, "the only "+c.Callee+" of "+owner), "", nil
	}
	if len(hits) > 1 {
		return nil, "several overloads in " + owner, nil
	}
	if s.row.Language != "go" {
		return nil, "not declared in " + owner + "; may be inherited", nil
	}
	hit, why, err := r.samePackage(ctx, s, c.Callee, owner)
	if err != nil || hit == nil {
		return nil, why, err
	}
	return s.resolved(c, *hit, StrategySameType, "the only "+c.Callee+" of "+owner+" in the package"), "", nil
}

// selfType is the qualified name of the type that c's receiver stands for when
// that is the caller's own object, "" otherwise.
func (s *scope) selfType(c code.Call) string {
	for at := c.Caller; at >= 0 && at < len(s.rows); at = s.rows[at].Symbol.Parent {
		sym := &s.rows[at].Symbol
		if !sym.Kind.Callable() {
			continue
		}
		owner, _, dotted := cutLast(sym.QualifiedName)
		if s.row.Language == "go" {
			if dotted && sym.Kind == code.KindMethod && s.receiverName(at, owner) == c.Receiver {
				return owner
			}
			return ""
		}
		if (c.Receiver == "self" || c.Receiver == "this" || c.Receiver == "$this") && dotted && sym.Parent >= 0 && isTypeKind(s.rows[sym.Parent].Symbol.Kind) {
			return owner
		}
	}
	return ""
}

// receiverName is the name of a Go method's receiver.
func (s *scope) receiverName(symbol int, owner string) string {
	for _, f := range s.facts.Facts {
		if f.Kind == code.FactParam && f.Owner == symbol && goBaseType(f.Type) == owner && f.Name != "" && f.Name != "_" {
			return f.Name
		}
	}
	return ""
}

func cutLast(qualified string) (owner, name string, ok bool) {
	i := strings.LastIndexByte(qualified, '.')
	if i < 0 {
		return "", qualified, false
	}
	return qualified[:i], qualified[i+1:], true
}

func isTypeKind(k code.Kind) bool {
	switch k {
	case code.KindClass, code.KindStruct, code.KindInterface, code.KindTrait, code.KindEnum:
		return true
	}
	return false
}

// hides reports whether a parameter or local of the caller bears the callee's
// name: what is called then is a value.
func (s *scope) hides(c code.Call) bool {
	for at := c.Caller; at >= 0 && at < len(s.rows); at = s.rows[at].Symbol.Parent {
		for _, f := range s.facts.Facts {
			if f.Owner == at && f.Name == c.Callee && (f.Kind == code.FactParam || f.Kind == code.FactVar || f.Kind == code.FactAssign) {
				return true
			}
		}
	}
	return false
}

// local finds a callable nested in the caller or in what encloses it.
func (s *scope) local(c code.Call) (int, bool) {
	for at := c.Caller; at >= 0 && at < len(s.rows); at = s.rows[at].Symbol.Parent {
		if !s.rows[at].Symbol.Kind.Callable() {
			continue // members of a type are not in scope by their bare name
		}
		hit, count := 0, 0
		for i := range s.rows {
			if sym := &s.rows[i].Symbol; sym.Parent == at && sym.Name == c.Callee && s.callee(sym.Kind) {
				hit, count = i, count+1
			}
		}
		if count == 1 {
			return hit, true
		}
	}
	return 0, false
}

// callee reports whether a call may mean a symbol of that kind. Calling a type
// constructs it, save in Go, where it converts.
func (s *scope) callee(k code.Kind) bool {
	return k.Callable() || isTypeKind(k) && s.row.Language != "go"
}

// topLevel are the top-level symbols of the file that a bare call of that name
// may mean.
func (s *scope) topLevel(name string) (hits []int) {
	for i := range s.rows {
		sym := &s.rows[i].Symbol
		if sym.Name == name && sym.QualifiedName == name && s.callee(sym.Kind) {
			hits = append(hits, i)
		}
	}
	return hits
}

// imports reports whether the file imports the name, or everything of some
// module.
func (s *scope) imports(name string) bool {
	for _, i := range s.facts.Imports {
		if i.Alias == name || i.Alias == "" && i.Name == name || i.Name == "*" {
			return true
		}
	}
	return false
}

// packageScoped reports whether the files of a directory share one scope.
func packageScoped(language string) bool { return language == "go" }

// samePackage finds the one declaration of a name in the other files of the
// package; owner, if any, is the type that declares it.
func (r *Resolver) samePackage(ctx context.Context, s *scope, name, owner string) (*Row, string, error) {
	rows, err := r.index.Named(ctx, r.view, name, maxNamed)
	if err != nil {
		return nil, "", err
	}
	if len(rows) == maxNamed {
		return nil, "too many declarations of that name", nil
	}
	want, own := name, s.packageName()
	if owner != "" {
		want = owner + "." + name
	}
	var hit *Row
	for i := range rows {
		row := &rows[i]
		if row.Symbol.QualifiedName != want || !s.callee(row.Symbol.Kind) || row.Language != s.row.Language || path.Dir(row.Path) != path.Dir(s.row.Path) {
			continue
		}
		other, err := r.scope(ctx, row.FileID)
		if err != nil {
			return nil, "", err
		}
		if other.packageName() != own {
			continue
		}
		if hit != nil {
			return nil, "several declarations in the package (build constraints)", nil
		}
		hit = row
	}
	if hit == nil {
		return nil, "not declared in the package", nil
	}
	return hit, "", nil
}

// maxNamed bounds the declarations of one name that are looked at.
const maxNamed = 2000

func (s *scope) packageName() string {
	for _, f := range s.facts.Facts {
		if f.Kind == code.FactPackage {
			return f.Type
		}
	}
	return ""
}
