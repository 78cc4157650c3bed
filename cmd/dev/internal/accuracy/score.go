package accuracy

import (
	"fmt"
	"math"
	"strings"
)

// Rate is a share: Hit of N cases.
type Rate struct {
	N   int `json:"n"`
	Hit int `json:"hit"`
}

// Value returns the share, 0 if N is 0.
func (r Rate) Value() float64 {
	if r.N == 0 {
		return 0
	}
	return float64(r.Hit) / float64(r.N)
}

// z95 is the 97.5 % quantile of the normal distribution: 95 % lie between -z95
// and z95.
const z95 = 1.959964

// Bounds returns the Wilson score interval of the share at 95 % (Wilson 1927,
// without continuity correction); 0 and 1 if N is 0.
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

// StrategyScore is the precision of the edges that one strategy of the resolver
// found.
type StrategyScore struct {
	Rate
	// Stated is the sum of the confidences of the edges.
	Stated float64 `json:"-"`
}

// MinCalibrated is the least number of edges from which the precision of a
// strategy counts as measured.
const MinCalibrated = 50

// UncalibratedCap is the highest confidence that an edge may state if its
// strategy has fewer than MinCalibrated measured edges.
const UncalibratedCap = 0.7

// calibrationSlack is the tolerance of a stated confidence beyond the measured
// bounds, because stated confidences are rounded to two digits.
const calibrationSlack = 0.005

// Calibrated reports whether the confidences that the strategy's edges state
// agree with the measurement: their mean is within the bounds of the precision,
// or at most UncalibratedCap if there are too few edges. An edge that was found
// only because a name is unique states 0.5 or less whatever was measured,
// because no rule of the language supports it; for such edges only too high a
// confidence is wrong.
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

// foreign joins the name of a strategy and a language. In a repository that is measured for C, the
// edges that the strategy member found in C++ headers count as "member in cpp", because an edge
// states the confidence that was measured in the language of its file.
const foreign = " in "

// StrategyIn returns the name under which a strategy is counted: the strategy itself, or "member in
// cpp" if the language of the file is not the language of the figures.
func StrategyIn(strategy, file, figures string) string {
	if strategy == "" || file == figures {
		return strategy
	}
	return strategy + foreign + file
}

// Foreign reports whether StrategyIn has added another language to the name.
func Foreign(strategy string) bool { return strings.Contains(strategy, foreign) }

// Score holds the counts over many verdicts. A verdict is an answer with the truth about it.
type Score struct {
	Classes map[Class]int // judged sites by true class
	// Confident is the precision of the edges with at least the confidence Confident, and Shown
	// that of the edges with at least the confidence Shown.
	Confident, Shown Rate
	// Recall counts, by class, the sites whose target is in the index. Its hits are the sites with
	// a right edge of at least the confidence Confident. The hits of RecallShown need only Shown.
	Recall, RecallShown map[Class]Rate
	Strategies          map[string]*StrategyScore
	// External counts the sites whose callee is external. Its hits are the sites
	// that the resolver also says to be external.
	External Rate
	// Outside counts the sites with a callee in the index that the resolver says
	// to be external.
	Outside int
	// Absent counts the sites with a callee in the index that the resolver does
	// not list.
	Absent int
	// Unjudged counts the edges at call sites whose true target is not known. Unindexed counts the
	// call sites that the compiler lists in files that are not indexed.
	Unjudged, Unindexed int
}

// NewScore returns an empty score.
func NewScore() *Score {
	return &Score{Classes: map[Class]int{}, Recall: map[Class]Rate{}, RecallShown: map[Class]Rate{},
		Strategies: map[string]*StrategyScore{}}
}

// Add counts a verdict, an answer with the truth about it.
func (s *Score) Add(verdict *Verdict) {
	s.Classes[verdict.Truth.Class]++
	right := verdict.Right()
	if verdict.Answer.edge(Confident) {
		s.Confident.add(right)
	}
	if verdict.Answer.edge(Shown) {
		s.Shown.add(right)
		s.strategy(verdict.Answer.Strategy).count(verdict.Answer.Confidence, right)
	}
	switch {
	case verdict.Inside():
		recall(s.Recall, verdict.Truth.Class, right && verdict.Answer.edge(Confident))
		recall(s.RecallShown, verdict.Truth.Class, right && verdict.Answer.edge(Shown))
		switch {
		case verdict.Outside():
			s.Outside++
		case verdict.Answer.Outcome == OutcomeAbsent:
			s.Absent++
		}
	case verdict.Truth.Class == ClassExternal:
		s.External.add(verdict.Answer.Outcome == OutcomeExternal)
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
func (s *Score) Merge(other *Score) {
	for class, n := range other.Classes {
		s.Classes[class] += n
	}
	s.Confident.sum(other.Confident)
	s.Shown.sum(other.Shown)
	s.External.sum(other.External)
	sumAll(s.Recall, other.Recall)
	sumAll(s.RecallShown, other.RecallShown)
	for name, t := range other.Strategies {
		mine := s.strategy(name)
		mine.sum(t.Rate)
		mine.Stated += t.Stated
	}
	s.Outside += other.Outside
	s.Absent += other.Absent
	s.Unjudged += other.Unjudged
	s.Unindexed += other.Unindexed
}

func sumAll(to, from map[Class]Rate) {
	for class, r := range from {
		mine := to[class]
		mine.sum(r)
		to[class] = mine
	}
}

// Together returns the recall over static and interface sites.
func Together(by map[Class]Rate) Rate {
	r := by[ClassStatic]
	r.sum(by[ClassInterface])
	return r
}

// String returns the counts, such as "3/4".
func (r Rate) String() string { return fmt.Sprintf("%d/%d", r.Hit, r.N) }
