package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/accuracy"
)

// maxReasons is the largest number of reasons for missed calls that are printed.
const maxReasons = 25

func printScore(s *accuracy.Score) {
	f := accuracy.Publish(s)
	fmt.Printf("  sites: %d static, %d interface, %d value, %d external; %d not indexed, %d edges without truth\n",
		f.Sites[accuracy.ClassStatic], f.Sites[accuracy.ClassInterface], f.Sites[accuracy.ClassValue],
		f.Sites[accuracy.ClassExternal], f.Unindexed, f.Unjudged)
	fmt.Printf("  precision  ≥ 0.9 %s of %d   shown %s of %d\n", f.Precision, f.Precision.N, f.PrecisionShown,
		f.PrecisionShown.N)
	fmt.Printf("  recall     static %s  interface %s  together %s  shown %s\n", f.RecallStatic, f.RecallInterface,
		f.Recall, f.RecallShown)
	fmt.Printf("  external   precision %s  recall %s; inside told external %d, not extracted %d\n",
		f.ExternalPrecision(), f.External, f.Outside, f.Absent)
}

// samples prints random call sites: at most --misses missed ones, --outside ones whose callee was
// wrongly taken for external, and --wrong wrong ones.
func (r *runner) samples(dir string, verdicts []accuracy.Verdict) {
	verdicts = slices.DeleteFunc(verdicts, func(v accuracy.Verdict) bool { return !r.picked(&v) })
	if r.misses > 0 {
		missed := filter(verdicts, func(v *accuracy.Verdict) bool { return v.Missed() && !v.Wrong() })
		fmt.Printf("  %d missed, by reason:\n", len(missed))
		printReasons(missed)
		r.print(dir, missed, r.misses)
	}
	if r.outside > 0 {
		outside := filter(verdicts, (*accuracy.Verdict).Outside)
		fmt.Printf("  %d inside told external:\n", len(outside))
		r.print(dir, outside, r.outside)
	}
	if r.wrong > 0 {
		wrong := filter(verdicts, (*accuracy.Verdict).Wrong)
		fmt.Printf("  %d wrong:\n", len(wrong))
		r.print(dir, wrong, r.wrong)
	}
}

// picked reports whether the flags select a verdict, by its class, strategy and reason.
func (r *runner) picked(v *accuracy.Verdict) bool {
	return (len(r.classes) == 0 || slices.Contains(r.classes, string(v.Truth.Class))) &&
		(len(r.strategies) == 0 || slices.Contains(r.strategies, v.Answer.Strategy)) &&
		strings.Contains(v.Answer.Reason, r.reason)
}

func filter(all []accuracy.Verdict, keep func(*accuracy.Verdict) bool) (out []accuracy.Verdict) {
	for i := range all {
		if keep(&all[i]) {
			out = append(out, all[i])
		}
	}
	return out
}

// printReasons counts missed sites by reason and prints the most frequent
// reasons.
func printReasons(missed []accuracy.Verdict) {
	n := map[string]int{}
	for _, v := range missed {
		n[fmt.Sprintf("%s: %s", v.Answer.Outcome, v.Answer.Reason)]++
	}
	reasons := slices.SortedFunc(maps.Keys(n), func(a, b string) int {
		return cmp.Or(n[b]-n[a], strings.Compare(a, b))
	})
	for _, reason := range reasons[:min(len(reasons), maxReasons)] {
		fmt.Printf("    %6d  %s\n", n[reason], reason)
	}
}

// print prints n random verdicts (answers with the truth about them), in order. The seed determines
// the choice.
func (r *runner) print(dir string, verdicts []accuracy.Verdict, n int) {
	rnd := rand.New(rand.NewPCG(r.seed, 0))
	drawn := rnd.Perm(len(verdicts))[:min(n, len(verdicts))]
	slices.Sort(drawn)
	for _, i := range drawn {
		v := &verdicts[i]
		fmt.Printf("    %s:%d:%d %s is %s", v.File, v.Truth.Line, v.Truth.Column, v.Truth.Name, v.Truth.Class)
		for _, t := range v.Truth.Targets {
			fmt.Printf(" %s:%d", t.File, t.Line)
		}
		fmt.Printf("\n      %s\n      told %s", sourceLine(filepath.Join(dir, v.File), v.Truth.Line), v.Answer.Outcome)
		if v.Answer.Outcome == accuracy.OutcomeSettled {
			fmt.Printf(" %s:%d by %s at %.2f", v.Answer.Target.File, v.Answer.Target.Line, v.Answer.Strategy,
				v.Answer.Confidence)
		}
		fmt.Printf(": %s\n", v.Answer.Reason)
	}
}

// list appends a line per verdict (an answer with the truth about it) to the file of --sites. Two
// such files compare two resolvers site by site.
func (r *runner) list(repo string, verdicts []accuracy.Verdict) (err error) {
	f, err := os.OpenFile(r.sites, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriter(f)
	for _, v := range verdicts {
		fmt.Fprintf(out, "%s\t%s:%d:%d\t%s\t%s\t%s\t%s\n", repo, v.File, v.Truth.Line, v.Truth.Column, v.Truth.Name,
			v.Truth.Class, v.Answer.Outcome, v.Answer.Reason)
	}
	return out.Flush()
}

// sourceLine returns a line of a file, trimmed, or "" if there is no such line.
func sourceLine(name string, line int) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); line-- {
		if line == 1 {
			return strings.TrimSpace(lines.Text())
		}
	}
	return ""
}
