package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// MaxPasses bounds the attempts at an answer while one of its files changes.
const MaxPasses = 3

// passesTime bounds the time for which an answer is retried while different files change, for
// example while a branch switch is indexed in the background.
const passesTime = 3 * time.Second

// Passes counts the attempts at an answer whose files change meanwhile.
type Passes struct {
	began time.Time
	moved map[string]int // number of attempts during which a file changed
	made  int
	last  jit.Report
}

// NewPasses returns Passes without attempts, starting now.
func NewPasses() *Passes { return &Passes{began: time.Now(), moved: map[string]int{}} }

// Again records an attempt during which the files in the report changed. It returns false if the
// answer must be abandoned: after MaxPasses attempts or more, if one file changed in MaxPasses of
// them or if the time is up.
func (p *Passes) Again(changed jit.Report) bool {
	p.made++
	p.last = changed
	most := 0
	for _, file := range slices.Concat(changed.Added, changed.Modified, changed.Removed) {
		p.moved[file]++
		most = max(most, p.moved[file])
	}
	return p.made < MaxPasses || most < MaxPasses && time.Since(p.began) < passesTime
}

// KeepsMoving returns the outcome for an abandoned answer. It names the files of the last attempt.
func (p *Passes) KeepsMoving(answer string) contract.Outcome {
	return contract.CondSourceChanged.Outcome(
		"The files of %s changed on every one of %d passes, the last time %s. Repeat the call.",
		answer, p.made, moved(p.last))
}

// movedShown is the largest number of changed files that a message names.
const movedShown = 3

// moved describes the changes of a report: "a.go (modified) and 2 more".
func moved(r jit.Report) string {
	var list []string
	for _, group := range []struct {
		how   string
		paths []string
	}{{"new", r.Added}, {"modified", r.Modified}, {"gone", r.Removed}} {
		for _, p := range group.paths {
			list = append(list, fmt.Sprintf("%s (%s)", p, group.how))
		}
	}
	if more := len(list) - movedShown; more > 0 {
		list = append(list[:movedShown], fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}
