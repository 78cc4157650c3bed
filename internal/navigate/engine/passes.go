package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// MaxPasses bounds the attempts to make an answer while one of the files that it
// shows changes.
const MaxPasses = 3

// passesTime bounds the time for which an answer is made again while different files
// change, as they do when a branch switch is being indexed in the background.
const passesTime = 3 * time.Second

// Passes counts the attempts to make an answer whose files change meanwhile.
type Passes struct {
	began time.Time
	moved map[string]int // the number of passes in which a file had changed
	made  int
	last  jit.Report
}

// NewPasses returns a count of no pass, which begins now.
func NewPasses() *Passes { return &Passes{began: time.Now(), moved: map[string]int{}} }

// Again counts a pass in which the files of changed had changed. It reports false if
// the answer is to be given up: one file had changed in MaxPasses passes, or the time is
// over.
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

// KeepsMoving returns the outcome of an answer that is given up. It names the files of
// the last pass.
func (p *Passes) KeepsMoving(answer string) contract.Outcome {
	return contract.CondSourceChanged.Outcome("The files of %s changed on every one of %d passes, the last time %s. Repeat the call.",
		answer, p.made, moved(p.last))
}

// movedShown bounds the paths that a message names.
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
