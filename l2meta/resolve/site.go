package resolve

import "sextant/internal/code"

// Outcome is what is known of a call site.
type Outcome uint8

const (
	Open      Outcome = iota // no rung settled it; Reason says why
	Settled                  // Target is what it calls
	External                 // what it calls is outside the workspace: Module, where known
	FuncValue                // it calls a function that a variable, field or parameter holds
	NoCall                   // an annotation, which runs nothing where it stands, of a type that nothing readable declares
)

// Strategy is the rung that settled a call, or found an edge.
type Strategy string

const (
	SameScope    Strategy = "same_scope"    // T0: nested in the caller or in what encloses it
	SameFile     Strategy = "same_file"     // T0: a top-level name of the file
	SameType     Strategy = "same_type"     // T1: a member that the own type declares, through self, this or the receiver
	Inherited    Strategy = "inherited"     // T1/T3: a member that a base type declares
	SamePackage  Strategy = "same_package"  // T1: a top-level name of the package or namespace, in another file
	Imported     Strategy = "imported"      // T2: a name that an import brings, or a member of an imported module
	TypedStatic  Strategy = "typed_static"  // T3: a member of a type that is named: T.f, T::f, super
	Constructed  Strategy = "constructed"   // T2/T3: construction of a type
	TypedWritten Strategy = "typed_written" // T3: the receiver's type is written: parameter, field, variable, cast
	TypedValue   Strategy = "typed_value"   // T3: the receiver's type follows from a construction
	TypedResult  Strategy = "typed_result"  // T3: … from the result type of a settled call
	TypedElement Strategy = "typed_element" // T3: … from the element type of a container, a type argument or a parameter's bound
	Alternative  Strategy = "alternative"   // one of several declarations of a name, of which a condition chooses
	UniqueName   Strategy = "unique_name"   // T4: the only such name of an imported package
)

// Verdict is what a language says of a call site.
type Verdict struct {
	Outcome    Outcome
	Target     Ref      // of Settled
	Strategy   Strategy // of Settled
	Provenance string   // of Settled: how it was found, one line
	Reason     string   // of Open, FuncValue and an Undeclared one, one line
	Module     string   // of External, "" when not known; Builtin for what the language itself provides
	// Undeclared says of External that no declaration was found outside: nothing
	// in the workspace bears the callee's name.
	Undeclared bool
	// Direct says that Target itself runs, and nothing that implements or
	// overrides it: super.f(), T.f() by the name of its class, new T().f().
	Direct bool
	// Receiver is the type that the receiver is declared to be, where Target is
	// declared by a base of it: what runs is Target or a member of its subtypes.
	Receiver Ref
}

// Builtin is the Module of what the language itself provides.
const Builtin = "builtin"

// Resolved returns the verdict for target.
func Resolved(target Ref, s Strategy, provenance string) Verdict {
	return Verdict{Outcome: Settled, Target: target, Strategy: s, Provenance: provenance}
}

// Directly returns v as a call that is not dispatched. A class by its name runs what
// constructs it all the same, a property what it is given, and a condition may have chosen another declaration.
func (v Verdict) Directly() Verdict {
	v.Direct = v.Outcome == Settled && !IsType(v.Target.Symbol().Kind) && !holdsValue(v.Target.Symbol().Kind) && v.Strategy != Alternative
	return v
}

// DirectlyIf returns v, as a call that is not dispatched where direct is set.
func (v Verdict) DirectlyIf(direct bool) Verdict {
	if direct {
		return v.Directly()
	}
	return v
}

// On returns v as a call on a receiver of a type of the workspace.
func (v Verdict) On(receiver Ref) Verdict {
	if v.Outcome == Settled && receiver.Valid() && IsType(receiver.Symbol().Kind) && Dispatchable(v.Target.Symbol()) && !IsType(v.Target.Symbol().Kind) && v.Target.Symbol().Kind != code.KindConstructor && receiver != v.Target.Parent() {
		v.Receiver = receiver
	}
	return v
}

func Unresolved(reason string) Verdict { return Verdict{Reason: reason} }

func ExternalTo(module string) Verdict { return Verdict{Outcome: External, Module: module} }

// undeclared returns the verdict for a member call of a name that nothing in the
// workspace bears.
func undeclared(language, name string) Verdict {
	return Verdict{Outcome: External, Undeclared: true, Reason: "no " + language + " declaration in the workspace is named " + name}
}

func ThroughValue(reason string) Verdict { return Verdict{Outcome: FuncValue, Reason: reason} }

// Site is a call site with what is known of it.
type Site struct {
	Verdict
	File *File
	Call *code.Call
	// Caller is the nearest callable around the site; the code of the file
	// (Index -1) where there is none.
	Caller Ref
	// Confidence is the calibrated precision of Strategy in this language, 0
	// unless the site is settled.
	Confidence float64
}

// Dispatch is a declaration that may run in the place of one that it
// implements or overrides.
type Dispatch struct {
	Target     Ref
	Via        Ref // the interface's or base class's declaration that was dispatched through
	Confidence float64
	Provenance string
}
