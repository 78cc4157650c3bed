package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sextant/cmd/dev/internal/accuracy"
	"sextant/cmd/dev/internal/stdio"
)

// proving measures the call graph's edges that language servers confirmed. It runs the program and
// calls the tool call_graph for sampled functions, with verify:wait and without. It compares both
// answers with the truth, the targets that a compiler found.
type proving struct {
	*options
	binary string
	truth  string
	count  int
	wait   time.Duration
}

// proveCommand returns the subcommand prove, which measures the edges that language servers
// confirmed.
func proveCommand(o *options) *cobra.Command {
	p := &proving{options: o}
	cmd := &cobra.Command{
		Use: "prove", Short: "Measure edges that language servers proved", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&p.binary, "binary", "", "the program to measure (default: built from here)")
	f.StringVar(&p.truth, "truth", "",
		"folder of the truth below .truth, such as python-traced (default: the language's)")
	f.IntVar(&p.count, "count", 400, "callables of a repository")
	f.DurationVar(&p.wait, "wait", 2*time.Minute, "deadline of a question")
	return cmd
}

// run measures the chosen repositories. If one of them cannot be measured, run continues with the
// others and returns the error at the end.
func (p *proving) run(ctx context.Context) error {
	entries, err := accuracy.ReadCorpus(corpusLock)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "prove-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if p.binary == "" {
		p.binary = filepath.Join(scratch, "sextant")
		build := exec.CommandContext(ctx, "go", "build", "-o", p.binary, "./cmd/sextant")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	if p.home == "" {
		p.home = scratch
	}
	var lacking error
	for i := range entries {
		if e := &entries[i]; p.wants(e) {
			if err := p.measure(ctx, e); err != nil {
				lacking = errors.Join(lacking, fmt.Errorf("%s: %w", e.Repo, err))
			}
		}
	}
	return lacking
}

// proof holds the measurements of a repository.
type proof struct {
	accuracy.Proof
	callables, edges, partial int
	confirmed, refuted, added int
	took                      time.Duration // total of the queries with servers
	wrong, open               []string
}

// measure indexes one repository through the program, queries sampled callables
// and prints the figures.
func (p *proving) measure(ctx context.Context, entry *accuracy.Entry) (err error) {
	dir, err := entry.Dir(ctx, p.corpus)
	if err != nil {
		return err
	}
	name := entry.TruthFile(p.corpus)
	if p.truth != "" {
		name = filepath.Join(p.corpus, ".truth", p.truth, filepath.Base(name))
	}
	if _, err := os.Stat(name); p.truth == accuracy.GoTraced && errors.Is(err, fs.ErrNotExist) {
		if err := accuracy.MakeTruth(ctx, p.truth, dir, name); err != nil {
			return err
		}
	}
	truth, err := accuracy.ReadTruthFile(name)
	if err != nil {
		return err
	}
	conn, err := stdio.Serve(ctx, p.binary, p.home, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var made struct{ Status, Message string }
	if err := conn.Call("manage_index", map[string]any{"action": "create", "path": dir, "wait": true,
		"deadlineMs": 600000}, &made); err != nil {
		return err
	}
	got := &proof{}
	sites := accuracy.NewSites(truth)
	files := slices.Clone(sites.Files)
	random := rand.New(rand.NewPCG(p.seed, 0))
	random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for _, file := range files {
		if got.callables >= p.count {
			break
		}
		if err := p.file(conn, dir, file, sites.Of(file), got); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	got.print(entry)
	for _, w := range got.wrong[:min(len(got.wrong), p.options.wrong)] {
		fmt.Println("    wrong:", w)
	}
	for _, s := range got.open[:min(len(got.open), p.options.misses)] {
		fmt.Println("   ", s)
	}
	return nil
}

// callables lists the kinds of symbols that may contain call sites and appear as callers in the
// index.
var callables = []string{"function", "method", "constructor", "component", "hook", "test"}

// outlineSymbol is a symbol in an answer of the tool file_outline. It has only the fields that are
// used here.
type outlineSymbol struct {
	SymbolID, Kind string
	Span           lines
}

// page is the part of an answer with the call that continues it, if the answer was cut off.
type page struct {
	Truncated *struct {
		Next *struct{ Args map[string]any }
	}
}

// next returns the arguments of the call for the next page, nil if the answer
// is complete.
func (p *page) next() map[string]any {
	if p.Truncated == nil || p.Truncated.Next == nil {
		return nil
	}
	return p.Truncated.Next.Args
}

// outline returns all symbols of a file.
func (p *proving) outline(c *stdio.Client, dir, file string) (out []outlineSymbol, err error) {
	for args := map[string]any{"path": dir, "file": file, "limitSymbols": 5000, "maxTokens": 25000}; args != nil; {
		var a struct {
			page
			Outline *struct{ Symbols []outlineSymbol }
		}
		if err := c.Call("file_outline", args, &a); err != nil {
			return nil, err
		}
		if a.Outline != nil {
			out = append(out, a.Outline.Symbols...)
		}
		args = a.next()
	}
	return out, nil
}

// perFile is the largest number of functions that are measured per file, because those of one
// file are similar.
const perFile = 12

// file measures the functions in a file that contain call sites of the truth, at most perFile of
// them.
func (p *proving) file(conn *stdio.Client, dir, file string, truth []accuracy.Truth, got *proof) error {
	symbols, err := p.outline(conn, dir, file)
	if err != nil {
		return err
	}
	of := make([][]accuracy.Truth, len(symbols))
	for _, t := range truth {
		inner := -1 // index of the innermost callable around the site
		for i, s := range symbols {
			if slices.Contains(callables, s.Kind) && s.Span.StartLine <= t.Line && t.Line <= s.Span.EndLine &&
				(inner < 0 || s.Span.StartLine >= symbols[inner].Span.StartLine) {
				inner = i
			}
		}
		if inner >= 0 {
			of[inner] = append(of[inner], t)
		}
	}
	asked := 0
	for i, s := range symbols {
		if len(of[i]) == 0 {
			continue
		}
		if asked++; asked > perFile || got.callables >= p.count {
			break
		}
		if err := p.callable(conn, dir, file, s.SymbolID, of[i], got); err != nil {
			return err
		}
	}
	return nil
}

// ask queries the callees of a symbol with call_graph, and merges all pages of the answer.
func (p *proving) ask(c *stdio.Client, dir, file, symbol, verify string) (whole graph, err error) {
	args := map[string]any{"path": dir, "symbolRef": map[string]any{"file": file, "symbolId": symbol},
		"direction": "callees", "limit": 500,
		"maxTokens": 25000, "verify": verify, "deadlineMs": p.wait.Milliseconds()}
	for first := true; args != nil; first = false {
		var a graph
		if err := c.Call("call_graph", args, &a); err != nil {
			return whole, err
		}
		if args = a.next(); first {
			whole = a
			continue
		}
		whole.Nodes, whole.Edges, whole.Notes = append(whole.Nodes, a.Nodes...), append(whole.Edges, a.Edges...),
			append(whole.Notes, a.Notes...)
		if v, w := a.Verification, whole.Verification; v != nil && w != nil {
			w.Confirmed, w.Refuted, w.Added = w.Confirmed+v.Confirmed, w.Refuted+v.Refuted, w.Added+v.Added
			if v.State != "complete" {
				w.State = v.State
			}
		}
	}
	return whole, nil
}

// callable queries the calls of one function, first without and then with language servers. It
// compares both answers with the truth, and adds the result to got.
func (p *proving) callable(c *stdio.Client, dir, file, symbol string, truth []accuracy.Truth, got *proof) error {
	before, err := p.ask(c, dir, file, symbol, "off")
	if err != nil {
		return err
	}
	began := time.Now()
	after, err := p.ask(c, dir, file, symbol, "wait")
	if err != nil {
		return err
	}
	got.took += time.Since(began)
	got.callables++
	if v := after.Verification; v != nil {
		got.confirmed, got.refuted, got.added = got.confirmed+v.Confirmed, got.refuted+v.Refuted, got.added+v.Added
		if v.State != "complete" {
			got.partial++
		}
	}
	edges := provenEdges(&after)
	got.edges += len(edges)
	wrong, open := got.Add(truth, provenEdges(&before), edges)
	for _, w := range wrong {
		got.wrong = append(got.wrong, fmt.Sprintf("%s:%d %s → %s:%d", file, w.Line, w.Name, w.File, w.From))
	}
	for i := range open {
		s, what := &open[i], "missed"
		if s.Found {
			what = "not proven"
		}
		got.open = append(got.open, fmt.Sprintf("%s: %s:%d:%d %s → %s:%d; answered: %s", what, file, s.Line,
			s.Column, s.Name, s.Targets[0].File, s.Targets[0].Line, after.said(s.Line)))
	}
	return nil
}

// lines is a range of lines, 1-based and inclusive.
type lines struct{ StartLine, EndLine int }

// graph is an answer of the tool call_graph. It has only the fields that are used here.
type graph struct {
	page
	Nodes []struct {
		SymbolID, SymbolLabel, File string
		Span                        lines
	}
	Edges []struct {
		DstSymbolID, Kind, Evidence string
		Site                        lines
		Confidence                  float64
	}
	Notes []struct {
		Type, Target, Detail string
		Line                 int
	}
	Verification *struct {
		State                     string
		Confirmed, Refuted, Added int
	}
}

// said returns a text about the calls on a line, with the edges and notes of the answer.
func (a *graph) said(line int) string {
	var out []string
	for _, e := range provenEdges(a) {
		if e.Line == line {
			out = append(out, fmt.Sprintf("%s in %s:%d at %.2f", e.Name, e.File, e.From, e.Stated))
		}
	}
	for _, n := range a.Notes {
		if n.Line == line {
			out = append(out, fmt.Sprintf("%s %s (%s)", n.Type, n.Target, n.Detail))
		}
	}
	return cmp.Or(strings.Join(out, "; "), "nothing")
}

// provenEdges returns the edges of an answer to callees with a file. It skips edges of dynamic
// dispatch, which do not belong to a single call site.
func provenEdges(a *graph) (out []accuracy.ProvenEdge) {
	nodes := map[string]int{}
	for i := range a.Nodes {
		nodes[a.Nodes[i].SymbolID] = i
	}
	for _, e := range a.Edges {
		i, ok := nodes[e.DstSymbolID]
		if !ok || a.Nodes[i].File == "" || e.Kind != "call" {
			continue
		}
		n := &a.Nodes[i]
		out = append(out, accuracy.ProvenEdge{
			Line: e.Site.StartLine, Name: lastName(n.SymbolLabel), File: n.File, From: n.Span.StartLine,
			To:     n.Span.EndLine,
			Proven: e.Evidence == "proven", Stated: e.Confidence,
		})
	}
	return out
}

// lastName returns the name in a label such as "method (*Router).Create(c
// Ctx)".
func lastName(label string) string {
	label, _, _ = strings.Cut(strings.TrimPrefix(label, "("), "(")
	return label[strings.LastIndexAny(label, ".:#/ )")+1:]
}

func (g *proof) print(e *accuracy.Entry) {
	fmt.Printf(
		"%s (%s, %s): %d callables, %d edges in %.1f s; confirmed %d, refuted %d, added %d; %d answers not complete\n",
		e.Repo, e.Language, e.Split, g.callables, g.edges, g.took.Seconds(), g.confirmed, g.refuted, g.added, g.partial)
	fmt.Printf("  proven precision %.4f (%s); static recall: proven %.4f, proven or ≥ 0.9 %.4f, syntax alone %.4f "+
		"(of %d); interface %.4f (of %d); at function values %d (of %d), unjudged %d\n",
		g.Precision.Value(), g.Precision, g.RecallProven.Value(), g.RecallStatic.Value(), g.RecallBefore.Value(),
		g.RecallStatic.N,
		g.RecallInterface.Value(), g.RecallInterface.N, g.AtValues, g.Values, g.Unjudged)
}
