package main

import (
	"fmt"
	"io"

	"sextant/cmd/dev/internal/quality"
)

// report holds the figures of one kind of question.
type report struct {
	Kind         string                     `json:"kind"`
	Split        string                     `json:"split"`
	Limit        int                        `json:"limit,omitempty"` // maximum of questions per repository; 0 means all
	All          map[string]quality.Metrics `json:"all"`             // way to search → metrics over all questions
	Against      map[string]gain            `json:"against"`         // gain of search over each other way
	Repositories []repositoryFigures        `json:"repositories"`
	// ByFile counts a result of search_codebase in a right file, whatever its symbol; nil for questions
	// that ask for files.
	ByFile       *quality.Metrics `json:"by_file,omitempty"`
	Unanswerable int              `json:"unanswerable,omitempty"`
	// Low is the number of unanswerable questions that were answered with low confidence.
	Low int `json:"low,omitempty"`
	// Unsure is the number of answerable questions that were answered with low confidence.
	Unsure int `json:"unsure,omitempty"`
}

// gain is a difference in MRR@10, averaged over questions.
type gain struct {
	Mean     float64    `json:"mean"`
	Interval [2]float64 `json:"interval95"`
	ByMean   float64    `json:"repositories"` // mean of the differences per repository
	Worse    []string   `json:"worse,omitempty"`
}

// repositoryFigures holds the figures of one repository; the keys of its maps
// are the ways to search.
type repositoryFigures struct {
	Repository string             `json:"repository"`
	Questions  int                `json:"questions"`
	MRR        map[string]float64 `json:"mrr10"`
	At5        map[string]float64 `json:"acc5"`
}

// summarise computes the report of one kind of question from the figures of its
// repositories.
func summarise(kind, split string, limit int, measured []figures) report {
	out := report{Kind: kind, Split: split, Limit: limit, All: map[string]quality.Metrics{}, Against: map[string]gain{}}
	pooled := map[string][]int{}
	var byFile []int
	for _, f := range measured {
		byFile = append(byFile, f.byFile...)
		one := repositoryFigures{f.repository, len(f.ranks[complete]), map[string]float64{}, map[string]float64{}}
		for way, ranks := range f.ranks {
			pooled[way] = append(pooled[way], ranks...)
			m := quality.Measure(ranks)
			one.MRR[way], one.At5[way] = round(m.MRR), round(m.At5)
		}
		out.Repositories = append(out.Repositories, one)
		out.Unanswerable, out.Low, out.Unsure = out.Unanswerable+f.missing, out.Low+f.low, out.Unsure+f.unsure
	}
	for way, ranks := range pooled {
		m := rounded(ranks)
		out.All[way] = m
		if way == complete {
			continue
		}
		g := gain{}
		g.Mean, g.Interval = quality.Difference(pooled[complete], ranks)
		for _, f := range measured {
			d, _ := quality.Difference(f.ranks[complete], f.ranks[way])
			g.ByMean += d / float64(len(measured))
			if d < 0 {
				g.Worse = append(g.Worse, f.repository)
			}
		}
		g.Mean, g.ByMean, g.Interval = round(g.Mean), round(g.ByMean),
			[2]float64{round(g.Interval[0]), round(g.Interval[1])}
		out.Against[way] = g
	}
	if kind == "questions" {
		m := rounded(byFile)
		out.ByFile = &m
	}
	return out
}

// rounded measures ranks and rounds the figures to four digits.
func rounded(ranks []int) quality.Metrics {
	m := quality.Measure(ranks)
	for _, x := range []*float64{&m.MRR, &m.At1, &m.At5, &m.At10, &m.Interval[0], &m.Interval[1]} {
		*x = round(*x)
	}
	return m
}

func (r *report) print(out io.Writer) {
	for _, way := range allWays {
		m, ok := r.All[way]
		if !ok {
			continue
		}
		fmt.Fprintf(out, "%-9s %-10s %d questions, MRR@10 %.3f [%.3f, %.3f], Acc@1 %.3f, @5 %.3f, @10 %.3f", r.Kind,
			way, m.Questions, m.MRR, m.Interval[0], m.Interval[1], m.At1, m.At5, m.At10)
		if g, ok := r.Against[way]; ok {
			fmt.Fprintf(out, "; search has %+.3f [%+.3f, %+.3f], by repository %+.3f, less in %v", g.Mean,
				g.Interval[0], g.Interval[1], g.ByMean, g.Worse)
		}
		fmt.Fprintln(out)
	}
	if m := r.ByFile; m != nil {
		fmt.Fprintf(out, "%-9s by file    %d questions, MRR@10 %.3f [%.3f, %.3f], Acc@1 %.3f, @5 %.3f, @10 %.3f\n", r.Kind,
			m.Questions, m.MRR, m.Interval[0], m.Interval[1], m.At1, m.At5, m.At10)
	}
	if r.Unanswerable > 0 {
		fmt.Fprintf(out, "%-9s %d of %d unanswerable questions are answered low, and %d of the others\n", r.Kind,
			r.Low, r.Unanswerable, r.Unsure)
	}
}
