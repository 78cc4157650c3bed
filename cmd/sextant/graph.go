package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/code"
	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

// graphFormats lists the values of --format.
var graphFormats = []string{"tree", "text", "json", "mermaid", "dot", "svg"}

// graphOptions holds the flags of the graph command for which the tool call_graph has no
// argument, or whose values must be converted.
type graphOptions struct {
	symbol, file   string
	line           int // a line of the declaration in file, 0 if not given
	format, output string
	engine         string
	expand         []string // values of --expand: tests, dynamic
	confidence     float64
	crossing       bool
}

// graphRun is one run of the graph command.
type graphRun struct {
	*app
	req contract.GraphRequest
	opt graphOptions
}

// These constants are the defaults of --limit. A tree of treeEdges edges still fits the
// scrollback of a terminal, and a picture of pictureEdges edges is still legible.
const (
	treeEdges    = 100
	pictureEdges = 300
)

const graphHelp = `Show who calls a symbol, and whom it calls, as a tree, a diagram or data.

SYMBOL is a name: Handle, Server.Handle, server.Handle (with its package or
file), the FILE:LINE of any of its lines, or a symbol id with its file. PATH is
the folder, the file or the FILE:LINE that declares it. A type is traced with
its methods, a file with its calls outside of functions and the files it
imports.

SYMBOL may also be a folder or a package (internal/store, ./web/src,
example.com/shop/cart, shop.cart), which is traced by imports. A Go or Java
folder covers its own files only; FOLDER/... includes the folders below it.

Each line of a tree ends with the evidence and the confidence of its edge, in
brackets, and with the reason if the tree stops there. Unresolved calls are
counted, never guessed. --format text shows the source line of each call, by
file.`

func (a *app) graphCommand() *cobra.Command {
	r := &graphRun{app: a}
	cmd := &cobra.Command{
		Use: "graph SYMBOL [PATH]", GroupID: "ask", Short: "Show who calls a symbol, and whom it calls",
		Long: graphHelp,
		Example: "  sextant graph Server.Handle --direction callers --depth 3\n" +
			"  sextant graph New internal/server/server.go\n  sextant graph Server.Serve --depth 4 -o serve.svg",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 || len(args) == 2 {
				return nil
			}
			return &usageError{fmt.Errorf("%s takes a symbol and at most a path, got %s; for example: "+
				"sextant graph Server.Handle internal/server", c.CommandPath(), count(len(args), "argument"))}
		},
		RunE: func(c *cobra.Command, args []string) error {
			if r.opt.symbol = args[0]; len(args) == 2 {
				if err := r.declaredIn(args[1]); err != nil {
					return err
				}
			}
			if c.Flags().Changed("min-confidence") {
				r.req.MinConfidence = &r.opt.confidence
			}
			r.req.CrossService = &r.opt.crossing
			return r.run(c.Context())
		},
	}
	r.flags(cmd)
	return cmd
}

// flags adds the flags of the graph command, and their values for shell completion.
func (r *graphRun) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar((*string)(&r.req.Direction), "direction", "", "callers, callees or both (default both)")
	f.Var(wholeFlag{"depth", &r.req.Depth, 1, contract.MaxDepth, 3}, "depth", "how far to follow, 1 to 12 (default 1)")
	f.VarP(wholeFlag{"limit", &r.req.Limit, 1, contract.MaxEdgeLimit, treeEdges}, "limit", "n",
		fmt.Sprintf("edges, 1 to 500 (default %d, of a picture %d)", treeEdges, pictureEdges))
	f.StringVar(&r.opt.format, "format", "",
		"tree, text, json, mermaid, dot or svg (default by the ending of --output, else tree)")
	f.StringSliceVar(&r.opt.expand, "expand", nil,
		"tests, dynamic: with --format text, list these calls where they are many")
	f.StringVarP(&r.opt.output, "output", "o", "", "write to this file")
	f.StringVar(&r.opt.engine, "engine", "auto",
		"layout engine of svg: dot (Graphviz), builtin, or auto (dot if installed)")
	f.StringVar(&r.opt.file, "file", "", "the file that declares the symbol")
	f.StringVar((*string)(&r.req.Detail), "detail", "",
		"full: add external symbols, and to json the arguments of each call; bodies: as text, with the source of\n"+
			"the symbol, its callers and its callees (default compact)")
	f.StringSliceVar(&r.req.Include, "include", nil, "keep callers and callees in these path globs or services alone")
	f.StringSliceVar(&r.req.Exclude, "exclude", nil, "leave out callers and callees in these path globs or services")
	r.opt.confidence = contract.DefaultConfidence
	f.Var(shareFlag{"min-confidence", &r.opt.confidence}, "min-confidence", "leave out edges below this, 0 to 1")
	f.BoolVar(&r.opt.crossing, "cross-service", true, "follow calls into other services")
	f.Var(wholeFlag{"deadline", &r.req.DeadlineMs, 1, contract.MaxDeadline, 60_000}, "deadline",
		"time limit in milliseconds; the answer has what was found by then (default 3000)")
	f.StringVar((*string)(&r.req.Verify), "verify", "",
		"auto: use cached results of language servers; wait: query them until --deadline; off: skip (default auto)")
	f.StringVar(&r.req.Cursor, "cursor", "", "continue where the previous answer stopped")
	r.jsonFlag(cmd)
	choices(cmd, "direction", "callers", "callees", "both")
	choices(cmd, "format", graphFormats...)
	choices(cmd, "engine", "auto", "dot", "builtin")
	choices(cmd, "detail", "compact", "full", "bodies")
	choices(cmd, "verify", "auto", "wait", "off")
	choices(cmd, "expand", "tests", "dynamic")
}

// declaredIn interprets the argument PATH of graph SYMBOL PATH: a folder
// becomes --path, anything else is the FILE or FILE:LINE that declares the
// symbol.
func (r *graphRun) declaredIn(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir() && r.path == "":
		r.path = path
	case r.opt.file == "":
		// The file may not exist here: locate also tries it relative to the root.
		r.opt.file = path
		if m := fileLine.FindStringSubmatch(path); m != nil && err != nil {
			r.opt.file = m[1]
			r.opt.line, _ = strconv.Atoi(m[2])
		}
	default:
		return &usageError{fmt.Errorf("both %s and --file %s name a file; give one", quote(path), quote(r.opt.file))}
	}
	return nil
}

// fileLine matches a place as answers print it: "server.go:12".
var fileLine = regexp.MustCompile(`(?s)^(.+):(\d{1,9})$`)

// routeName matches the name of a route: "POST /pay/{}".
var routeName = regexp.MustCompile(`^[A-Za-z]+ /`)

// settle validates --format, --output and --engine and fills in their defaults. It
// also sets the fields of req, such as its limit, that the format requires.
func (o *graphOptions) settle(req *contract.GraphRequest, asJSON bool) error {
	if asJSON {
		o.format = "json"
	}
	if o.format == "" && o.output == "" && req.Detail == contract.DetailBodies {
		o.format = "text" // a tree cannot show bodies
	}
	if o.format == "" {
		endings := map[string]string{".svg": "svg", ".dot": "dot", ".gv": "dot", ".json": "json", ".mmd": "mermaid",
			".mermaid": "mermaid", ".txt": "tree", "": "tree"}
		if o.format = endings[strings.ToLower(filepath.Ext(o.output))]; o.format == "" {
			return &usageError{fmt.Errorf(
				"-o %s: expected a name that ends in .svg, .dot, .mmd, .json or .txt, or --format", o.output)}
		}
	}
	if !slices.Contains(graphFormats, o.format) {
		return &usageError{fmt.Errorf("--format: expected one of %s, got %q; for example: --format svg -o calls.svg",
			strings.Join(graphFormats, ", "), o.format)}
	}
	if !slices.Contains([]string{"auto", "dot", "builtin"}, o.engine) {
		return &usageError{fmt.Errorf("--engine: expected auto, dot or builtin, got %q", o.engine)}
	}
	edges := treeEdges
	req.MaxTokens = contract.MaxMaxTokens
	for _, fold := range o.expand {
		req.Expand = append(req.Expand, contract.Fold(fold))
	}
	switch o.format {
	case "text":
		req.Format, req.Price = contract.FormatText, compact.Cost(req)
	case "tree", "mermaid":
		req.View = contract.View(o.format)
	case "dot", "svg":
		edges = pictureEdges
	}
	if req.Limit == 0 && o.format != "json" {
		req.Limit = edges
	}
	return nil
}

// run runs the graph command: it finds the codebase and the file of the symbol,
// calls call_graph and prints the answer in the chosen format.
func (r *graphRun) run(ctx context.Context) error {
	if err := r.opt.settle(&r.req, r.json); err != nil {
		return err
	}
	if r.req.Path, r.req.SymbolRef.SymbolLabel = "/", r.opt.symbol; code.SymbolID(r.opt.symbol).Valid() {
		r.req.SymbolRef = contract.SymbolRef{SymbolID: r.opt.symbol}
	}
	if err := r.req.Normalize(); err != nil {
		return err
	}
	path, err := r.ready(ctx)
	if err != nil {
		return err
	}
	if m := fileLine.FindStringSubmatch(r.opt.symbol); m != nil && r.opt.file == "" {
		// If locate finds no file m[1], it may be the end of a path, as in
		// "server.go:12", which call_graph finds.
		if root, file, err := r.locate(ctx, m[1]); err == nil {
			path, r.req.SymbolRef.SymbolLabel = root, file+":"+m[2]
		}
	}
	if isFolder(r.opt.symbol) && r.opt.file == "" {
		if path, r.req.SymbolRef.SymbolLabel, err = r.folderLabel(ctx, r.opt.symbol); err != nil {
			return err
		}
	}
	if r.opt.file != "" {
		if path, r.req.SymbolRef.File, err = r.locate(ctx, r.opt.file); err != nil {
			return err
		}
	}
	if r.req.Path = path; r.opt.line > 0 {
		r.req.SymbolRef.Span = &contract.LineSpan{StartLine: r.opt.line, EndLine: r.opt.line}
	}
	if r.opt.format == "dot" || r.opt.format == "svg" {
		return r.picture(ctx)
	}
	answer, err := r.service.CallGraph(ctx, r.req)
	if err != nil {
		return err
	}
	if r.opt.format == "json" {
		text, err := contract.Encode(answer)
		if err == nil {
			err = r.emit(string(text)+"\n", answer)
		}
		if err == nil && answer.Status != contract.StatusOK {
			return errReported
		}
		return err
	}
	if answer.Status != contract.StatusOK {
		return r.failed(answer)
	}
	if err := r.print(answer); err != nil {
		return err
	}
	r.rest(answer)
	return nil
}

// print prints an answer as a tree, as text or as Mermaid.
func (r *graphRun) print(g *contract.GraphAnswer) error {
	toFile := r.opt.output != "" && r.opt.output != "-"
	switch {
	case r.opt.format == "mermaid":
		return r.emit(g.Mermaid+"\n", g)
	case r.opt.format == "tree" && !toFile:
		return r.sheet().say(r.treeLines(g)...)
	case !toFile:
		return r.draw(&r.req, g, g.CodebaseRoot, marker{})
	case r.opt.format == "tree":
		var b strings.Builder
		for _, l := range r.treeLines(g) {
			b.WriteString(l.String() + "\n")
		}
		return r.emit(b.String(), g)
	}
	text, err := compact.Text(&r.req, g)
	if err == nil {
		err = r.emit(text, g)
	}
	return err
}

// isFolder reports whether symbol is the path of an existing folder: ".", ".."
// or a path with a slash. For a name without a slash it reports false;
// call_graph looks such a name up in the index and prefers symbols to folders.
func isFolder(symbol string) bool {
	if symbol != "." && symbol != ".." && !strings.Contains(symbol, "/") {
		return false
	}
	info, err := os.Stat(symbol)
	return err == nil && info.IsDir()
}

// folderLabel returns the root that contains a folder, and the folder's label
// in that root: "." for the root itself, or the relative path with a trailing
// slash.
func (r *graphRun) folderLabel(ctx context.Context, folder string) (root, label string, err error) {
	root, rel, err := r.locate(ctx, folder)
	if rel == "" {
		return root, ".", err
	}
	return root, rel + "/", err
}

// emit writes text to --output, or to standard output if that is empty or "-".
func (r *graphRun) emit(text string, g *contract.GraphAnswer) error {
	if r.opt.output == "" || r.opt.output == "-" {
		_, err := fmt.Fprint(r.out, text)
		return err
	}
	if err := os.WriteFile(r.opt.output, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the graph: %w", err)
	}
	r.tell("Wrote %s (%s).", r.opt.output, r.opt.format)
	return nil
}

// failed returns the error for an answer without a graph. If the symbol is
// ambiguous or unknown, it prints the candidates.
func (r *graphRun) failed(g *contract.GraphAnswer) error {
	symbol := r.opt.symbol
	switch {
	case g.Reason == contract.ReasonAmbiguousSymbol:
		return r.candidates(fmt.Sprintf("%q is the name of %s; say which is meant:", symbol,
			count(len(g.Candidates), "symbol")), g.Candidates,
			"For example: "+graphExample(symbol, g.Candidates))
	case g.Reason == contract.ReasonMissingSymbol && len(g.Candidates) > 0:
		return r.candidates(fmt.Sprintf("no symbol is called %q; the nearest are:", symbol), g.Candidates,
			"For example: "+graphExample(g.Candidates[0].SymbolLabel, g.Candidates))
	case g.Reason == contract.ReasonMissingSymbol && g.Hints != nil && len(g.Hints.NextSteps) > 1:
		if next, ok := g.Hints.NextSteps[0].Args.(*contract.GraphRequest); ok {
			return fmt.Errorf("no symbol or file is called %q; did you mean %s?", symbol,
				quote(next.SymbolRef.SymbolLabel))
		}
		return missingSymbol(symbol, g.CodebaseRoot)
	case g.Reason == contract.ReasonMissingSymbol && fileLine.MatchString(symbol):
		return errors.New(cause(g.Outcome))
	case g.Reason == contract.ReasonMissingSymbol && routeName.MatchString(symbol):
		return fmt.Errorf("%s; sextant services lists the routes that are known",
			code.Decapitalized(strings.TrimSuffix(g.Message, ".")))
	case g.Reason == contract.ReasonMissingSymbol:
		return missingSymbol(symbol, g.CodebaseRoot)
	case g.Reason == contract.ReasonNotParsed:
		return failed(g.Outcome, symbol)
	case g.Reason == contract.ReasonUnsupportedLanguage && g.Hints != nil && len(g.Hints.NextSteps) > 0:
		return r.notTraced(g)
	}
	return failed(g.Outcome, r.req.Path)
}

// notTraced returns the error for a symbol or a folder in a language whose calls or imports
// are not known.
func (r *graphRun) notTraced(g *contract.GraphAnswer) error {
	switch next := g.Hints.NextSteps[0].Args.(type) {
	case *contract.OutlineRequest:
		return fmt.Errorf(
			"nothing in %s is of a language whose imports are known; sextant outline %s shows what is in it",
			shown(g.CodebaseRoot, next.File), quote(shown(g.CodebaseRoot, next.File)))
	case *contract.SearchRequest:
		return fmt.Errorf("%s; sextant search %s --scope mixed finds every mention", cause(g.Outcome),
			quote(next.Query))
	}
	return errors.New(g.Message)
}

// graphExample returns the graph command that names the first candidate.
func graphExample(symbol string, list []contract.Candidate) string {
	if len(list) == 0 {
		return "sextant graph NAME FILE:LINE"
	}
	return fmt.Sprintf("sextant graph %s %s", quote(symbol), quote(place(list[0])))
}

// rest prints notes on standard error about the parts of the graph that were not printed, and
// which flag or command shows them.
func (r *graphRun) rest(g *contract.GraphAnswer) {
	say := r.aside
	if r.req.Format != contract.FormatText {
		for _, note := range compact.Notes(g.Warnings) {
			if !r.wasTold(note) {
				r.warn(note)
			}
		}
	}
	if t := g.Truncated; t != nil && r.req.Format != contract.FormatText {
		why := map[contract.Cause]string{contract.CauseLimit: "at the limit of " + count(g.Limit, "edge"),
			contract.CauseDeadline: "at the deadline", contract.CauseMaxTokens: "where the output became too long"}
		say("Stopped %s, after %s; more: --cursor %s", why[t.Cause], count(t.Shown, "edge"), g.Cursor)
	}
	for _, line := range r.verification(g) {
		say("%s", line)
	}
	if left := filtered(g); left > 0 && r.req.Format != contract.FormatText {
		say("%s left out by --include and --exclude.", count(left, "edge"))
	}
	if g.InboundCoverageEvidence == nil || filtered(g) > 0 || g.Truncated != nil || r.req.Cursor != "" {
		return // an empty page does not mean that there are no callers: another page may have them
	}
	if len(g.Hints.NextSteps) == 0 {
		return
	}
	switch next := g.Hints.NextSteps[0].Args.(type) {
	case *contract.GraphRequest:
		say("No importer is known: imports name the folder. sextant graph %s",
			quote(shown(g.CodebaseRoot, next.SymbolRef.SymbolLabel)))
	case *contract.OutlineRequest: // an outline of a folder
		say("No importer is known. To see what is in it: sextant outline %s", quote(shown(g.CodebaseRoot, next.File)))
	case *contract.SearchRequest:
		none := "No caller is resolved."
		switch {
		case g.InboundCoverageEvidence.UsesNotTraced:
			none = "It is a value, and reads of it are not traced."
		case g.InboundCoverageEvidence.OperatorsNotTraced:
			none = "It is an operator, and its uses in expressions are not traced."
		}
		if list := g.InboundCoverageEvidence.Serves; len(list) > 0 {
			none += fmt.Sprintf(" It answers %s (%s:%d), also to requests from outside or to addresses that are not known.",
				list[0].Via, list[0].File, list[0].StartLine)
		}
		say("%s Every mention of the name: sextant search %s --scope mixed", none, quote(next.Query))
	}
}

// filtered returns the number of edges that --include and --exclude removed, 0 if the answer has
// no such count.
func filtered(g *contract.GraphAnswer) int {
	if g.Folded == nil {
		return 0
	}
	return g.Folded.Filtered
}

// treeLines returns the lines of the tree and, below it, a summary. The depth
// limit is mentioned once there, not at each node.
func (r *graphRun) treeLines(g *contract.GraphAnswer) []typeset.Line {
	lines, deeper := g.Drawn.Terminal(func(file string) string { return shown(g.CodebaseRoot, file) })
	note := func(text string) { lines = append(lines, typeset.Line{{Role: typeset.Dim, Text: text}}) }
	if sum := summary(g); sum != "" {
		note("")
		note(sum)
	}
	if deeper && g.Depth < contract.MaxDepth {
		note(fmt.Sprintf("Followed to depth %d; --depth %d goes on.", g.Depth, g.Depth+1))
	}
	return lines
}

// summary returns a sentence with the number of calls in the graph that were resolved, and how.
// It returns "" if the answer has no counts.
func summary(g *contract.GraphAnswer) string {
	if g.Counts == nil {
		return ""
	}
	out, in := g.Counts.Outgoing, g.Counts.Inbound
	var parts []string
	if in.Imports+out.Imports > 0 {
		parts = append(parts, fmt.Sprintf("Imports: %d in, %d out.", in.Imports, out.Imports))
	}
	if in.Symbols > 0 {
		parts = append(parts, fmt.Sprintf("Inbound: %d settled, %d of the same name unresolved.",
			in.Settled, in.Unresolved))
	}
	if out.Sites > 0 {
		parts = append(parts, fmt.Sprintf("Outgoing: %s: %d within the workspace, %d external, %d builtin, "+
			"%d through function values, %d unresolved.",
			count(out.Sites, "call"), out.Settled, out.External, out.Builtin, out.Value, out.Unresolved))
	}
	return strings.Join(parts, " ")
}
