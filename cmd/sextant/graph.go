package main

import (
	"context"
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

// graphFormats are the values of --format.
var graphFormats = []string{"tree", "text", "json", "mermaid", "dot", "svg"}

// graphOptions are the flags of the graph command that call_graph has no
// argument for, or that need translation.
type graphOptions struct {
	symbol, file   string
	line           int // a line of the declaration in file, 0 if not given
	format, output string
	engine         string
	expand         []string // tests, dynamic
	confidence     float64
	crossing       bool
}

// The default --limit: edges that still fit the scrollback of a terminal, and
// edges that a picture can still show legibly.
const (
	treeEdges    = 100
	pictureEdges = 300
)

func (a *app) graphCommand() *cobra.Command {
	var req contract.GraphRequest
	var opt graphOptions
	cmd := &cobra.Command{
		Use: "graph SYMBOL [PATH]", GroupID: "ask", Short: "Show who calls a symbol, and whom it calls",
		Long: `Show who calls a symbol, and whom it calls, as a tree, a diagram or data.

SYMBOL is a name: Handle, Server.Handle, server.Handle (with its package or
file), the FILE:LINE of any of its lines, or a symbol id with its file. PATH is
the folder, the file or the FILE:LINE that declares it. A type is traced with its
methods, a file with its calls outside of functions and the files it imports.

SYMBOL may also be a folder or a package (internal/store, ./web/src,
example.com/shop/cart, shop.cart), which is traced by imports. A Go or Java
folder covers its own files only; FOLDER/... includes the folders below it.

Each line of a tree ends with the evidence and the confidence of its edge, in
brackets, and with the reason if the tree stops there. Unresolved calls are
counted, never guessed. --format text shows the source line of each call, by file.`,
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
			if opt.symbol = args[0]; len(args) == 2 {
				if err := a.graphPath(args[1], &opt); err != nil {
					return err
				}
			}
			if c.Flags().Changed("min-confidence") {
				req.MinConfidence = &opt.confidence
			}
			req.CrossService = &opt.crossing
			return a.graph(c.Context(), req, opt)
		},
	}
	f := cmd.Flags()
	f.StringVar((*string)(&req.Direction), "direction", "", "callers, callees or both (default both)")
	f.Var(wholeFlag{"depth", &req.Depth, 1, contract.MaxDepth, 3}, "depth", "how far to follow, 1 to 12 (default 1)")
	f.VarP(wholeFlag{"limit", &req.Limit, 1, contract.MaxEdgeLimit, treeEdges}, "limit", "n",
		fmt.Sprintf("edges, 1 to 500 (default %d, of a picture %d)", treeEdges, pictureEdges))
	f.StringVar(&opt.format, "format", "",
		"tree, text, json, mermaid, dot or svg (default by the ending of --output, else tree)")
	f.StringSliceVar(&opt.expand, "expand", nil,
		"tests, dynamic: with --format text, list these calls where they are many")
	f.StringVarP(&opt.output, "output", "o", "", "write to this file")
	f.StringVar(&opt.engine, "engine", "auto", "layout engine of svg: dot (Graphviz), builtin, or auto (dot if installed)")
	f.StringVar(&opt.file, "file", "", "the file that declares the symbol")
	f.StringVar((*string)(&req.Detail), "detail", "",
		"compact, or full: add external symbols, and to json the arguments of each call (default compact)")
	f.StringSliceVar(&req.Include, "include", nil, "keep callers and callees in these path globs or services alone")
	f.StringSliceVar(&req.Exclude, "exclude", nil, "leave out callers and callees in these path globs or services")
	opt.confidence = contract.DefaultConfidence
	f.Var(shareFlag{"min-confidence", &opt.confidence}, "min-confidence", "leave out edges below this, 0 to 1")
	f.BoolVar(&opt.crossing, "cross-service", true, "follow calls into other services")
	f.Var(wholeFlag{"deadline", &req.DeadlineMs, 1, contract.MaxDeadline, 60_000}, "deadline",
		"time limit in milliseconds; the answer has what was found by then (default 3000)")
	f.StringVar((*string)(&req.Verify), "verify", "",
		"auto: use cached results of language servers; wait: query them until --deadline; off: skip (default auto)")
	f.StringVar(&req.Cursor, "cursor", "", "continue where the previous answer stopped")
	a.jsonFlag(cmd)
	choices(cmd, "direction", "callers", "callees", "both")
	choices(cmd, "format", graphFormats...)
	choices(cmd, "engine", "auto", "dot", "builtin")
	choices(cmd, "detail", "compact", "full")
	choices(cmd, "verify", "auto", "wait", "off")
	choices(cmd, "expand", "tests", "dynamic")
	return cmd
}

// graphPath interprets the PATH argument: a folder becomes --path, anything
// else is the FILE or FILE:LINE that declares the symbol.
func (a *app) graphPath(path string, opt *graphOptions) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir() && a.path == "":
		a.path = path
	case opt.file == "":
		// The file may not exist here: locate also tries it relative to the root.
		opt.file = path
		if m := fileLine.FindStringSubmatch(path); m != nil && err != nil {
			opt.file = m[1]
			opt.line, _ = strconv.Atoi(m[2])
		}
	default:
		return &usageError{fmt.Errorf("both %s and --file %s name a file; give one", quote(path), quote(opt.file))}
	}
	return nil
}

// fileLine matches a place as answers print it: "server.go:12".
var fileLine = regexp.MustCompile(`^(.+):(\d{1,9})$`)

// settle validates --format, --output and --engine, fills in their defaults,
// and sets the view and the limits of req that they require.
func (o *graphOptions) settle(req *contract.GraphRequest, asJSON bool) error {
	if asJSON {
		o.format = "json"
	}
	if o.format == "" {
		endings := map[string]string{".svg": "svg", ".dot": "dot", ".gv": "dot", ".json": "json", ".mmd": "mermaid",
			".mermaid": "mermaid", ".txt": "tree", "": "tree"}
		if o.format = endings[strings.ToLower(filepath.Ext(o.output))]; o.format == "" {
			return &usageError{fmt.Errorf("-o %s: expected a name that ends in .svg, .dot, .mmd, .json or .txt, or --format",
				o.output)}
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

// graph runs the graph command: it resolves the symbol's path, queries
// call_graph and prints the answer in the chosen format.
func (a *app) graph(ctx context.Context, req contract.GraphRequest, opt graphOptions) error {
	if err := opt.settle(&req, a.json); err != nil {
		return err
	}
	if req.Path, req.SymbolRef.SymbolLabel = "/", opt.symbol; code.SymbolID(opt.symbol).Valid() {
		req.SymbolRef = contract.SymbolRef{SymbolID: opt.symbol}
	}
	if err := req.Normalize(); err != nil {
		return err
	}
	path, err := a.ready(ctx)
	if err != nil {
		return err
	}
	if m := fileLine.FindStringSubmatch(opt.symbol); m != nil && opt.file == "" {
		// If locate finds no such file, m[1] may be the end of a path, such as
		// "server.go:12": call_graph matches it.
		if root, file, err := a.locate(ctx, m[1]); err == nil {
			path, req.SymbolRef.SymbolLabel = root, file+":"+m[2]
		}
	}
	if isFolder(opt.symbol) && opt.file == "" {
		if path, req.SymbolRef.SymbolLabel, err = a.folderLabel(ctx, opt.symbol); err != nil {
			return err
		}
	}
	if opt.file != "" {
		if path, req.SymbolRef.File, err = a.locate(ctx, opt.file); err != nil {
			return err
		}
	}
	if req.Path = path; opt.line > 0 {
		req.SymbolRef.Span = &contract.LineSpan{StartLine: opt.line, EndLine: opt.line}
	}
	if opt.format == "dot" || opt.format == "svg" {
		return a.graphPicture(ctx, req, opt)
	}
	answer, err := a.service.CallGraph(ctx, req)
	if err != nil {
		return err
	}
	if opt.format == "json" {
		text, err := contract.Encode(answer)
		if err == nil {
			err = a.emit(opt, string(text)+"\n", answer)
		}
		if err == nil && answer.Status != contract.StatusOK {
			return errReported
		}
		return err
	}
	if answer.Status != contract.StatusOK {
		return a.graphFailed(answer, opt.symbol, path)
	}
	if err := a.printGraph(&req, answer, opt); err != nil {
		return err
	}
	a.graphRest(&req, answer)
	return nil
}

// printGraph prints an answer as a tree, as text or as Mermaid.
func (a *app) printGraph(req *contract.GraphRequest, g *contract.GraphAnswer, opt graphOptions) error {
	toFile := opt.output != "" && opt.output != "-"
	switch {
	case opt.format == "mermaid":
		return a.emit(opt, g.Mermaid+"\n", g)
	case opt.format == "tree" && !toFile:
		return a.sheet().say(a.treeLines(g)...)
	case !toFile:
		return a.draw(req, g, g.CodebaseRoot, marker{})
	case opt.format == "tree":
		var b strings.Builder
		for _, l := range a.treeLines(g) {
			b.WriteString(l.String() + "\n")
		}
		return a.emit(opt, b.String(), g)
	}
	text, err := compact.Text(req, g)
	if err == nil {
		err = a.emit(opt, text, g)
	}
	return err
}

// isFolder reports whether symbol is the path of an existing folder: ".", ".."
// or a path with a slash. A name without a slash is resolved by the index,
// which prefers symbols.
func isFolder(symbol string) bool {
	if symbol != "." && symbol != ".." && !strings.Contains(symbol, "/") {
		return false
	}
	info, err := os.Stat(symbol)
	return err == nil && info.IsDir()
}

// folderLabel returns the root that contains a folder and the folder's label in
// it: "." or its relative path with a trailing slash.
func (a *app) folderLabel(ctx context.Context, folder string) (root, label string, err error) {
	root, rel, err := a.locate(ctx, folder)
	if rel == "" {
		return root, ".", err
	}
	return root, rel + "/", err
}

// emit writes text to --output, or to standard output if that is empty or "-".
func (a *app) emit(opt graphOptions, text string, g *contract.GraphAnswer) error {
	if opt.output == "" || opt.output == "-" {
		_, err := fmt.Fprint(a.out, text)
		return err
	}
	if err := os.WriteFile(opt.output, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the graph: %w", err)
	}
	a.tell("Wrote %s (%s).", opt.output, opt.format)
	return nil
}

// graphFailed returns the error for an answer without a graph. It lists the
// candidates of an ambiguous or unknown symbol.
func (a *app) graphFailed(g *contract.GraphAnswer, symbol, path string) error {
	switch {
	case g.Reason == contract.ReasonAmbiguousSymbol:
		return a.candidates(fmt.Sprintf("%q is the name of %s; say which is meant:", symbol,
			count(len(g.Candidates), "symbol")), g.Candidates,
			"For example: "+graphExample(symbol, g.Candidates))
	case g.Reason == contract.ReasonMissingSymbol && len(g.Candidates) > 0:
		return a.candidates(fmt.Sprintf("no symbol is called %q; the nearest are:", symbol), g.Candidates,
			"For example: "+graphExample(g.Candidates[0].SymbolLabel, g.Candidates))
	case g.Reason == contract.ReasonMissingSymbol && g.Hints != nil && len(g.Hints.NextSteps) > 1:
		if next, ok := g.Hints.NextSteps[0].Args.(*contract.GraphRequest); ok {
			return fmt.Errorf("no symbol or file is called %q; did you mean %s?", symbol, quote(next.SymbolRef.SymbolLabel))
		}
		return missingSymbol(symbol, g.CodebaseRoot)
	case g.Reason == contract.ReasonMissingSymbol:
		return missingSymbol(symbol, g.CodebaseRoot)
	}
	return a.failed(g.Outcome, path)
}

// graphExample returns the graph command for the first candidate.
func graphExample(symbol string, list []contract.Candidate) string {
	if len(list) == 0 {
		return "sextant graph NAME FILE:LINE"
	}
	return fmt.Sprintf("sextant graph %s %s", quote(symbol), quote(place(list[0])))
}

// graphRest prints notes on standard error: what the graph leaves out and which
// flag or command shows it.
func (a *app) graphRest(req *contract.GraphRequest, g *contract.GraphAnswer) {
	say := a.aside
	if t := g.Truncated; t != nil && req.Format != contract.FormatText {
		why := map[contract.Cause]string{contract.CauseLimit: "at the limit of " + count(g.Limit, "edge"), contract.CauseDeadline: "at the deadline",
			contract.CauseMaxTokens: "where the output became too long"}
		say("Stopped %s, after %s; more: --cursor %s", why[t.Cause], count(t.Shown, "edge"), g.Cursor)
	}
	for _, line := range a.verification(req, g) {
		say("%s", line)
	}
	if g.InboundCoverageEvidence == nil {
		return
	}
	if len(g.Hints.NextSteps) > 0 {
		search := g.Hints.NextSteps[0].Args.(*contract.SearchRequest)
		none := "No caller is resolved."
		if g.SymbolRef.Span == nil { // a folder
			none = "No importer is known."
		}
		say("%s Every mention of the name: sextant search %s --scope mixed", none, quote(search.Query))
	}
}

// treeLines returns the lines of the tree. The depth limit and the cause of a
// truncation are mentioned once below the tree, not at each node.
func (a *app) treeLines(g *contract.GraphAnswer) []typeset.Line {
	lines, deeper := g.Drawn.Terminal(func(file string) string { return a.shown(g.CodebaseRoot, file) })
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

// summary counts the calls of the graph by how they were resolved. It returns
// "" if the answer has no counts.
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
		parts = append(parts, fmt.Sprintf("Inbound: %d settled, %d of the same name unresolved.", in.Settled, in.Unresolved))
	}
	if out.Sites > 0 {
		parts = append(parts, fmt.Sprintf("Outgoing: %s: %d within the workspace, %d external, %d builtin, "+
			"%d through function values, %d unresolved.",
			count(out.Sites, "call"), out.Settled, out.External, out.Builtin, out.Value, out.Unresolved))
	}
	return strings.Join(parts, " ")
}
