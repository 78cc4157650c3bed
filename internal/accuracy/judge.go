package accuracy

import "slices"

// Outcome is what a resolver says of a site.
type Outcome string

const (
	OutcomeOpen     Outcome = "open"
	OutcomeSettled  Outcome = "settled"
	OutcomeExternal Outcome = "external"
	OutcomeValue    Outcome = "value"
	// OutcomeAbsent stands for a site of the truth that the resolver does not
	// list: extraction did not see the call.
	OutcomeAbsent Outcome = "absent"
)

const (
	// Confident is the confidence from which an edge is held to be a fact.
	Confident = 0.9
	// Shown is the confidence from which an edge is shown at all.
	Shown = 0.5
)

// Answer is what a resolver says of one call site of a file.
type Answer struct {
	Line, Column int // of the callee's last name, as in Truth
	Name         string
	Outcome      Outcome
	Target       Place // of OutcomeSettled
	Confidence   float64
	Strategy     string // of OutcomeSettled
	Reason       string // why it is open, or what the edge rests on
	Module       string // of OutcomeExternal, where known
}

// edge reports whether the answer is an edge of at least that confidence.
func (a *Answer) edge(least float64) bool {
	// A confidence is a quotient of counts: 0.9 may have lost its last bit.
	return a.Outcome == OutcomeSettled && a.Confidence >= least-1e-9
}

// Verdict is an answer beside the truth.
type Verdict struct {
	File   string
	Truth  Truth
	Answer Answer
}

// Inside reports whether the true target lies in the index.
func (v *Verdict) Inside() bool {
	return v.Truth.Class == ClassStatic || v.Truth.Class == ClassInterface
}

// Right reports whether the answer is an edge to a true target.
func (v *Verdict) Right() bool {
	return v.Answer.edge(0) && v.Inside() && slices.Contains(v.Truth.Targets, v.Answer.Target)
}

// Wrong reports whether the answer is a shown edge that leads elsewhere.
func (v *Verdict) Wrong() bool { return v.Answer.edge(Shown) && !v.Right() }

// Outside reports whether the answer says that a callee of the index lies
// outside.
func (v *Verdict) Outside() bool { return v.Inside() && v.Answer.Outcome == OutcomeExternal }

// Missed reports whether the site has a target in the index and no confident
// edge leads to it.
func (v *Verdict) Missed() bool {
	return v.Inside() && !(v.Right() && v.Answer.edge(Confident))
}

// Judge holds the answers of a file against its truth, and returns a verdict
// for every site of known truth. indexed reports whether the index has a file:
// a target that it lacks is one outside. unjudged is the number of edges at
// sites without truth.
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
			a = Answer{Line: t.Line, Column: t.Column, Name: t.Name, Outcome: OutcomeAbsent, Reason: "no call site was extracted here"}
		}
		out = append(out, Verdict{File: file, Truth: t, Answer: a})
	}
	for _, a := range at {
		unjudged += count(a)
	}
	return out, unjudged
}

func count(a Answer) int {
	if a.edge(Shown) {
		return 1
	}
	return 0
}

// inIndex is t with the targets that the index has.
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
