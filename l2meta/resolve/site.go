package resolve

import "sextant/internal/code"

// Outcome is the kind of a Verdict, the result of resolving a call.
type Outcome uint8

const (
	Open      Outcome = iota // no rung settled it; Reason says why
	Settled                  // Target is the callee
	External                 // the callee is outside the workspace; Module names it where known
	FuncValue                // it calls a function that a variable, field or parameter holds
	NoCall                   // it runs nothing: an access of a plain field, an annotation of an undeclared type
)

// Strategy is the rule that resolved a call or found an edge: a rung of the ladder in the package
// comment.
type Strategy string

const (
	SameScope    Strategy = "same_scope"    // T0: declared in the caller or in a scope around it
	SameFile     Strategy = "same_file"     // T0: a top-level name of the file
	SameType     Strategy = "same_type"     // T1: a member of the caller's own type, through self, this or the receiver
	Inherited    Strategy = "inherited"     // T1/T3: a member that a base type declares
	SamePackage  Strategy = "same_package"  // T1: a top-level name of the package or namespace, in another file
	Imported     Strategy = "imported"      // T2: a name that an import binds, or a member of an imported module
	TypedStatic  Strategy = "typed_static"  // T3: a member of a named type: T.f, T::f, super
	Constructed  Strategy = "constructed"   // T2/T3: construction of a type
	TypedWritten Strategy = "typed_written" // T3: the receiver's type is written: parameter, field, variable, cast
	TypedValue   Strategy = "typed_value"   // T3: the receiver's type follows from a construction
	TypedResult  Strategy = "typed_result"  // T3: the receiver's type is the result type of a settled call
	TypedElement Strategy = "typed_element" // T3: the receiver's type is an element type, a type argument or a bound
	Alternative  Strategy = "alternative"   // one of several declarations of a name, of which a condition chooses
	UniqueName   Strategy = "unique_name"   // T4: the only such name of an imported package
)

// strategies lists all strategies. The ledger stores a strategy as its index here, so a new one
// must be appended.
var strategies = []Strategy{SameScope, SameFile, SameType, Inherited, SamePackage, Imported, TypedStatic, Constructed,
	TypedWritten, TypedValue, TypedResult, TypedElement, UniqueName, Alternative}

// Verdict is the result of resolving a call site.
type Verdict struct {
	Outcome    Outcome
	Target     Ref      // the callee, if Settled
	Strategy   Strategy // the rung that found Target, if Settled
	Provenance string   // the evidence for Target in one line, if Settled
	Reason     string   // why there is no Target, in one line, if Open, FuncValue or Undeclared
	Module     string   // module of the callee if External; "" if unknown; Builtin for functions of the language itself
	// Undeclared means that an External verdict is not based on a declaration outside the
	// workspace, but on the fact that nothing in the workspace has the callee's name.
	Undeclared bool
	// Direct means that Target itself runs, never an implementation or override of it: super.f(),
	// T.f() by the name of its class, new T().f().
	Direct bool
	// Receiver is the declared type of the call's receiver, if it inherits Target from a base type.
	// Either Target runs, or a member of a subtype of Receiver.
	Receiver Ref
}

// Builtin is the Module of the declarations that the language itself provides.
const Builtin = "builtin"

// Resolved returns the Settled verdict for target.
func Resolved(target Ref, s Strategy, provenance string) Verdict {
	return Verdict{Outcome: Settled, Target: target, Strategy: s, Provenance: provenance}
}

// Directly returns v with Direct set, if nothing but Target can run. Direct stays unset for a
// class, whose constructors run; for a plain property, whose assigned function runs; and for
// Alternative, where a condition may choose another declaration.
func (v Verdict) Directly() Verdict {
	v.Direct = v.Outcome == Settled && !IsType(v.Target.Symbol().Kind) && v.Strategy != Alternative &&
		(v.Target.Symbol().Computed || !holdsValue(v.Target.Symbol().Kind))
	return v
}

// DirectlyIf returns v.Directly() if direct is set, and v otherwise.
func (v Verdict) DirectlyIf(direct bool) Verdict {
	if direct {
		return v.Directly()
	}
	return v
}

// On returns v with Receiver set to the receiver's declared type, if that type can change which
// override runs.
func (v Verdict) On(receiver Ref) Verdict {
	if v.Outcome == Settled && receiver.Valid() && IsType(receiver.Symbol().Kind) && Dispatchable(v.Target.Symbol()) &&
		!IsType(v.Target.Symbol().Kind) && v.Target.Symbol().Kind != code.KindConstructor &&
		receiver != v.Target.Parent() {
		v.Receiver = receiver
	}
	return v
}

// Unresolved returns the Open verdict, for a reason.
func Unresolved(reason string) Verdict { return Verdict{Reason: reason} }

// ExternalTo returns the External verdict for a module; "" if the module is unknown.
func ExternalTo(module string) Verdict { return Verdict{Outcome: External, Module: module} }

// undeclared returns the verdict for a member call of a name that the workspace does not declare.
func undeclared(language, name string) Verdict {
	return Verdict{Outcome: External, Undeclared: true,
		Reason: "no " + language + " declaration in the workspace is named " + name}
}

// ThroughValue returns the FuncValue verdict: the call runs a function that a variable holds.
func ThroughValue(reason string) Verdict { return Verdict{Outcome: FuncValue, Reason: reason} }

// Site is a call site with its verdict.
type Site struct {
	Verdict
	File *File
	Call *code.Call
	// Caller is the nearest callable that encloses the site; the file's code (Index -1) if there is
	// none.
	Caller Ref
	// Confidence is the calibrated precision of Strategy in this language, 0
	// unless the site is settled.
	Confidence float64
}

// Dispatch is a declaration, Target, that may run instead of Via, which it implements or overrides.
type Dispatch struct {
	Target     Ref
	Via        Ref // the declaration in the interface or base class to which the call resolves
	Confidence float64
	Provenance string
}
