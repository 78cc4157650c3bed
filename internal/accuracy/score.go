package accuracy

import (
	"fmt"
	"math"
	"strings"
)

// Rate is a share of counts.
type Rate struct {
	N   int `json:"n"`
	Hit int `json:"hit"`
}

// Value is the share, 0 of nothing.
func (r Rate) Value() float64 {
	if r.N == 0 {
		return 0
	}
	return float64(r.Hit) / float64(r.N)
}

// z95 is the 97.5 % quantile of the normal distribution: 95 % lie between.
const z95 = 1.959964

// Bounds is the Wilson score interval of the share at 95 % (Wilson 1927,
// without continuity correction); [0, 1] of nothing.
func (r Rate) Bounds() (low, high float64) {
	if r.N == 0 {
		return 0, 1
	}
	n, p := float64(r.N), r.Value()
	middle := p + z95*z95/(2*n)
	half := z95 * math.Sqrt(p*(1-p)/n+z95*z95/(4*n*n))
	scale := 1 + z95*z95/n
	return max(0, (middle-half)/scale), min(1, (middle+half)/scale)
}

func (r *Rate) add(hit bool) {
	r.N++
	if hit {
		r.Hit++
	}
}

func (r *Rate) sum(o Rate) { r.N, r.Hit = r.N+o.N, r.Hit+o.Hit }

// StrategyScore is the precision of the edges of one strategy.
type StrategyScore struct {
	Rate
	// Stated is the sum of the confidences that the edges carried.
	Stated float64 `json:"-"`
}

// MinCalibrated is the least number of edges by which a strategy is measured.
const MinCalibrated = 50

// UncalibratedCap is the most that an edge of an unmeasured strategy may state.
const UncalibratedCap = 0.7

// calibrationSlack is how far a stated confidence may lie outside the bounds of
// what was measured: stated numbers are rounded to two digits.
const calibrationSlack = 0.005

// Calibrated reports whether what the strategy's edges state agrees with what
// was measured: within the bounds, or at most the cap where too few were. An
// edge of a unique name states 0.5 or less whatever was measured (it rests on
// no rule of the language), so there only too much is wrong.
func (s *StrategyScore) Calibrated() bool {
	if s.N == 0 {
		return true
	}
	stated := s.Stated / float64(s.N)
	if s.N < MinCalibrated {
		return stated <= UncalibratedCap+calibrationSlack
	}
	low, high := s.Bounds()
	return stated <= high+calibrationSlack && (stated >= low-calibrationSlack || stated <= Shown)
}

// foreign stands between a strategy and the language of the files that it was
// used in, where that is not the language that a repository is measured for:
// headers of C++ in a repository of C. An edge states what was measured in the
// language of its file.
const foreign = " in "

// StrategyIn names a strategy in a file of one language, for figures of another
// or the same.
func StrategyIn(strategy, file, figures string) string {
	if strategy == "" || file == figures {
		return strategy
	}
	return strategy + foreign + file
}

// Foreign reports whether the name is of a strategy in another language.
func Foreign(strategy string) bool { return strings.Contains(strategy, foreign) }

// Score is the counts of many verdicts.
type Score struct {
	Classes map[Class]int // judged sites by true class
	// Confident and Shown are precision at that confidence.
	Confident, Shown Rate
	// Recall is over the sites of a class whose target lies in the index, by
	// confident edges; RecallShown by all that are shown.
	Recall, RecallShown map[Class]Rate
	Strategies          map[string]*StrategyScore
	// External is the sites of external callees that are told to be so: the
	// recall of "external".
	External Rate
	// Outside is the sites inside that are wrongly told to be external.
	Outside int
	// Absent is the sites inside that extraction does not list.
	Absent int
	// Unjudged is the edges at sites without truth, Unindexed the sites of
	// truth in files that the index lacks.
	Unjudged, Unindexed int
}

// NewScore is a score of nothing.
func NewScore() *Score {
	return &Score{Classes: map[Class]int{}, Recall: map[Class]Rate{}, RecallShown: map[Class]Rate{}, Strategies: map[string]*StrategyScore{}}
}

// Add counts a verdict.
func (s *Score) Add(v *Verdict) {
	s.Classes[v.Truth.Class]++
	right := v.Right()
	if v.Answer.edge(Confident) {
		s.Confident.add(right)
	}
	if v.Answer.edge(Shown) {
		s.Shown.add(right)
		s.strategy(v.Answer.Strategy).count(v.Answer.Confidence, right)
	}
	switch {
	case v.Inside():
		recall(s.Recall, v.Truth.Class, right && v.Answer.edge(Confident))
		recall(s.RecallShown, v.Truth.Class, right && v.Answer.edge(Shown))
		switch {
		case v.Outside():
			s.Outside++
		case v.Answer.Outcome == OutcomeAbsent:
			s.Absent++
		}
	case v.Truth.Class == ClassExternal:
		s.External.add(v.Answer.Outcome == OutcomeExternal)
	}
}

func (s *Score) strategy(name string) *StrategyScore {
	if s.Strategies[name] == nil {
		s.Strategies[name] = &StrategyScore{}
	}
	return s.Strategies[name]
}

func (s *StrategyScore) count(confidence float64, right bool) {
	s.add(right)
	s.Stated += confidence
}

func recall(to map[Class]Rate, class Class, hit bool) {
	r := to[class]
	r.add(hit)
	to[class] = r
}

// Merge adds the counts of another score.
func (s *Score) Merge(o *Score) {
	for class, n := range o.Classes {
		s.Classes[class] += n
	}
	s.Confident.sum(o.Confident)
	s.Shown.sum(o.Shown)
	s.External.sum(o.External)
	sumAll(s.Recall, o.Recall)
	sumAll(s.RecallShown, o.RecallShown)
	for name, t := range o.Strategies {
		mine := s.strategy(name)
		mine.sum(t.Rate)
		mine.Stated += t.Stated
	}
	s.Outside += o.Outside
	s.Absent += o.Absent
	s.Unjudged += o.Unjudged
	s.Unindexed += o.Unindexed
}

func sumAll(to, from map[Class]Rate) {
	for class, r := range from {
		mine := to[class]
		mine.sum(r)
		to[class] = mine
	}
}

// Together is the recall over both classes whose target lies in the index.
func Together(by map[Class]Rate) Rate {
	r := by[ClassStatic]
	r.sum(by[ClassInterface])
	return r
}

// String is the counts: "3/4".
func (r Rate) String() string { return fmt.Sprintf("%d/%d", r.Hit, r.N) }
