package accuracy

import "slices"

// Outcome is the kind of a resolver's answer for a site.
type Outcome string

const (
	OutcomeOpen     Outcome = "open"
	OutcomeSettled  Outcome = "settled"
	OutcomeExternal Outcome = "external"
	OutcomeValue    Outcome = "value"
	// OutcomeAbsent marks a call site that the compiler lists but the resolver does not, because
	// extraction missed the call.
	OutcomeAbsent Outcome = "absent"
)

const (
	// Confident is the least confidence of an edge that counts as certain.
	Confident = 0.9
	// Shown is the least confidence of an edge that answers show by default.
	Shown = 0.5
)

// Answer is a resolver's answer for one call site of a file.
type Answer struct {
	Line, Column int // position of the callee's last name, as in Truth
	Name         string
	Outcome      Outcome
	Target       Place // target, if the outcome is OutcomeSettled
	Confidence   float64
	Strategy     string // strategy, if the outcome is OutcomeSettled
	Reason       string // why the site is open, or the provenance of the edge
	Module       string // module, if the outcome is OutcomeExternal and the module is known
	Write        bool   // for an access, whether the member is assigned
}

// edge reports whether the answer is an edge with at least that confidence.
func (a *Answer) edge(least float64) bool {
	// A confidence is a quotient of counts, which may be rounded.
	return a.Outcome == OutcomeSettled && a.Confidence >= least-1e-9
}

// Verdict is the resolver's answer for one call site, together with the truth, a compiler's answer.
type Verdict struct {
	File   string
	Truth  Truth
	Answer Answer
}

// Inside reports whether the true target is declared in a file of the index.
func (v *Verdict) Inside() bool {
	return v.Truth.Class == ClassStatic || v.Truth.Class == ClassInterface
}

// Right reports whether the answer is an edge to a true target.
func (v *Verdict) Right() bool {
	return v.Answer.edge(0) && v.Inside() && slices.Contains(v.Truth.Targets, v.Answer.Target)
}

// Wrong reports whether the answer is a shown edge to a false target.
func (v *Verdict) Wrong() bool { return v.Answer.edge(Shown) && !v.Right() }

// Outside reports whether the answer says that the callee is external although
// it is in the index.
func (v *Verdict) Outside() bool { return v.Inside() && v.Answer.Outcome == OutcomeExternal }

// Missed reports whether the site has a target in the index, but no confident
// edge to it.
func (v *Verdict) Missed() bool {
	return v.Inside() && !(v.Right() && v.Answer.edge(Confident))
}

// Judge compares the answers for the call sites of a file with the truth, a compiler's answers. It
// returns a verdict for each site whose target the compiler knows. indexed reports whether the
// index contains a file; a target in any other file counts as external. unjudged is the number of
// edges at sites whose target is not known.
func Judge(file string, truth []Truth, answers []Answer, indexed func(file string) bool) (out []Verdict, unjudged int) {
	at := make(map[position]Answer, len(answers))
	for _, a := range answers {
		at[position{a.Line, a.Column}] = a
	}
	for _, t := range truth {
		a, found := at[t.position()]
		delete(at, t.position())
		if t = inIndex(t, indexed); t.Class == ClassUnknown {
			unjudged += count(a)
			continue
		}
		if !found {
			a = Answer{Line: t.Line, Column: t.Column, Name: t.Name, Outcome: OutcomeAbsent,
				Reason: "no call site was extracted here"}
		}
		out = append(out, Verdict{File: file, Truth: t, Answer: a})
	}
	for _, a := range at {
		unjudged += count(a)
	}
	return out, unjudged
}

// count returns 1 for an edge that is shown, else 0.
func count(a Answer) int {
	if a.edge(Shown) {
		return 1
	}
	return 0
}

// inIndex returns t without the targets in files that are not in the index. If no target remains,
// the class of t becomes external.
func inIndex(t Truth, indexed func(string) bool) Truth {
	if len(t.Targets) == 0 {
		return t
	}
	t.Targets = slices.DeleteFunc(slices.Clone(t.Targets), func(p Place) bool { return !indexed(p.File) })
	if len(t.Targets) == 0 {
		t.Class = ClassExternal
	}
	return t
}
