package mcp

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

// fake answers every tool with a fixed answer, unless hook answers.
type fake struct {
	// hook, if not nil, runs first and may answer instead of the fake.
	hook  func(ctx context.Context, req contract.Request) (any, error)
	mu    sync.Mutex         // guards calls
	calls []contract.Request // requests received
}

// ask implements one method of the fake.
func ask[A any](ctx context.Context, f *fake, req contract.Request, fixed A) (A, error) {
	f.mu.Lock()
	f.calls = append(f.calls, req)
	f.mu.Unlock()
	if f.hook != nil {
		answer, err := f.hook(ctx, req)
		if answer == nil {
			var none A
			if err == nil {
				return fixed, nil
			}
			return none, err
		}
		return answer.(A), err
	}
	return fixed, nil
}

func (f *fake) ListCodebases(ctx context.Context, r contract.ListRequest) (contract.ListAnswer, error) {
	return ask(ctx, f, &r, listAnswer())
}

func (f *fake) Search(ctx context.Context, r contract.SearchRequest) (*contract.SearchAnswer, error) {
	return ask(ctx, f, &r, searchAnswer())
}

func (f *fake) Outline(ctx context.Context, r contract.OutlineRequest) (*contract.OutlineAnswer, error) {
	return ask(ctx, f, &r, outlineAnswer())
}

func (f *fake) CallGraph(ctx context.Context, r contract.GraphRequest) (*contract.GraphAnswer, error) {
	return ask(ctx, f, &r, graphAnswer())
}

func (f *fake) Read(ctx context.Context, r contract.ReadRequest) (*contract.ReadAnswer, error) {
	return ask(ctx, f, &r, readAnswer())
}

func (f *fake) Manage(ctx context.Context, r contract.ManageRequest) (*contract.ManageAnswer, error) {
	return ask(ctx, f, &r, statusAnswer())
}

// serve returns a server for f.
func serve(f *fake, opts Options) *Server {
	opts.Open = func(context.Context) (Service, error) { return f, nil }
	// Tests read answers as JSON unless they ask for text.
	opts.Format = cmp.Or(opts.Format, contract.FormatJSON)
	return NewServer(opts)
}

const (
	root     = "/ws"
	moment   = "2026-01-02T03:04:05.678Z"
	routerGo = "orders/api/router.go"
	routerID = "s_3fa2c2bqx7ma"
)

var routerRef = contract.SymbolRef{File: routerGo, SymbolID: routerID, SymbolInstanceID: routerID + "@0102030405ff",
	SymbolLabel: "Router.Create"}

func fresh() contract.Freshness {
	return contract.Freshness{Mode: contract.FreshJITVerified, CheckedAt: moment,
		Gate: &contract.GateReport{FilesChecked: 3, FilesReindexed: 1, DirectoriesChecked: 2}}
}

func hint() contract.CallGraphHint {
	ref := routerRef
	return contract.CallGraphHint{Supported: true, SymbolRef: &ref, Validated: true, ValidatedAt: moment}
}

func open() *contract.Action {
	return contract.Suggest(&contract.ReadRequest{Path: root + "/" + routerGo,
		OpenSymbol: &contract.OpenSymbol{SymbolID: routerID, SymbolInstanceID: routerRef.SymbolInstanceID}})
}

func trace(direction string) *contract.Action {
	return contract.Suggest(&contract.GraphRequest{Path: root, SymbolRef: routerRef,
		Direction: contract.Direction(direction)})
}

func statusCall() *contract.Action {
	return contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus, Path: root})
}

func searchAnswer() *contract.SearchAnswer {
	synced, first := moment, 0
	outline := contract.Suggest(&contract.OutlineRequest{Path: root, File: routerGo, StartLine: 41, EndLine: 66})
	span := contract.LineSpan{StartLine: 41, EndLine: 66}
	group := &contract.Group{
		Kind: "group", GroupID: "g_1", File: routerGo, Span: span, Service: "orders", Language: "go",
		SymbolKind: "method", SymbolLabel: "Router.Create",
		SymbolID: routerID, SymbolKey: "k_3fa2c2bqx7ma", SymbolInstanceID: routerRef.SymbolInstanceID,
		SymbolSpan:  &span,
		PreviewSpan: &contract.LineSpan{StartLine: 41, EndLine: 43},
		Preview: "func (r *Router) Create(w http.ResponseWriter, q *http.Request) {\n" +
			"\tr.store.Insert(decode(q), a<b && c>d)\n}",
		MatchedBy: []string{"exact", "lexical"}, Confidence: contract.High, Score: 12.5, IndexedAt: moment,
		StalenessBucket: "fresh", CollapsedChunkCount: 1,
		Overloads:     []contract.LineSpan{{StartLine: 30, EndLine: 34}, {StartLine: 36, EndLine: 36}},
		CallGraphHint: hint(), Capabilities: contract.Capabilities{OpenSymbol: contract.High,
			CallGraphCallers: contract.Medium, CallGraphCallees: contract.Medium, SemanticMatch: contract.Unavailable},
		Navigation: &contract.Navigation{
			NextActions: &contract.NextActions{OpenSymbol: open(), OutlineWindow: outline,
				CallGraph: trace(""), TraceCallers: trace("callers"), TraceCallees: trace("callees")},
			RecommendedNextAction: open(),
			InboundRecovery:       contract.Suggest(&contract.SearchRequest{Path: root, Query: "must:Create Create"}),
		},
	}
	plain := &contract.Group{
		Kind: "group", GroupID: "g_2", File: "docs/größe & mehr.md",
		Span: contract.LineSpan{StartLine: 3, EndLine: 9}, Language: "markdown",
		SymbolLabel: "docs/größe & mehr.md",
		Preview:     "# Größe", MatchedBy: []string{"lexical"}, Confidence: contract.Low, Score: 1.25,
		IndexedAt: moment, StalenessBucket: "fresh", CollapsedChunkCount: 2,
		CallGraphHint: contract.CallGraphHint{Reason: contract.ReasonUnsupportedLanguage},
		Capabilities: contract.Capabilities{OpenSymbol: contract.Low, CallGraphCallers: contract.Unavailable,
			CallGraphCallees: contract.Unavailable, SemanticMatch: contract.Unavailable},
		Navigation: &contract.Navigation{NavigationFallback: &contract.NavigationFallback{
			Message: "No symbol owns these lines: read them.",
			Context: contract.FallbackContext{CodebaseRoot: root, RelativeFile: "docs/größe & mehr.md",
				AbsolutePath: root + "/docs/größe & mehr.md", StartLine: 3, EndLine: 9},
			ReadSpan: contract.Suggest(&contract.ReadRequest{Path: root + "/docs/größe & mehr.md", StartLine: 3,
				EndLine: 9}),
		}},
	}
	return &contract.SearchAnswer{
		Outcome: contract.Outcome{Status: contract.StatusOK}, Path: root, CodebaseRoot: root, Query: "create order",
		Scope: contract.ScopeMixed, GroupBy: contract.GroupBySymbol, ResultMode: contract.ResultsGrouped, Limit: 2,
		Confidence: contract.High, Tiers: &contract.Tiers{Lexical: contract.Tier{State: contract.TierOK},
			Semantic: contract.Tier{State: contract.TierOff, Why: "no embedder is configured"}},
		FreshnessDecision: fresh(),
		FreshnessSummary: &contract.FreshnessSummary{SyncMode: contract.FreshJITVerified, LastSyncAt: &synced,
			ChangedFileCount: 1, GitDirtyFilesConsidered: true, ChangedFilesBoostApplied: true},
		Results:    contract.List[contract.SearchResult]{group, plain},
		Pagination: &contract.Pagination{Continuation: "complete", Returned: 2, Total: 14},
		Truncated: &contract.Truncation{What: "results", Shown: 2, Omitted: 12, Cause: contract.CauseLimit,
			Next: contract.Suggest(&contract.SearchRequest{Path: root, Query: "create order",
				Scope: contract.ScopeMixed, Limit: 14})},
		RecommendedNextAction: &contract.NextAction{ResultIndex: &first, Tool: contract.ToolRead, Args: open().Args,
			Reason: "exact match"},
		Hints: &contract.Hints{NoiseMitigation: &contract.NoiseMitigation{Reason: "half of the top is docs",
			Top:    map[string]int{"docs": 1, "source": 1},
			Action: contract.Suggest(&contract.SearchRequest{Path: root, Query: "create order"})}},
	}
}

func exhaustiveAnswer() *contract.SearchAnswer {
	a := searchAnswer()
	a.Query, a.RecommendedNextAction, a.Hints, a.Truncated, a.Pagination = "must:Insert(", nil, nil, nil, nil
	a.ResultMode = contract.ResultsRaw
	a.Matches = &contract.Matches{Files: 12, Lines: 31}
	a.Cursor = "c1:40"
	a.Warnings.Add(contract.Warning{Code: "INDEX_PARTIAL", Severity: contract.SeverityCaution,
		Message: "812 of 11000 files are indexed: what was not found may still come.", Action: statusCall()})
	a.Results = contract.List[contract.SearchResult]{&contract.Chunk{
		Kind: "chunk", File: routerGo, Span: contract.LineSpan{StartLine: 41, EndLine: 66}, Language: "go",
		SymbolKind: "method", SymbolLabel: "Router.Create", SymbolID: routerID,
		Content: "\tr.store.Insert(decode(q))\n", MatchedLines: []contract.MatchedLine{{Line: 42,
			Text: "\tr.store.Insert(decode(q))"}}, MatchedBy: []string{"exact"}, Score: 1, IndexedAt: moment,
		StalenessBucket: "fresh",
	}}
	return a
}

func nearAnswer() *contract.SearchAnswer {
	a := searchAnswer()
	a.Query, a.Confidence, a.RecommendedNextAction, a.Hints, a.Truncated, a.Pagination = "Router.Craete",
		contract.Low, nil, nil, nil, nil
	a.Results = nil
	a.DidYouMean = []contract.NearName{{SymbolLabel: "Router.Create", Symbols: 1, Kind: "method", File: routerGo,
		Line: 41, Edits: 1,
		Next: contract.Suggest(&contract.SearchRequest{Path: root, Query: "Router.Create"})}}
	a.Beside = []contract.Beside{{File: routerGo, Omitted: 3, Symbols: contract.List[contract.BesideSymbol]{
		{SymbolLabel: "Router.Delete", Kind: code.KindMethod, Span: contract.LineSpan{StartLine: 70, EndLine: 82}}}}}
	return a
}

func notIndexedAnswer() *contract.SearchAnswer {
	return &contract.SearchAnswer{
		Outcome: contract.CondNotIndexed.Outcome("/home/me/My Code is not indexed: index it first."),
		Path:    "/home/me/My Code", Query: "x", Scope: contract.ScopeRuntime, GroupBy: contract.GroupBySymbol,
		ResultMode: contract.ResultsGrouped, Limit: 10,
		FreshnessDecision: contract.Freshness{Mode: contract.FreshMissingPath, CheckedAt: moment},
		Hints: &contract.Hints{Create: contract.Suggest(&contract.ManageRequest{Action: contract.ManageCreate,
			Path: "/home/me/My Code"})},
	}
}

func outlineSymbol() contract.OutlineSymbol {
	exported := true
	return contract.OutlineSymbol{
		SymbolID: routerID, SymbolLabel: "Router.Create", Kind: code.KindMethod, Name: "Create",
		QualifiedName: "Router.Create",
		Span: code.Span{StartLine: 41, EndLine: 66, StartColumn: 1, EndColumn: 2, StartByte: 900,
			EndByte: 1800},
		Language:   "go",
		Signature:  "func (r *Router) Create(w http.ResponseWriter, q *http.Request) error",
		Parameters: []code.Parameter{{Name: "w", Type: "http.ResponseWriter"}, {Name: "q", Type: "*http.Request"}},
		Returns:    "error",
		Doc:        "Create makes an order.", Exported: &exported, ParentPath: []string{"Router"},
		ParentSymbolID: "s_aaaaaaaaaaaa", SymbolKey: "k_3fa2c2bqx7ma", CallGraphHint: hint(),
	}
}

func outlineAnswer() *contract.OutlineAnswer {
	f := fresh()
	return &contract.OutlineAnswer{
		Outcome: contract.Outcome{Status: contract.StatusOK}, Path: root, CodebaseRoot: root, File: routerGo,
		FreshnessDecision: &f, Warnings: []string{"PARSE_ERRORS:2"},
		Outline: &contract.Outline{Symbols: contract.List[contract.OutlineSymbol]{outlineSymbol()}}, HasMore: true,
		Skeleton: "package api\n\nfunc (r *Router) Create(…) error { … }\n",
		Truncated: &contract.Truncation{What: "symbols", Shown: 1, Omitted: 8, Cause: contract.CauseLimit,
			Next: contract.Suggest(&contract.OutlineRequest{Path: root, File: routerGo, LimitSymbols: 9})},
	}
}

func graphAnswer() *contract.GraphAnswer {
	f := fresh()
	return &contract.GraphAnswer{
		Outcome: contract.Outcome{Status: contract.StatusOK}, Supported: true, Path: root, CodebaseRoot: root,
		SymbolRef: routerRef, Direction: contract.DirectionBoth, Depth: 1, Limit: 20,
		FreshnessDecision: &f,
		Verification: &contract.Verification{State: contract.VerificationPartial, Pending: 1,
			Servers: contract.List[contract.ServerState]{{Language: "go", Root: root, Server: "gopls",
				State: contract.ServerIndexing, Detail: "60%"}}},
		Warnings: []string{"CALL_GRAPH_VERIFICATION_PENDING"},
		Nodes: contract.List[contract.Node]{
			{SymbolID: routerID, SymbolLabel: "Router.Create", File: routerGo, Language: "go",
				Span: contract.LineSpan{StartLine: 41, EndLine: 66}, Service: "orders"},
			{SymbolID: "s_bbbbbbbbbbbb", SymbolLabel: "main", File: "orders/cmd/main.go", Language: "go",
				Span: contract.LineSpan{StartLine: 9, EndLine: 30}, Depth: 1, Service: "orders"},
			{SymbolID: "ext:net/http.Error", SymbolLabel: "http.Error", Language: "go", Depth: 1, External: true},
		},
		Edges: contract.List[contract.Edge]{{
			Src: "s_bbbbbbbbbbbb", Dst: routerID, Kind: code.EdgeCall,
			Site: contract.Site{File: "orders/cmd/main.go", StartLine: 17}, Confidence: 0.99,
			Evidence: code.Syntactic,
			State:    contract.StatePending, Strategy: "T3", Provenance: "r is declared as *Router in line 12",
			Arguments: []string{"w", "q"},
		}},
		Cursor: "g1.AQECAwQFBgc", Truncated: &contract.Truncation{What: "edges", Shown: 1, Omitted: 1,
			Cause: contract.CauseLimit,
			Next: contract.Suggest(&contract.GraphRequest{Path: root, SymbolRef: routerRef, Limit: 1,
				Cursor: "g1.AQECAwQFBgc"})},
		Tree: "callers of Router.Create  orders/api/router.go:41 (lines are call sites)\n" +
			"└─ main  orders/cmd/main.go:17  [syntactic 0.99]  … depth 1\n\n" +
			"callees of Router.Create  orders/api/router.go:41 (lines are declarations)  … 1 external (net/http)",
		Counts: &contract.GraphCounts{Outgoing: contract.OutgoingCounts{Symbols: 1, Sites: 2, External: 1,
			Unresolved: 1}, Inbound: contract.InboundCounts{Symbols: 1, Settled: 2}},
		Notes: contract.List[contract.Note]{{Type: contract.NoteUnresolved, SymbolID: "s_bbbbbbbbbbbb",
			Target: "hooks[i]", File: "orders/cmd/main.go", Line: 21, Detail: "called through a value"}},
		TotalNoteCount: 1, ReturnedNoteCount: 1,
		TestReferences: []contract.TestReference{{File: "orders/api/router_test.go", Line: 12,
			Label: "TestCreate"}},
		Sidecar: &contract.Sidecar{BuiltAt: moment, NodeCount: 3, EdgeCount: 1},
		Hints:   &contract.Hints{Retry: trace("").Because("gopls is indexing")},
	}
}

func noCallersAnswer() *contract.GraphAnswer {
	a := graphAnswer()
	a.Direction, a.Edges, a.Nodes, a.Tree, a.Notes, a.TestReferences = contract.DirectionCallers, nil,
		a.Nodes[:1], "", nil, nil
	a.TotalNoteCount, a.ReturnedNoteCount, a.Sidecar, a.Counts, a.Cursor, a.Truncated = 0, 0, nil, nil, "", nil
	a.Warnings = []string{"CALL_GRAPH_INBOUND_COVERAGE_PARTIAL"}
	a.Verification = &contract.Verification{State: contract.VerificationOff}
	a.InboundCoverageEvidence = &contract.InboundCoverage{FilesConsidered: 11000, SameNameCallSites: 3,
		IndexComplete: true, Verification: contract.VerificationOff, UncoveredLanguages: []string{"lua"}}
	a.Hints = &contract.Hints{NextSteps: []contract.Action{*contract.Suggest(&contract.SearchRequest{Path: root,
		Query: "must:Create Create"})}}
	return a
}

// folderAnswer returns the map of a folder with a service.
func folderAnswer() *contract.OutlineAnswer {
	return &contract.OutlineAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Path: root, CodebaseRoot: root,
		File:       "orders",
		Unexported: 4, Folder: &contract.FolderMap{Folder: "orders", Files: 27, Hidden: 5, Entries: []contract.MapEntry{
			{Path: "mail/", Service: "mailer", Kind: "application", Language: "python", Files: 12},
			{Path: "router.go", Language: "go", Lines: 120, Hidden: 5, Symbols: []contract.MapName{
				{SymbolLabel: "Router", Kind: code.KindStruct, Line: 20},
				{SymbolLabel: "Router.Create", Kind: code.KindMethod, Line: 41},
				{SymbolLabel: "New", Kind: code.KindFunction, Line: 70}}},
			{Path: "api/", Files: 9},
			{Path: "README.md", Class: code.ClassDocs, Lines: 30},
			{Path: "router_test.go", Class: code.ClassTest, Lines: 80}}}}
}

// excerptAnswer returns the lines of a symbol that hold identifiers, cut by the
// budget.
func excerptAnswer() *contract.ReadAnswer {
	return &contract.ReadAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, Path: root + "/" + routerGo,
		CodebaseRoot: root, File: routerGo,
		Span: &contract.LineSpan{StartLine: 41, EndLine: 66}, Symbol: &outlineAnswer().Outline.Symbols[0],
		Excerpt: &contract.Excerpt{Missing: []string{"ttl"}, Lines: []contract.MatchedLine{
			{Line: 41, Text: "func (r *Router) Create(w Writer, q *Request) {"}, {Line: 50, Text: "\tif q.Signed() {"},
			{Line: 52, Text: "\t\tcheck(q.token)"}}},
		HasMore: true, Truncated: &contract.Truncation{What: "lines", Shown: 1, Omitted: 2,
			Cause: contract.CauseMaxTokens,
			Next: contract.Suggest(&contract.ReadRequest{Path: root,
				OpenSymbol:  &contract.OpenSymbol{SymbolLabel: "Router.Create"},
				Identifiers: []string{"token", "ttl"}, StartLine: 60})}}
}

// bodiesAnswer returns a graph with the source of its symbols, a long one cut.
func bodiesAnswer() *contract.GraphAnswer {
	a := graphAnswer()
	a.Tree, a.Notes, a.TestReferences, a.Counts, a.Hints, a.Warnings = "", nil, nil, nil, nil, nil
	a.Edges[0].Arguments, a.TotalNoteCount, a.ReturnedNoteCount = nil, 0, 0
	a.Cursor, a.Truncated, a.Verification, a.Nodes = "", nil, nil, a.Nodes[:2]
	a.Bodies = []contract.Body{
		{Role: contract.RoleSymbol, SymbolID: routerID, SymbolLabel: "Router.Create", Kind: code.KindMethod,
			File:    routerGo,
			Span:    contract.LineSpan{StartLine: 41, EndLine: 43},
			Content: "func (r *Router) Create(w Writer, q *Request) {\n\tr.store.Put(q.Order)\n}\n"},
		{Role: contract.RoleCaller, SymbolID: "s_bbbbbbbbbbbb", SymbolLabel: "main", Kind: code.KindFunction,
			File: "orders/cmd/main.go",
			Span: contract.LineSpan{StartLine: 9, EndLine: 30},
			Lines: []contract.MatchedLine{{Line: 9, Text: "func main() {"},
				{Line: 15, Text: "\tfor q := range queue {"}, {Line: 17, Text: "\t\tr.Create(w, q)"}}},
	}
	return a
}

func ambiguousAnswer() *contract.GraphAnswer {
	return &contract.GraphAnswer{
		Outcome: contract.CondAmbiguous.Outcome("2 symbols are named Create: call again with the symbolId of one."),
		Path:    root, CodebaseRoot: root,
		SymbolRef: contract.SymbolRef{SymbolLabel: "Create"}, Direction: contract.DirectionBoth, Depth: 1, Limit: 20,
		Candidates: []contract.Candidate{
			{SymbolID: routerID, SymbolLabel: "Router.Create", File: routerGo,
				Span: contract.LineSpan{StartLine: 41, EndLine: 66}, Kind: "method", Language: "go", Service: "orders"},
			{SymbolID: "s_cccccccccccc", SymbolLabel: "Store.Create", File: "orders/store.go",
				Span: contract.LineSpan{StartLine: 7, EndLine: 7}, Kind: "method", Language: "go",
				Signature: "Create(o *Order) error"},
		},
		Hints: &contract.Hints{NextSteps: []contract.Action{*trace("")}},
	}
}

func readAnswer() *contract.ReadAnswer {
	return &contract.ReadAnswer{
		Outcome: contract.Outcome{Status: contract.StatusOK}, Plain: true, Path: root + "/" + routerGo,
		CodebaseRoot: root, File: routerGo, Mode: contract.ReadPlain,
		Span:         &contract.LineSpan{StartLine: 1, EndLine: 3},
		Text:         []byte("package api\n\n// a < b && c > d, \u2028 and \"quotes\"\n"),
		Continuation: `(File truncated at line 3. To read more, call read_file with path="/ws/orders/api/router.go" and start_line=4.)`,
	}
}

func annotatedAnswer() *contract.ReadAnswer {
	f := fresh()
	return &contract.ReadAnswer{
		Outcome: contract.Outcome{Status: contract.StatusOK}, Path: root + "/" + routerGo, CodebaseRoot: root,
		File: routerGo, Mode: contract.ReadAnnotated, Span: &contract.LineSpan{StartLine: 1, EndLine: 2},
		Content: "package api\n\n", FreshnessDecision: &f, OutlineStatus: "ok",
		Outline: &contract.Outline{Symbols: contract.List[contract.OutlineSymbol]{outlineSymbol()}}, HasMore: true,
		Truncated: &contract.Truncation{What: "lines", Shown: 2, Omitted: 2398, Cause: contract.CauseMaxTokens,
			Next: contract.Suggest(&contract.ReadRequest{Path: root + "/" + routerGo, StartLine: 3,
				Mode: contract.ReadAnnotated})},
	}
}

func contextAnswer() *contract.ReadAnswer {
	f, s := fresh(), outlineSymbol()
	return &contract.ReadAnswer{
		Kind: "symbol_context", Outcome: contract.Outcome{Status: contract.StatusOK}, Path: root + "/" + routerGo,
		CodebaseRoot: root, File: routerGo, Mode: contract.ReadPlain,
		Span: &contract.LineSpan{StartLine: 41, EndLine: 42}, Symbol: &s,
		Context:           &contract.SymbolContext{Preset: contract.PresetCallContext},
		Content:           "func (r *Router) Create() {\n}\n",
		FreshnessDecision: &f,
		Warnings: contract.Warnings{{Code: "SYMBOL_MOVED", Severity: contract.SeverityInfo,
			Message: "The symbol was at lines 30-55."}},
		Related: []contract.RelatedExcerpt{{Role: "caller", File: "orders/cmd/main.go",
			Span: contract.LineSpan{StartLine: 17, EndLine: 17}, Label: "main", Content: "\trouter.Create(w, q)\n"}},
	}
}

func operation(phase string) *contract.Operation {
	return &contract.Operation{ID: "op_1", Action: "create", CanonicalRoot: root,
		Generation: strings.Repeat("0a", 16), AcceptedAt: moment, Phase: phase, LastDurableTransitionAt: moment,
		RuntimeFingerprint: "lexical-1", Writer: contract.Writer{OwnerID: "o_1", PID: 4242, Version: "1.0.0"}}
}

func statusAnswer() *contract.ManageAnswer {
	f := fresh()
	return &contract.ManageAnswer{
		Tool: contract.ToolManage, Version: 1, Action: contract.ManageStatus, Path: root,
		Outcome: contract.Outcome{Status: contract.StatusOK, Message: "indexing, 7.4% done"},
		State:   contract.IndexIndexing, HumanText: "/ws is being indexed: 812 of 11,000 files.",
		Operation: operation(contract.PhaseWriting),
		Progress: &contract.IndexProgress{Phase: contract.PhaseWriting, FilesDone: 812, FilesTotal: 11000,
			EtaMs: 6200},
		SyncStats: &contract.SyncStats{Added: 812}, SymbolQuality: "symbol_rich",
		LanguageCapability: []contract.LanguageCapability{{Language: "go", Files: 800, Symbols: true,
			CallGraph: true, Server: "gopls"}},
		FreshnessDecision: &f, Coverage: &contract.Coverage{Parsed: 800, ParseErrors: 3, TextOnly: 12,
			Skipped: map[string]int{"binary": 9, "too_large": 3}},
		Tiers: &contract.TierStates{L1: contract.L1State{Files: 812, Chunks: 9120, Embedder: "off"},
			L2: contract.L2State{Symbols: 20411, Calls: 71002, ByLanguage: map[string]int{"go": 20411}},
			L3: contract.L3State{Max: 3, IdleTimeoutMs: 300000}},
		Services: []contract.ServiceState{{Name: "orders", Path: "orders", Language: "go",
			Manifest: "orders/go.mod", Files: 210}}, Disk: &contract.Disk{Bytes: 1 << 20},
	}
}

func blockedAnswer() *contract.ManageAnswer {
	return &contract.ManageAnswer{
		Tool: contract.ToolManage, Version: 1, Action: contract.ManageReindex, Path: root,
		Outcome:   contract.CondMutation.Outcome("Process 4242 writes /ws: wait for it."),
		HumanText: "/ws is being written by process 4242.",
		Preflight: &contract.Preflight{Decision: "blocked", Reason: "mutation_in_progress"},
		Operation: operation(contract.PhaseBlocked),
		Warnings: contract.Warnings{{Code: "ARGUMENT_IGNORED", Severity: contract.SeverityInfo,
			Message: "zillizDropCollection means nothing here."}},
		Hints: &contract.Hints{Status: statusCall()},
	}
}

func listAnswer() contract.ListAnswer {
	return contract.ListAnswer{
		Ready: contract.List[contract.ReadyRoot]{{Path: root, SymbolQuality: "symbol_rich", Files: 11000,
			Symbols: 90210, LastSync: moment,
			Services: []contract.RootService{{Name: "orders", Path: "orders", Language: "go"}, {Name: "gateway"}}}},
		Indexing:        contract.List[contract.IndexingRoot]{{Path: "/c", Percent: 42}},
		RequiresReindex: contract.List[contract.StoppedRoot]{{Path: "/d", Reason: "fingerprint_mismatch"}},
		Failed: contract.List[contract.StoppedRoot]{{Path: "/home/me/My Code",
			Reason: "no space left on device"}},
		Owner: contract.RuntimeOwner{PID: 4242, Version: "1.0.0"},
	}
}
