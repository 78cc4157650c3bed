package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/golden"
	"sextant/internal/navigate/contract"
)

// TestContractDocument compares docs/contract.md with the tables it is
// generated from.
func TestContractDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString("# The six tools\n\nMade from the tables in `mcp` and `internal/navigate/contract` by `go test " +
		"./mcp -update`; a test keeps it true.\n" +
		"The shapes of the answers are the goldens in `testdata/tools/`.\n\n| tool | | writes |\n|---|---|---|\n")
	for _, own := range tools() {
		writes := "nothing"
		if own.writes {
			writes = "the index"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", own.name, own.title, writes)
	}
	b.WriteString("\n## Text and JSON\n\n" +
		"An answer is compact text unless `format` is `json` (of the call, of `serve --format`, or of " +
		"`SEXTANT_FORMAT`); `pack2` means text. Arguments, statuses, reasons and budgets are the same in both. " +
		"JSON has every field ([answers.md](answers.md)); its goldens stand beside those of the text. " +
		"`structuredContent` repeats JSON for clients of revision 2025-06-18 or later; text comes alone.\n\n" +
		"In text, paths are relative to the root, which the first line names if it is not `path`. A path with " +
		"control characters stands in quotes, `\"a\\n" +
		"b.go\":12`, and arguments take it so. A line that begins with `+` counts what is left out and ends in the " +
		"argument that shows it. " +
		"A status other than ok begins the text: `not_found missing_symbol: …`. `note:` is a warning, `try:` a call " +
		"that leads on.\n\n" +
		"The lines of a declaration begin at its decorators or annotations, so that they are all that an edit " +
		"replaces; a doc comment above it is not among them. A search for a name shows the only symbol that has " +
		"it whole, up to 8 lines, of a longer one its declaration, and of several that of the first. A qualified " +
		"name that the query gives is not repeated.\n\n" +
		"Overloads stand below one heading, each with its lines and its declaration. What two of them begin " +
		"with alike is shown once. The overloads that answer a question are one result, which lists " +
		"the lines of the others (`overloads`): `12-14,16-18: 2 overloads`.\n\n" +
		"An outline has the words before the names of several declarations in a row, as the receiver of Go's " +
		"methods, once above them: `func (c *conn):`. An overload there omits what the one " +
		"above begins with, `…(long size)`, and a value of " +
		"several lines ends where it opens: `limits = {…`.\n\n" +
		"The first five results of a question have up to three lines of source, or short bodies whole; the others " +
		"have the line that tells most. If none is a good match and three or more are in one file, the answer lists " +
		"what else the file declares, at most ten functions and types (`beside`): `also in plan.go:`.\n\n" +
		"The results of several words end after fifty: ten on the first page, 40 on the next unless `limit` says " +
		"otherwise. As text, pages after the first are places by file and line, without source. The last of several " +
		"pages also has what the eight likeliest source files declare, twenty functions and types of each at most, by " +
		"their first lines (`beside`); `+3` below them counts the others.\n\n" +
		"A function that is declared in another is a part of it for `call_graph`: its calls are among the callees " +
		"of the function around it, and the callers of the function around a caller are followed with those of " +
		"the caller. JSON names the function around it (`within`).\n\n" +
		"Code that hands a function on without calling it, as in `sort.Slice(rows, less)`, has an edge to it `as a " +
		"value`, of the kind `dynamic` without `via`: what runs it is elsewhere.\n\n" +
		"`call_graph` as text with the view graph counts two kinds of edges where they are many, unless `expand` " +
		"names them: calls in tests (more than three in all; the line names their places if they are twenty at " +
		"most and call the symbol itself) and possible edges of dynamic dispatch (more than five of a symbol, and " +
		"those from code that is no test to a fake in a test) and functions taken as values (more than twenty of a symbol). " +
		"Folded edges are not followed further.\n\n" +
		"JSON, trees and diagrams hold all; the default `limit` of JSON is 20 edges. Lists within a line are " +
		"cut as well (`12,40,+3`): one line at the end counts all that, and `detail: \"full\"` shows it.\n\n" +
		"`include` and `exclude` take path globs and names of services, for the " +
		"symbols at the other ends of edges; these are not followed, and the answer counts them " +
		"(`folded.filtered`).\n\n" +
		"With `detail: \"bodies\"` the source of the symbol and of the symbols around it follows the lists of " +
		"`call_graph`, callers and callees in turn and tests last (`bodies`). The budget is then 10,000 tokens. " +
		"What fits little shows less of each body, then fewer edges: of a caller its calls with the branches around " +
		"them, of a callee its first lines, each with its number (`lines`).\n\n" +
		"`read_file` with `identifiers` shows the lines that hold one of them as a whole word (else within words), " +
		"and the lines that open the branches around these; a gap in the numbers is text left out. `start_line` " +
		"goes on within a symbol. `open_symbol` with `contractVersion: 2` takes a `context`, whose presets all show " +
		"the definition alone; the warning `PRESET_IGNORED` says so of `implementation` and `call_context`.\n\n" +
		"`file_outline` of a folder is a map of it (`folder`): the services below it, its files with their main " +
		"symbols (of a file with one type its methods, too), the folders in it, and last the files that are no " +
		"source. Unexported symbols are left out unless `exported` is false, and how many symbols a file shows " +
		"depends on the budget; `detail: \"full\"` shows all of the top level.\n\n" +
		"## A change\n\n" +
		"`call_graph` with `symbolRef: {\"diff\": REVISION}` answers what a change touches. The files on disk, " +
		"staged and untracked ones included, are compared with the revision (`\"\"` and `HEAD` are the last commit; " +
		"also a branch, a tag, an id, each with `~N` and `^`); `A..B` compares two commits, `A...B` from their " +
		"merge base on. A folder as `path` leaves out what changed elsewhere.\n\n" +
		"The answer has `impact` in place of nodes and edges: changed symbols by file, test files, callers in other " +
		"files, calls from other services, and `unwalked`, what a bound or `deadlineMs` left out. A symbol has " +
		"changed if its own text has, not if it moved.\n\n" +
		"Tests come likeliest first, each with its surest evidence: " +
		"`changed`, `calls`, `may_call` (by way of an interface, a value, or a name that is gone), `imports`, " +
		"`named_for` and `mentions` (words of its path or text alone). `limit` counts test files, 30 by default, " +
		"and half as many callers; `cursor` goes on with both. Calls are resolved from source alone: `verify` has " +
		"no effect. Unlike a list of edges, the order may change when files do.\n\n" +
		"## Several questions in one call\n\n" +
		"Where a table says *or a list*, a list of up to ten asks as many questions with the same other arguments. " +
		"Each gets its share of `maxTokens`, 1,500 tokens if the call sets none. Text has a line `== QUESTION` " +
		"before each answer, and a result that an earlier one shows is its first line alone; JSON is `{\"answers\": " +
		"[…]}` in the order of the list. `isError` is set if all of them are errors.\n\n" +
		"Arguments may have the names that other tools give them (`root_path`, `repo`, `q`, `file_path`, `symbol`, " +
		"`name`, `max_results`, …; `mcp/othernames.go` lists them), in camel or snake case. A call that has both is " +
		"refused.\n\n" +
		"A file may carry lines as answers, compilers and web pages print them: `a.go:10-20`, `a.go:10:5`, " +
		"`a.go#L10-L20`. As a symbol that is the one with these lines, else the innermost around the first. A name " +
		"that source declares means this declaration; those of its name in tests, fixtures, documents and generated " +
		"files are meant " +
		"by their places.\n\n" +
		"A number out of range is clamped, and the warning `ARGUMENT_CLAMPED` says so; a wrong type is refused.\n\n" +
		"A call without `path` is about the client's first root (`roots/list`), else about the folder that the " +
		"server runs in; the first text answer then names its root, and later ones another root alone. A relative " +
		"`path` is one below that folder; manage_index takes absolute ones alone.\n")
	for _, own := range tools() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", own.name, own.about)
		arguments(&b, own.fields)
	}
	b.WriteString("\n## What each condition says\n\n`isError` is for calls that no state of the index could answer, " +
		"and for failures; everything else is an answer with a status.\n" +
		"Invalid arguments are text: ``Error: Invalid arguments for '<tool>'. <field>: <what is wrong, what was " +
		"expected, an example>; …``. All others have these fields, `message` and `hints`.\n\n" +
		"| condition | tools | isError | status | reason |\n|---|---|---|---|---|\n")
	for _, row := range contract.Conditions() {
		names := "all"
		if len(row.Tools) < len(tools()) {
			names = strings.Join(row.Tools, ", ")
		}
		fmt.Fprintf(&b, "| %s | %s | %v | %s | %s |\n", row.Condition, names, row.IsError, row.Status, row.Reason)
	}
	b.WriteString("\nReasons that older callers may know, and that are never given:\n\n")
	never := contract.NeverReasons()
	for _, reason := range slices.Sorted(maps.Keys(never)) {
		fmt.Fprintf(&b, "- `%s`: %s\n", reason, never[reason])
	}
	golden.File(t, filepath.Join("..", "docs", "contract.md"), b.String())
}

// arguments writes the table of the schema, and that of the arguments that are
// left out of it so that schemas stay small.
func arguments(b *strings.Builder, fields []field) {
	const head = "| argument | type | default | |\n|---|---|---|---|\n"
	var shown, further strings.Builder
	byString := ""
	for _, f := range fields {
		if f.byString != nil && !f.hidden {
			byString = fmt.Sprintf("\nA string as `%s` is a qualified name or an id; its schema is the object "+
				"alone, as not every client takes a type that is one of two.\n", f.name)
		}
		if f.hidden {
			row(&further, f)
		} else {
			row(&shown, f)
		}
	}
	if shown.Len() == 0 {
		b.WriteString("It needs no arguments.\n")
	} else {
		b.WriteString(head + shown.String() + byString)
	}
	if further.Len() > 0 {
		b.WriteString("\nAlso understood, and left out of the schema:\n\n" + head + further.String())
	}
}

// row writes one argument as a row of a table.
func row(b *strings.Builder, f field) {
	kind, byDef := string(f.kind), ""
	switch {
	case f.values != nil:
		kind = strings.Join(f.values, ", ")
	case f.max == maxLine:
	case f.max != 0:
		kind = fmt.Sprintf("%d to %d", f.min, f.max)
	case f.kind == object:
		var members []string
		for _, m := range f.fields {
			if !m.hidden {
				members = append(members, m.name)
			}
		}
		kind = "{" + strings.Join(members, ", ") + "}"
	}
	switch {
	case f.required:
		byDef = "required"
	case f.values != nil:
		byDef = f.values[0]
	case f.byDef != 0:
		byDef = strconv.Itoa(f.byDef)
	}
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", f.name, kind, byDef, f.about)
}

// TestConditions lets the service answer each tool with each condition that contract.Conditions lists for it,
// and compares the status and the reason that a client receives with the row of the list.
func TestConditions(t *testing.T) {
	args := map[string]string{
		contract.ToolList: `{}`, contract.ToolSearch: `{"path":"/r","query":"x"}`,
		contract.ToolOutline: `{"path":"/r","file":"a.go"}`,
		contract.ToolGraph:   `{"path":"/r","symbolRef":"F"}`, contract.ToolRead: `{"path":"/r/a.go"}`,
		contract.ToolManage: `{"action":"status","path":"/r"}`,
	}
	for _, row := range contract.Conditions() {
		if row.Status == "" || row.Condition == contract.CondOK {
			continue
		}
		for _, tool := range row.Tools {
			f := &fake{hook: func(context.Context, contract.Request) (any, error) {
				if row.IsError {
					return nil, row.Condition.Refuse("/r", nil, "why")
				}
				outcome := row.Condition.Outcome("why")
				return map[string]any{
					contract.ToolSearch:  &contract.SearchAnswer{Outcome: outcome},
					contract.ToolOutline: &contract.OutlineAnswer{Outcome: outcome},
					contract.ToolGraph:   &contract.GraphAnswer{Outcome: outcome},
					contract.ToolRead:    &contract.ReadAnswer{Outcome: outcome, Plain: true},
					contract.ToolManage:  &contract.ManageAnswer{Outcome: outcome},
				}[tool], nil
			}}
			s := serve(f, Options{})
			text, isError, err := s.Call(t.Context(), tool, json.RawMessage(args[tool]))
			if err != nil {
				t.Fatal(err)
			}
			var said contract.Outcome
			if err := json.Unmarshal([]byte(text), &said); err != nil {
				t.Errorf("%s, %s: %v: %s", tool, row.Condition, err, text)
			}
			if isError != row.IsError || said.Status != row.Status || said.Reason != row.Reason ||
				said.Message != "why" {
				t.Errorf("%s, %s: isError %v %+v, want %+v", tool, row.Condition, isError, said, row)
			}
			plain, isError, err := s.Call(t.Context(), tool, with(args[tool], `"format":"text"`))
			if err != nil || isError != row.IsError {
				t.Errorf("%s, %s: as text isError %v, %v: %s", tool, row.Condition, isError, err, plain)
			}
			head, message, _ := strings.Cut(plain, ": ")
			if !strings.HasPrefix(head, string(row.Status)) || !strings.HasSuffix(head, string(row.Reason)) ||
				!strings.HasPrefix(message, "why\n") {
				t.Errorf("%s, %s: as text it says %s", tool, row.Condition, plain)
			}
		}
	}
}

// TestReasonsOfTheContract checks that each reason promised to callers is in a row of contract.Conditions or in
// contract.NeverReasons, and none is in both.
func TestReasonsOfTheContract(t *testing.T) {
	given := contract.NeverReasons()
	for _, row := range contract.Conditions() {
		if _, never := given[string(row.Reason)]; never {
			t.Errorf("%s is given and never given", row.Reason)
		}
	}
	for _, row := range contract.Conditions() {
		given[string(row.Reason)] = "given"
	}
	for _, reason := range []string{"indexing", "requires_reindex", "partial_index_navigation_unavailable",
		"index_failed", "not_indexed", "missing_symbol", "stale_symbol_ref",
		"unsupported_language", "missing_symbol_registry", "missing_relationship_sidecar",
		"incompatible_symbol_registry", "incompatible_relationship_sidecar", "missing_provider_config",
		"search_backend_failed", "vector_backend_unavailable", "embedding_provider_unavailable",
		"source_changed_during_request", "source_state_unverified",
		"outside_indexed_root", "relative_path_not_allowed", "symlink_rejected", "not_a_regular_file",
		"file_too_large", "mutation_in_progress", "unnecessary_reindex_ignore_only"} {
		if given[reason] == "" {
			t.Errorf("reason %s has no row", reason)
		}
	}
}
