package mcp

import (
	"context"
	"strings"
	"sync"

	"sextant/internal/code"
	"sextant/internal/navigate"
)

// fake answers every tool with a fixed answer, or does what its hooks say.
type fake struct {
	// hook, when not nil, runs first and may answer in the fake's stead.
	hook  func(ctx context.Context, req navigate.Request) (any, error)
	mu    sync.Mutex         // guards calls
	calls []navigate.Request // what came through
}

// ask is one method of the fake.
func ask[A any](ctx context.Context, f *fake, req navigate.Request, fixed A) (A, error) {
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

func (f *fake) ListCodebases(ctx context.Context, r navigate.ListRequest) (navigate.ListAnswer, error) {
	return ask(ctx, f, &r, listAnswer())
}

func (f *fake) Search(ctx context.Context, r navigate.SearchRequest) (*navigate.SearchAnswer, error) {
	return ask(ctx, f, &r, searchAnswer())
}

func (f *fake) Outline(ctx context.Context, r navigate.OutlineRequest) (*navigate.OutlineAnswer, error) {
	return ask(ctx, f, &r, outlineAnswer())
}

func (f *fake) CallGraph(ctx context.Context, r navigate.GraphRequest) (*navigate.GraphAnswer, error) {
	return ask(ctx, f, &r, graphAnswer())
}

func (f *fake) Read(ctx context.Context, r navigate.ReadRequest) (*navigate.ReadAnswer, error) {
	return ask(ctx, f, &r, readAnswer())
}

func (f *fake) Manage(ctx context.Context, r navigate.ManageRequest) (*navigate.ManageAnswer, error) {
	return ask(ctx, f, &r, statusAnswer())
}

// serve is a server over f.
func serve(f *fake, opts Options) *Server {
	opts.Open = func(context.Context) (Service, error) { return f, nil }
	return NewServer(opts)
}

const (
	root     = "/ws"
	moment   = "2026-01-02T03:04:05.678Z"
	routerGo = "orders/api/router.go"
	routerID = "s_3fa2c2bqx7ma"
)

var routerRef = navigate.SymbolRef{File: routerGo, SymbolID: routerID, SymbolInstanceID: routerID + "@0102030405ff", SymbolLabel: "Router.Create"}

func fresh() navigate.Freshness {
	return navigate.Freshness{Mode: navigate.FreshJITVerified, CheckedAt: moment, Gate: &navigate.GateReport{FilesChecked: 3, FilesReindexed: 1, DirectoriesChecked: 2}}
}

func hint() navigate.CallGraphHint {
	ref := routerRef
	return navigate.CallGraphHint{Supported: true, SymbolRef: &ref, Validated: true, ValidatedAt: moment}
}

func open() *navigate.Action {
	return navigate.Suggest(&navigate.ReadRequest{Path: root + "/" + routerGo, OpenSymbol: &navigate.OpenSymbol{SymbolID: routerID, SymbolInstanceID: routerRef.SymbolInstanceID}})
}

func trace(direction string) *navigate.Action {
	return navigate.Suggest(&navigate.GraphRequest{Path: root, SymbolRef: routerRef, Direction: direction})
}

func statusCall() *navigate.Action {
	return navigate.Suggest(&navigate.ManageRequest{Action: "status", Path: root})
}

func searchAnswer() *navigate.SearchAnswer {
	synced, first := moment, 0
	outline := navigate.Suggest(&navigate.OutlineRequest{Path: root, File: routerGo, StartLine: 41, EndLine: 66})
	span := navigate.LineSpan{StartLine: 41, EndLine: 66}
	group := &navigate.Group{
		Kind: "group", GroupID: "g_1", File: routerGo, Span: span, Service: "orders", Language: "go", SymbolKind: "method", SymbolLabel: "Router.Create",
		SymbolID: routerID, SymbolKey: "k_3fa2c2bqx7ma", SymbolInstanceID: routerRef.SymbolInstanceID, SymbolSpan: &span,
		PreviewSpan: &navigate.LineSpan{StartLine: 41, EndLine: 43},
		Preview:     "func (r *Router) Create(w http.ResponseWriter, q *http.Request) {\n\tr.store.Insert(decode(q), a<b && c>d)\n}",
		MatchedBy:   []string{"exact", "lexical"}, Confidence: navigate.High, Score: 12.5, IndexedAt: moment, StalenessBucket: "fresh", CollapsedChunkCount: 1,
		CallGraphHint: hint(), Capabilities: navigate.Capabilities{OpenSymbol: navigate.High, CallGraphCallers: navigate.Medium, CallGraphCallees: navigate.Medium, SemanticMatch: navigate.Unavailable},
		Navigation: &navigate.Navigation{
			NextActions:           &navigate.NextActions{OpenSymbol: open(), OutlineWindow: outline, CallGraph: trace(""), TraceCallers: trace("callers"), TraceCallees: trace("callees")},
			RecommendedNextAction: open(),
			InboundRecovery:       navigate.Suggest(&navigate.SearchRequest{Path: root, Query: "must:Create Create"}),
		},
	}
	plain := &navigate.Group{
		Kind: "group", GroupID: "g_2", File: "docs/größe & mehr.md", Span: navigate.LineSpan{StartLine: 3, EndLine: 9}, Language: "markdown", SymbolLabel: "docs/größe & mehr.md",
		Preview: "# Größe", MatchedBy: []string{"lexical"}, Confidence: navigate.Low, Score: 1.25, IndexedAt: moment, StalenessBucket: "fresh", CollapsedChunkCount: 2,
		CallGraphHint: navigate.CallGraphHint{Reason: navigate.ReasonUnsupportedLanguage},
		Capabilities:  navigate.Capabilities{OpenSymbol: navigate.Low, CallGraphCallers: navigate.Unavailable, CallGraphCallees: navigate.Unavailable, SemanticMatch: navigate.Unavailable},
		Navigation: &navigate.Navigation{NavigationFallback: &navigate.NavigationFallback{
			Message:  "No symbol owns these lines: read them.",
			Context:  navigate.FallbackContext{CodebaseRoot: root, RelativeFile: "docs/größe & mehr.md", AbsolutePath: root + "/docs/größe & mehr.md", StartLine: 3, EndLine: 9},
			ReadSpan: navigate.Suggest(&navigate.ReadRequest{Path: root + "/docs/größe & mehr.md", StartLine: 3, EndLine: 9}),
		}},
	}
	return &navigate.SearchAnswer{
		Outcome: navigate.Outcome{Status: navigate.StatusOK}, Path: root, CodebaseRoot: root, Query: "create order", Scope: "mixed", GroupBy: "symbol", ResultMode: "grouped", Limit: 2,
		Confidence: navigate.High, Tiers: &navigate.Tiers{Lexical: navigate.Tier{State: "ok"}, Semantic: navigate.Tier{State: "off", Why: "no embedder is configured"}},
		FreshnessDecision: fresh(),
		FreshnessSummary:  &navigate.FreshnessSummary{SyncMode: navigate.FreshJITVerified, LastSyncAt: &synced, ChangedFileCount: 1, GitDirtyFilesConsidered: true, ChangedFilesBoostApplied: true},
		Results:           navigate.List[navigate.SearchResult]{group, plain},
		Pagination:        &navigate.Pagination{Continuation: "complete", Returned: 2, Total: 14},
		Truncated: &navigate.Truncation{What: "results", Shown: 2, Omitted: 12, Cause: "limit",
			Next: navigate.Suggest(&navigate.SearchRequest{Path: root, Query: "create order", Scope: "mixed", Limit: 14})},
		RecommendedNextAction: &navigate.NextAction{ResultIndex: &first, Tool: navigate.ToolRead, Args: open().Args, Reason: "exact match"},
		Hints: &navigate.Hints{NoiseMitigation: &navigate.NoiseMitigation{Reason: "half of the top is docs", Top: map[string]int{"docs": 1, "source": 1},
			Action: navigate.Suggest(&navigate.SearchRequest{Path: root, Query: "create order"})}},
	}
}

func exhaustiveAnswer() *navigate.SearchAnswer {
	a := searchAnswer()
	a.Query, a.RecommendedNextAction, a.Hints, a.Truncated, a.Pagination = "must:Insert(", nil, nil, nil, nil
	a.ResultMode = "raw"
	a.Matches = &navigate.Matches{Files: 12, Lines: 31}
	a.Cursor = "c1:40"
	a.Warnings.Add(navigate.Warning{Code: "INDEX_PARTIAL", Severity: navigate.SeverityCaution, Message: "812 of 11000 files are indexed: what was not found may still come.", Action: statusCall()})
	a.Results = navigate.List[navigate.SearchResult]{&navigate.Chunk{
		Kind: "chunk", File: routerGo, Span: navigate.LineSpan{StartLine: 41, EndLine: 66}, Language: "go", SymbolKind: "method", SymbolLabel: "Router.Create", SymbolID: routerID,
		Content: "\tr.store.Insert(decode(q))\n", MatchedLines: []navigate.MatchedLine{{Line: 42, Text: "\tr.store.Insert(decode(q))"}}, MatchedBy: []string{"exact"}, Score: 1, IndexedAt: moment, StalenessBucket: "fresh",
	}}
	return a
}

func nearAnswer() *navigate.SearchAnswer {
	a := searchAnswer()
	a.Query, a.Confidence, a.RecommendedNextAction, a.Hints, a.Truncated, a.Pagination = "Router.Craete", navigate.Low, nil, nil, nil, nil
	a.Results = nil
	a.DidYouMean = []navigate.NearName{{SymbolLabel: "Router.Create", Symbols: 1, Kind: "method", File: routerGo, Line: 41, Edits: 1,
		Next: navigate.Suggest(&navigate.SearchRequest{Path: root, Query: "Router.Create"})}}
	return a
}

func notIndexedAnswer() *navigate.SearchAnswer {
	return &navigate.SearchAnswer{
		Outcome: navigate.CondNotIndexed.Outcome("/home/me/My Code is not indexed: index it first."),
		Path:    "/home/me/My Code", Query: "x", Scope: "runtime", GroupBy: "symbol", ResultMode: "grouped", Limit: 10,
		FreshnessDecision: navigate.Freshness{Mode: navigate.FreshMissingPath, CheckedAt: moment},
		Hints:             &navigate.Hints{Create: navigate.Suggest(&navigate.ManageRequest{Action: "create", Path: "/home/me/My Code"})},
	}
}

func outlineSymbol() navigate.OutlineSymbol {
	exported := true
	return navigate.OutlineSymbol{
		SymbolID: routerID, SymbolLabel: "Router.Create", Kind: code.KindMethod, Name: "Create", QualifiedName: "Router.Create",
		Span: code.Span{StartLine: 41, EndLine: 66, StartColumn: 1, EndColumn: 2, StartByte: 900, EndByte: 1800}, Language: "go",
		Signature:  "func (r *Router) Create(w http.ResponseWriter, q *http.Request) error",
		Parameters: []code.Parameter{{Name: "w", Type: "http.ResponseWriter"}, {Name: "q", Type: "*http.Request"}}, Returns: "error",
		Doc: "Create makes an order.", Exported: &exported, ParentPath: []string{"Router"}, ParentSymbolID: "s_aaaaaaaaaaaa", SymbolKey: "k_3fa2c2bqx7ma", CallGraphHint: hint(),
	}
}

func outlineAnswer() *navigate.OutlineAnswer {
	f := fresh()
	return &navigate.OutlineAnswer{
		Outcome: navigate.Outcome{Status: navigate.StatusOK}, Path: root, CodebaseRoot: root, File: routerGo, FreshnessDecision: &f, Warnings: []string{"PARSE_ERRORS:2"},
		Outline: &navigate.Outline{Symbols: navigate.List[navigate.OutlineSymbol]{outlineSymbol()}}, HasMore: true, Skeleton: "package api\n\nfunc (r *Router) Create(…) error { … }\n",
		Truncated: &navigate.Truncation{What: "symbols", Shown: 1, Omitted: 8, Cause: "limit", Next: navigate.Suggest(&navigate.OutlineRequest{Path: root, File: routerGo, LimitSymbols: 9})},
	}
}

func graphAnswer() *navigate.GraphAnswer {
	f := fresh()
	return &navigate.GraphAnswer{
		Outcome: navigate.Outcome{Status: navigate.StatusOK}, Supported: true, Path: root, CodebaseRoot: root, SymbolRef: routerRef, Direction: "both", Depth: 1, Limit: 20,
		FreshnessDecision: &f,
		Verification:      &navigate.Verification{State: "partial", Pending: 1, Servers: navigate.List[navigate.ServerState]{{Language: "go", Root: root, Server: "gopls", State: "indexing", Detail: "60%"}}},
		Warnings:          []string{"CALL_GRAPH_VERIFICATION_PENDING"},
		Nodes: navigate.List[navigate.Node]{
			{SymbolID: routerID, SymbolLabel: "Router.Create", File: routerGo, Language: "go", Span: navigate.LineSpan{StartLine: 41, EndLine: 66}, Service: "orders"},
			{SymbolID: "s_bbbbbbbbbbbb", SymbolLabel: "main", File: "orders/cmd/main.go", Language: "go", Span: navigate.LineSpan{StartLine: 9, EndLine: 30}, Depth: 1, Service: "orders"},
			{SymbolID: "ext:net/http.Error", SymbolLabel: "http.Error", Language: "go", Depth: 1, External: true},
		},
		Edges: navigate.List[navigate.Edge]{{
			Src: "s_bbbbbbbbbbbb", Dst: routerID, Kind: code.EdgeCall, Site: navigate.Site{File: "orders/cmd/main.go", StartLine: 17}, Confidence: 0.99, Evidence: code.Syntactic,
			State: "pending", Strategy: "T3", Provenance: "r is declared as *Router in line 12", Arguments: []string{"w", "q"},
		}},
		Cursor: "g1.AQECAwQFBgc", Truncated: &navigate.Truncation{What: "edges", Shown: 1, Omitted: 1, Cause: "limit",
			Next: navigate.Suggest(&navigate.GraphRequest{Path: root, SymbolRef: routerRef, Limit: 1, Cursor: "g1.AQECAwQFBgc"})},
		Tree: "callers of Router.Create  orders/api/router.go:41 (lines are call sites)\n└─ main  orders/cmd/main.go:17  [syntactic 0.99]  … depth 1\n\n" +
			"callees of Router.Create  orders/api/router.go:41 (lines are declarations)  … 1 external (net/http)",
		Counts:         &navigate.GraphCounts{Outgoing: navigate.OutgoingCounts{Symbols: 1, Sites: 2, External: 1, Unresolved: 1}, Inbound: navigate.InboundCounts{Symbols: 1, Settled: 2}},
		Notes:          navigate.List[navigate.Note]{{Type: navigate.NoteUnresolved, SymbolID: "s_bbbbbbbbbbbb", Target: "hooks[i]", File: "orders/cmd/main.go", Line: 21, Detail: "called through a value"}},
		TotalNoteCount: 1, ReturnedNoteCount: 1, TestReferences: []navigate.TestReference{{File: "orders/api/router_test.go", Line: 12, Label: "TestCreate"}},
		Sidecar: &navigate.Sidecar{BuiltAt: moment, NodeCount: 3, EdgeCount: 1},
		Hints:   &navigate.Hints{Retry: trace("").Because("gopls is indexing")},
	}
}

func noCallersAnswer() *navigate.GraphAnswer {
	a := graphAnswer()
	a.Direction, a.Edges, a.Nodes, a.Tree, a.Notes, a.TestReferences = "callers", nil, a.Nodes[:1], "", nil, nil
	a.TotalNoteCount, a.ReturnedNoteCount, a.Sidecar, a.Counts, a.Cursor, a.Truncated = 0, 0, nil, nil, "", nil
	a.Warnings = []string{"CALL_GRAPH_INBOUND_COVERAGE_PARTIAL"}
	a.Verification = &navigate.Verification{State: "off"}
	a.InboundCoverageEvidence = &navigate.InboundCoverage{FilesConsidered: 11000, SameNameCallSites: 3, IndexComplete: true, Verification: "off", UncoveredLanguages: []string{"lua"}}
	a.Hints = &navigate.Hints{NextSteps: []navigate.Action{*navigate.Suggest(&navigate.SearchRequest{Path: root, Query: "must:Create Create"})}}
	return a
}

func ambiguousAnswer() *navigate.GraphAnswer {
	return &navigate.GraphAnswer{
		Outcome: navigate.CondAmbiguous.Outcome("2 symbols are named Create: call again with the symbolId of one."), Path: root, CodebaseRoot: root,
		SymbolRef: navigate.SymbolRef{SymbolLabel: "Create"}, Direction: "both", Depth: 1, Limit: 20,
		Candidates: []navigate.Candidate{
			{SymbolID: routerID, SymbolLabel: "Router.Create", File: routerGo, Span: navigate.LineSpan{StartLine: 41, EndLine: 66}, Kind: "method", Language: "go", Service: "orders"},
			{SymbolID: "s_cccccccccccc", SymbolLabel: "Store.Create", File: "orders/store.go", Span: navigate.LineSpan{StartLine: 7, EndLine: 7}, Kind: "method", Language: "go", Signature: "Create(o *Order) error"},
		},
		Hints: &navigate.Hints{NextSteps: []navigate.Action{*trace("")}},
	}
}

func readAnswer() *navigate.ReadAnswer {
	return &navigate.ReadAnswer{
		Outcome: navigate.Outcome{Status: navigate.StatusOK}, Plain: true, Path: root + "/" + routerGo, CodebaseRoot: root, File: routerGo, Mode: "plain", Span: &navigate.LineSpan{StartLine: 1, EndLine: 3},
		Text:         []byte("package api\n\n// a < b && c > d, \u2028 and \"quotes\"\n"),
		Continuation: `(File truncated at line 3. To read more, call read_file with path="/ws/orders/api/router.go" and start_line=4.)`,
	}
}

func annotatedAnswer() *navigate.ReadAnswer {
	f := fresh()
	return &navigate.ReadAnswer{
		Outcome: navigate.Outcome{Status: navigate.StatusOK}, Path: root + "/" + routerGo, CodebaseRoot: root, File: routerGo, Mode: "annotated", Span: &navigate.LineSpan{StartLine: 1, EndLine: 2},
		Content: "package api\n\n", FreshnessDecision: &f, OutlineStatus: "ok", Outline: &navigate.Outline{Symbols: navigate.List[navigate.OutlineSymbol]{outlineSymbol()}}, HasMore: true,
		Truncated: &navigate.Truncation{What: "lines", Shown: 2, Omitted: 2398, Cause: "maxTokens", Next: navigate.Suggest(&navigate.ReadRequest{Path: root + "/" + routerGo, StartLine: 3, Mode: "annotated"})},
	}
}

func contextAnswer() *navigate.ReadAnswer {
	f, s := fresh(), outlineSymbol()
	return &navigate.ReadAnswer{
		Kind: "symbol_context", Outcome: navigate.Outcome{Status: navigate.StatusOK}, Path: root + "/" + routerGo, CodebaseRoot: root, File: routerGo, Mode: "plain",
		Span: &navigate.LineSpan{StartLine: 41, EndLine: 42}, Symbol: &s, Context: &navigate.SymbolContext{Preset: "call_context"}, Content: "func (r *Router) Create() {\n}\n", FreshnessDecision: &f,
		Warnings: navigate.Warnings{{Code: "SYMBOL_MOVED", Severity: navigate.SeverityInfo, Message: "The symbol was at lines 30-55."}},
		Related:  []navigate.RelatedExcerpt{{Role: "caller", File: "orders/cmd/main.go", Span: navigate.LineSpan{StartLine: 17, EndLine: 17}, Label: "main", Content: "\trouter.Create(w, q)\n"}},
	}
}

func operation(phase string) *navigate.Operation {
	return &navigate.Operation{ID: "op_1", Action: "create", CanonicalRoot: root, Generation: strings.Repeat("0a", 16), AcceptedAt: moment, Phase: phase, LastDurableTransitionAt: moment,
		RuntimeFingerprint: "lexical-1", Writer: navigate.Writer{OwnerID: "o_1", PID: 4242, Version: "1.0.0"}}
}

func statusAnswer() *navigate.ManageAnswer {
	f := fresh()
	return &navigate.ManageAnswer{
		Tool: navigate.ToolManage, Version: 1, Action: "status", Path: root, Outcome: navigate.Outcome{Status: navigate.StatusOK, Message: "indexing, 7.4% done"}, State: navigate.IndexIndexing, HumanText: "/ws is being indexed: 812 of 11,000 files.",
		Operation: operation(navigate.PhaseWriting), Progress: &navigate.IndexProgress{Phase: navigate.PhaseWriting, FilesDone: 812, FilesTotal: 11000, EtaMs: 6200},
		SyncStats: &navigate.SyncStats{Added: 812}, SymbolQuality: "symbol_rich",
		LanguageCapability: []navigate.LanguageCapability{{Language: "go", Files: 800, Symbols: true, CallGraph: true, Server: "gopls"}},
		FreshnessDecision:  &f, Coverage: &navigate.Coverage{Parsed: 800, ParseErrors: 3, TextOnly: 12, Skipped: map[string]int{"binary": 9, "too_large": 3}},
		Tiers: &navigate.TierStates{L1: navigate.L1State{Files: 812, Chunks: 9120, Embedder: "off"}, L2: navigate.L2State{Symbols: 20411, Calls: 71002, ByLanguage: map[string]int{"go": 20411}},
			L3: navigate.L3State{Max: 3, IdleTimeoutMs: 300000}},
		Services: []navigate.ServiceState{{Name: "orders", Path: "orders", Language: "go", Manifest: "orders/go.mod", Files: 210}}, Disk: &navigate.Disk{Bytes: 1 << 20},
	}
}

func blockedAnswer() *navigate.ManageAnswer {
	return &navigate.ManageAnswer{
		Tool: navigate.ToolManage, Version: 1, Action: "reindex", Path: root, Outcome: navigate.CondMutation.Outcome("Process 4242 writes /ws: wait for it."), HumanText: "/ws is being written by process 4242.",
		Preflight: &navigate.Preflight{Decision: "blocked", Reason: "mutation_in_progress"}, Operation: operation(navigate.PhaseBlocked),
		Warnings: navigate.Warnings{{Code: "ARGUMENT_IGNORED", Severity: navigate.SeverityInfo, Message: "zillizDropCollection means nothing here."}},
		Hints:    &navigate.Hints{Status: statusCall()},
	}
}

func listAnswer() navigate.ListAnswer {
	return navigate.ListAnswer{
		Ready: navigate.List[navigate.ReadyRoot]{{Path: root, SymbolQuality: "symbol_rich", Files: 11000, Symbols: 90210, LastSync: moment,
			Services: []navigate.RootService{{Name: "orders", Path: "orders", Language: "go"}, {Name: "gateway"}}}},
		Indexing:        navigate.List[navigate.IndexingRoot]{{Path: "/c", Percent: 42}},
		RequiresReindex: navigate.List[navigate.StoppedRoot]{{Path: "/d", Reason: "fingerprint_mismatch"}},
		Failed:          navigate.List[navigate.StoppedRoot]{{Path: "/home/me/My Code", Reason: "no space left on device"}},
		Owner:           navigate.RuntimeOwner{PID: 4242, Version: "1.0.0"},
	}
}
