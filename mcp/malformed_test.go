package mcp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
)

// malformed returns calls that every tool must refuse: the tool, the arguments,
// and a part of the expected message.
func malformed() [][3]string {
	const search, outline, graph, read, manage, list = contract.ToolSearch, contract.ToolOutline,
		contract.ToolGraph, contract.ToolRead, contract.ToolManage, contract.ToolList
	long := strings.Repeat("a", contract.MaxQueryBytes+1)
	return [][3]string{
		{list, `[]`, "arguments: expected an object"},
		{list, `"x"`, "arguments: expected an object"},
		{list, `7`, "arguments: expected an object"},
		{list, `{bad`, "arguments: not valid JSON: {bad"},
		{list, `{"path":"/r"}`, "path: unknown argument"},
		{list, `{"format":"xml"}`, "format: expected one of text, json"},

		{search, `{}`, "path: required"},
		{search, `null`, "query: required"},
		{search, `{"path":"/r"}`, "query: required"},
		{search, `{"query":"x"}`, "path: required"},
		{search, `{"path":null,"query":"x"}`, "path: required"},
		{search, `{"path":"","query":"x"}`, "path: required"},
		{search, `{"path":7,"query":"x"}`, "path: expected a string, got 7"},
		{search, `{"path":["/r"],"query":"x"}`, "path: expected a string"},
		{search, `{"path":{"a":1},"query":"x"}`, "path: expected a string"},
		{search, `{"path":true,"query":"x"}`, "path: expected a string"},
		{search, `{"path":"src","query":"x"}`, "path: expected an absolute path"},
		{search, `{"path":"./src","query":"x"}`, "path: expected an absolute path"},
		{search, `{"path":"~/src","query":"x"}`, "path: expected an absolute path"},
		{search, `{"path":"file:///r","query":"x"}`, "path: expected an absolute path"},
		{search, `{"path":"C:\\r","query":"x"}`, "path: expected an absolute path"},
		{search, `{"path":"/r\u0000/x","query":"x"}`, "path: expected text without NUL"},
		{search, `{"path":"/` + long + `","query":"x"}`, "path: expected at most"},
		{search, `{"path":"/r","query":""}`, "query: required"},
		{search, `{"path":"/r","query":"  \n\t "}`, "query: required"},
		{search, `{"path":"/r","query":7}`, "query: expected a string"},
		{search, `{"path":"/r","query":[["a"]]}`, "query: expected a string"},
		{search, `{"path":"/r","query":{"must":"x"}}`, "query: expected a string"},
		{search, `{"path":"/r","query":"a\u0000b"}`, "query: expected text without NUL"},
		{search, `{"path":"/r","query":"` + long + `"}`, "query: expected at most"},
		{search, `{"path":"/r","query":"x","scope":"all"}`, "scope: expected one of runtime, mixed, docs"},
		{search, `{"path":"/r","query":"x","scope":"Runtime"}`, "scope: expected one of"},
		{search, `{"path":"/r","query":"x","scope":1}`, "scope: expected one of"},
		{search, `{"path":"/r","query":"x","resultMode":"flat"}`, "resultMode: expected one of grouped, raw"},
		{search, `{"path":"/r","query":"x","groupBy":"service"}`, "groupBy: expected one of symbol, file"},
		{search, `{"path":"/r","query":"x","rankingMode":"best"}`, "rankingMode: expected one of"},
		{search, `{"path":"/r","query":"x","limit":1.5}`, "limit: expected a whole number"},
		{search, `{"path":"/r","query":"x","limit":"ten"}`, "limit: expected a whole number"},
		{search, `{"path":"/r","query":"x","limit":"0x10"}`, "limit: expected a whole number"},
		{search, `{"path":"/r","query":"x","limit":"1_0"}`, "limit: expected a whole number"},
		{search, `{"path":"/r","query":"x","limit":"NaN"}`, "limit: expected a whole number"},
		{search, `{"path":"/r","query":"x","limit":"Infinity"}`, "limit: expected a whole number"},
		{search, `{"path":"/r","query":"x","limit":""}`, "limit: expected a whole number"},
		{search, `{"path":"/r","query":"x","limit":true}`, "limit: expected a whole number"},
		{search, `{"path":"/r","query":"x","limit":[10]}`, "limit: expected a whole number"},
		{search, `{"path":"/r","query":"x","limit":{}}`, "limit: expected a whole number"},
		{search, `{"path":"/r","query":"x","debug":"yes"}`, "debug: expected true or false"},
		{search, `{"path":"/r","query":"x","debug":1}`, "debug: expected true or false"},
		{search, `{"path":"/r","query":"x","debug":[true]}`, "debug: expected true or false"},
		{search, `{"path":"/r","query":"x","debugMode":"everything"}`, "debugMode: expected one of"},
		{search, `{"path":"/r","query":"x","format":"yaml"}`, "format: expected one of text, json"},
		{search, `{"path":"/r","query":"x","detail":"max"}`, "detail: expected one of compact, full"},
		{search, `{"path":"/r","query":"x","service":7}`, "service: expected a string"},
		{search, `{"path":"/r","query":"x","service":"a\u0000"}`, "service: expected text without NUL"},
		{search, `{"path":"/r","query":"x","cursor":7}`, "cursor: expected a string"},
		{search, `{"path":"/r","query":"x","repo":"/r"}`, "repo: means path, which is given too; give one of them"},
		{search, `{"path":"/r","query":"x","limits":5}`, "limits: unknown argument; did you mean limit?"},
		{search, `{"path":"/r","query":"x","filter":"*.go"}`, "filter: unknown argument; expected one of"},
		{search, `{"path":"/r","query":"x","group_by":"file","groupBy":"file"}`, "given twice"},
		{search, `{"path":"/r","query":"x","":1}`, "unknown argument"},

		{outline, `{}`, "path: required"},
		{outline, `{"path":"/r","file":7}`, "file: expected a string"},
		{outline, `{"path":"r","file":"a.go"}`, "path: expected an absolute path"},
		{outline, `{"path":"/r","file":"/etc/passwd"}`, "file: expected a path relative"},
		{outline, `{"path":"/r","file":"../x.go"}`, `file: expected a path without ".."`},
		{outline, `{"path":"/r","file":"a/../../x.go"}`, `file: expected a path without ".."`},
		{outline, `{"path":"/r","file":"a\\..\\x.go"}`, `file: expected a path without ".."`},
		{outline, `{"path":"/r","file":"c:/x.go"}`, "file: expected a path relative"},
		{outline, `{"path":"/r","file":"\\\\host\\x.go"}`, "file: expected a path relative"},
		{outline, `{"path":"/r","file":"a\u0000.go"}`, "file: expected text without NUL"},
		{outline, `{"path":"/r","file":"a.go","start_line":"first"}`, "start_line: expected a whole number"},
		{outline, `{"path":"/r","file":"a.go","start_line":1.5}`, "start_line: expected a whole number"},
		{outline, `{"path":"/r","file":"a.go","start_line":40,"end_line":10}`, "start_line: expected at most end_line"},
		{outline, `{"path":"/r","file":"a.go","resolveMode":"exact"}`, "resolveMode: exact needs"},
		{outline, `{"path":"/r","file":"a.go","resolveMode":"fuzzy"}`, "resolveMode: expected one of outline, exact"},
		{outline, `{"path":"/r","file":"a.go","detail":"compact"}`, "detail: expected one of summary, full, skeleton"},
		{outline, `{"path":"/r","file":"a.go","query":"x"}`, "query: unknown argument"},

		{graph, `{}`, "symbolRef: required"},
		{graph, `{"path":"/r"}`, "symbolRef: required"},
		{graph, `{"path":"/r","symbolRef":{}}`, "symbolRef: required"},
		{graph, `{"path":"/r","symbolRef":""}`, "symbolRef: required"},
		{graph, `{"path":"/r","symbolRef":7}`, "symbolRef: expected an object"},
		{graph, `{"path":"/r","symbolRef":[]}`, "symbolRef: expected one, or a list of 1 to 10, got 0"},
		{graph, `{"path":"/r","symbolRef":{"symbolLabel":""}}`, "symbolRef: required"},
		{graph, `{"path":"/r","symbolRef":{"symbolId":7}}`, "symbolRef.symbolId: expected a string"},
		{graph, `{"path":"/r","symbolRef":{"name":"F"}}`, "symbolRef.name: unknown argument"},
		{graph, `{"path":"/r","symbolRef":{"symbolLabel":"F","file":"../x.go"}}`,
			"symbolRef.file: expected a path without"},
		{graph, `{"path":"/r","symbolRef":{"symbolLabel":"F","file":"/x.go"}}`,
			"symbolRef.file: expected a path relative"},
		{graph, `{"path":"/r","symbolRef":{"symbolLabel":"F\u0000"}}`,
			"symbolRef.symbolLabel: expected text without NUL"},
		{graph, `{"path":"/r","symbolRef":{"symbolLabel":"F"},"direction":"up"}`,
			"direction: expected one of both, callers, callees"},
		{graph, `{"path":"/r","symbolRef":{"symbolLabel":"F"},"view":"svg"}`,
			"view: expected one of graph, tree, mermaid"},
		{graph, `{"path":"/r","symbolRef":{"symbolLabel":"F"},"verify":true}`,
			"verify: expected one of auto, off, wait"},
		{graph, `{"path":"/r","symbolRef":{"symbolLabel":"F"},"minConfidence":"high"}`,
			"minConfidence: expected a number"},
		{graph, `{"path":"/r","symbolRef":{"symbolLabel":"F"},"crossService":"maybe"}`,
			"crossService: expected true or false"},

		{read, `{}`, "path: required"},
		{read, `{"path":"main.go","mode":7}`, "mode: expected one of plain, annotated"},
		{read, `{"path":"/r/a\u0000.go"}`, "path: expected text without NUL"},
		{read, `{"path":"/r/a.go","mode":"raw"}`, "mode: expected one of plain, annotated"},
		{read, `{"path":"/r/a.go","start_line":"x"}`, "start_line: expected a whole number"},
		{read, `{"path":"/r/a.go","start_line":20,"end_line":10}`, "start_line: expected at most end_line"},
		{read, `{"path":"/r/a.go","open_symbol":{}}`, "open_symbol: expected symbolId, symbolLabel or lines"},
		{read, `{"open_symbol":{"symbolLabel":"f","context":"definition"}}`, `for example {"preset": "definition"}`},
		{read, `{"path":"/r/a.go","open_symbol":7}`, "open_symbol: expected an object"},
		{read, `{"path":"/r/a.go","open_symbol":{"symbol":"F"}}`, "open_symbol.symbol: unknown argument"},
		{read, `{"path":"/r/a.go","open_symbol":{"contractVersion":3,"symbolId":"s"}}`,
			"open_symbol.contractVersion: expected"},
		{read, `{"path":"/r/a.go","open_symbol":{"contractVersion":2}}`, "either symbolId or symbolLabel"},
		{read, `{"path":"/r/a.go","open_symbol":{"contractVersion":2,"symbolId":"a","symbolLabel":"b"}}`,
			"either symbolId or symbolLabel"},
		{read, `{"path":"/r/a.go","open_symbol":{"contractVersion":2,"symbolId":"a","context":{"preset":"all"}}}`,
			"open_symbol.context.preset: expected one of"},
		{read, `{"path":"/r/a.go","open_symbol":{"symbolId":"a","context":{"preset":"definition"}}}`,
			"open_symbol.context: expected with contractVersion 2"},
		{read, `{"path":"/r/a.go","open_symbol":"F","symbolRef":"F"}`, "expected open_symbol or symbolRef, got both"},
		{read, `{"path":"/r/a.go","line":5}`, "line: unknown argument"},

		{manage, `{}`, "action: required"},
		{manage, `{"path":"/r"}`, "action: required"},
		{manage, `{"action":"create"}`, "path: required"},
		{manage, `{"action":"create","path":"."}`, "path: expected an absolute path"},
		{manage, `{"action":"delete","path":"/r"}`,
			"action: expected one of create, reindex, sync, status, clear, repair"},
		{manage, `{"action":["create"],"path":"/r"}`, "action: expected one of"},
		{manage, `{"action":"create","path":"/r","force":"please"}`, "force: expected true or false"},
		{manage, `{"action":"create","path":"/r","customExtensions":7}`,
			"customExtensions: expected a list of strings"},
		{manage, `{"action":"create","path":"/r","customExtensions":[7]}`, "customExtensions[0]: expected a string"},
		{manage, `{"action":"create","path":"/r","customExtensions":[""]}`, "customExtensions[0]: expected one line"},
		{manage, `{"action":"create","path":"/r","ignorePatterns":["a\nb"]}`, "ignorePatterns[0]: expected one line"},
		{manage, `{"action":"create","path":"/r","ignorePatterns":["a\u0000b"]}`,
			"ignorePatterns[0]: expected text without NUL"},
		{manage, `{"action":"create","path":"/r","ignorePatterns":{"a":1}}`,
			"ignorePatterns: expected a list of strings"},
		{manage, `{"action":"create","path":"/r","wait":"soon"}`, "wait: expected true or false"},
		{manage, `{"action":"status","path":"/r","detail":"most"}`, "detail: expected one of summary, full"},
	}
}

// TestMalformedCalls checks that each call is refused with the name of the
// argument and the expected form, and reaches no service.
func TestMalformedCalls(t *testing.T) {
	if n := len(malformed()); n < 100 {
		t.Errorf("only %d calls", n)
	}
	for _, m := range malformed() {
		f := &fake{}
		text, isError, err := serve(f, Options{}).Call(t.Context(), m[0], json.RawMessage(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		if !isError || len(f.calls) > 0 {
			t.Errorf("%s %.100s: isError %v, %d calls came through", m[0], m[1], isError, len(f.calls))
		}
		if !strings.HasPrefix(text, "Error: Invalid arguments for '"+m[0]+"'. ") || !strings.Contains(text, m[2]) {
			t.Errorf("%s %.100s\n got %.400s\nwant %s", m[0], m[1], text, m[2])
		}
		if len(text) > 4000 {
			t.Errorf("%s %.100s: a message of %d bytes", m[0], m[1], len(text))
		}
	}
}

// TestRelativeRead checks that a relative path for read_file is refused with a
// status, a reason and a next step. All other malformed arguments get a plain
// message, as in TestMalformedCalls.
func TestRelativeRead(t *testing.T) {
	for _, path := range []string{"main.go", "./main.go", "../main.go", "~/main.go"} {
		f := &fake{}
		text, isError, err := serve(f, Options{}).Call(t.Context(), contract.ToolRead,
			json.RawMessage(`{"path":"`+path+`"}`))
		if err != nil || !isError || len(f.calls) > 0 ||
			!strings.Contains(text, `"status":"error","reason":"relative_path_not_allowed"`) ||
			!strings.Contains(text, `"nextSteps":[{"tool":"list_codebases","args":{}}]`) {
			t.Errorf("%s: %v %v %s", path, isError, err, text)
		}
	}
}

// TestLenientCalls checks that lenient forms decode like their strict
// equivalents.
func TestLenientCalls(t *testing.T) {
	const search, graph, read, manage = contract.ToolSearch, contract.ToolGraph, contract.ToolRead, contract.ToolManage
	for _, c := range []struct{ tool, args, same string }{
		{search, `{"path":"/r","query":"x","limit":"20"}`, `{"path":"/r","query":"x","limit":20}`},
		{search, `{"path":"/r","query":"x","limit":20.0}`, `{"path":"/r","query":"x","limit":20}`},
		{search, `{"path":"/r","query":"x","limit":2e1}`, `{"path":"/r","query":"x","limit":20}`},
		{search, `{"path":"/r","query":"x","limit":null}`, `{"path":"/r","query":"x"}`},
		{search, `{"path":"/r/","query":"x"}`, `{"path":"/r","query":"x"}`},
		{search, `{"path":"/r/a/../b","query":"x"}`, `{"path":"/r/b","query":"x"}`},
		{search, `{"path":"/r","query":"x","debug":"true"}`, `{"path":"/r","query":"x","debug":true}`},
		{search, `{"path":"/r","query":"x","_meta":{"a":1}}`, `{"path":"/r","query":"x"}`},
		{search, `{"path":"/r","query":"x","result_mode":"raw","max_tokens":500}`,
			`{"path":"/r","query":"x","resultMode":"raw","maxTokens":500}`},
		{graph, `{"path":"/r","symbolRef":"Server.Handle"}`,
			`{"path":"/r","symbolRef":{"symbolLabel":"Server.Handle"}}`},
		{graph, `{"path":"/r","symbolRef":"s_abcdefghijkl"}`,
			`{"path":"/r","symbolRef":{"symbolId":"s_abcdefghijkl"}}`},
		{graph, `{"path":"/r","symbolRef":"s_abcdefghijkl@00ff"}`,
			`{"path":"/r","symbolRef":{"symbolId":"s_abcdefghijkl","symbolInstanceId":"s_abcdefghijkl@00ff"}}`},
		{graph, `{"path":"/r","symbolRef":{"symbolLabel":"F","span":{"startLine":3,"endLine":5,"startColumn":1}}}`,
			`{"path":"/r","symbolRef":{"symbolLabel":"F","span":{"startLine":3,"endLine":5}}}`},
		{graph, `{"path":"/r","symbolRef":"F","direction":"bidirectional"}`,
			`{"path":"/r","symbolRef":{"symbolLabel":"F"},"direction":"both"}`},
		{read, `{"path":"/r/a.go","startLine":3,"endLine":-1}`, `{"path":"/r/a.go","start_line":3}`},
		{read, `{"path":"/r/a.go","start_line":-7}`, `{"path":"/r/a.go"}`},
		{read, `{"path":"/r/a.go","end_line":1e300}`, `{"path":"/r/a.go","end_line":1073741824}`},
		{read, `{"path":"/r/a.go","open_symbol":{"startLine":3,"endLine":9}}`,
			`{"path":"/r/a.go","open_symbol":{"start_line":3,"end_line":9}}`},
		{read,
			`{"path":"/r/a.go","open_symbol":{"contractVersion":2,"symbolId":"a","context":{"preset":"definition","later":1}}}`, `{"path":"/r/a.go","open_symbol":{"contractVersion":2,"symbolId":"a"}}`},
		{manage, `{"action":"create","path":"/r","ignorePatterns":"*.min.js"}`,
			`{"action":"create","path":"/r","ignorePatterns":["*.min.js"]}`},
	} {
		if got, want := request(t, c.tool, c.args), request(t, c.tool, c.same); got != want {
			t.Errorf("%s %s\n got %s\nwant %s", c.tool, c.args, got, want)
		}
	}
	f := &fake{}
	if _, isError, err := serve(f, Options{}).Call(t.Context(), manage,
		json.RawMessage(`{"action":"create","path":"/r","zillizDropCollection":"x"}`)); isError || err != nil {
		t.Fatal(isError, err)
	}
	if got := f.calls[0].(*contract.ManageRequest).Ignored; len(got) != 1 || got[0] != "zillizDropCollection" {
		t.Errorf("ignored arguments are %v", got)
	}
}

// request returns the request that reaches the service, as JSON.
func request(t *testing.T, tool, args string) string {
	t.Helper()
	f := &fake{}
	text, isError, err := serve(f, Options{}).Call(t.Context(), tool, json.RawMessage(args))
	if err != nil || isError {
		t.Fatalf("%s %s: %v %s", tool, args, err, text)
	}
	out, err := contract.Encode(f.calls[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestSchemaAgrees compares the table of arguments with the checks of requests:
// exactly the values in the schema are accepted.
func TestSchemaAgrees(t *testing.T) {
	base := map[string]string{
		contract.ToolList: `{}`, contract.ToolSearch: `{"path":"/r","query":"x"}`,
		contract.ToolOutline: `{"path":"/r","file":"a.go","symbolLabelExact":"F"}`,
		contract.ToolGraph:   `{"path":"/r","symbolRef":"F"}`, contract.ToolRead: `{"path":"/r/a.go"}`,
		contract.ToolManage: `{"action":"status","path":"/r"}`,
	}
	with := func(tool, name string, value any) error {
		var args map[string]any
		if err := json.Unmarshal([]byte(base[tool]), &args); err != nil {
			t.Fatal(err)
		}
		args[name] = value
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		for _, own := range tools() {
			if own.name == tool {
				_, err = own.decode(raw, defaults{format: contract.FormatJSON})
			}
		}
		return err
	}
	for _, own := range tools() {
		for _, f := range own.fields {
			for _, v := range f.values {
				if err := with(own.name, f.name, v); err != nil {
					t.Errorf("%s %s %q: %v", own.name, f.name, v, err)
				}
			}
			if f.values != nil {
				err := with(own.name, f.name, "nonsense")
				if err == nil || !strings.Contains(err.Error(), "expected one of "+strings.Join(f.values, ", ")+",") {
					t.Errorf("%s %s: nonsense gives %v, want the values of the schema in their order", own.name,
						f.name, err)
				}
			}
			if f.max > 0 {
				for _, v := range []int{f.min, f.max} {
					if err := with(own.name, f.name, v); err != nil {
						t.Errorf("%s %s %d: %v", own.name, f.name, v, err)
					}
				}
			}
		}
		var schemaValue struct {
			Properties map[string]any `json:"properties"`
		}
		if err := json.Unmarshal(schema(own.fields), &schemaValue); err != nil {
			t.Errorf("%s: schema %v", own.name, err)
		}
	}
}

// FuzzDecode looks for arguments that make the decoder panic, or whose decoded
// form decodes to something else.
func FuzzDecode(f *testing.F) {
	for _, m := range malformed() {
		f.Add(m[0], m[1])
	}
	f.Add(contract.ToolGraph, `{"path":"/r","symbolRef":{"symbolLabel":"F","span":{"startLine":3}}}`)
	f.Fuzz(func(t *testing.T, tool, args string) {
		for _, own := range tools() {
			if own.name != tool {
				continue
			}
			req, err := own.decode(json.RawMessage(args), defaults{format: contract.FormatJSON})
			if err != nil {
				var refusal *contract.Refusal
				if !errors.As(err, &refusal) && !strings.HasPrefix(err.Error(),
					"Error: Invalid arguments for '"+tool+"'. ") {
					t.Fatalf("%q: %v", args, err)
				}
				return
			}
			once, err := contract.Encode(req)
			if err != nil {
				t.Fatal(err)
			}
			again, err := own.decode(once, defaults{format: contract.FormatJSON})
			if err != nil {
				t.Fatalf("%q became %s: %v", args, once, err)
			}
			if twice, err := contract.Encode(again); err != nil || string(twice) != string(once) {
				t.Fatalf("%q: %s, then %s (%v)", args, once, twice, err)
			}
		}
	})
}

// TestPathStaysImplied checks that a mistake in one argument does not make the
// message claim that path is required, which has a default.
func TestPathStaysImplied(t *testing.T) {
	byDefault := defaults{format: contract.FormatText, directory: func() string { return "/ws" }}
	for _, c := range []struct {
		own  *tool
		args string
	}{
		{searchCodebase(), `{"query":5}`},
		{searchCodebase(), `{"query":"dial","limt":3}`},
		{callGraph(), `{"symbolRef":"F","depth":"x"}`},
		{fileOutline(), `{"file":7}`},
	} {
		_, err := c.own.decode(json.RawMessage(c.args), byDefault)
		var invalid *contract.InvalidArguments
		if !errors.As(err, &invalid) || len(invalid.Problems) != 1 || invalid.Problems[0].Field == "path" {
			t.Errorf("%s %s: %v", c.own.name, c.args, err)
		}
	}
	if _, err := readFile().decode(json.RawMessage(`{}`), byDefault); err == nil ||
		!strings.Contains(err.Error(), "file: required: expected a file or open_symbol") {
		t.Errorf("read_file of nothing: %v", err)
	}
	if _, err := callGraph().decode(json.RawMessage(`{"symbolRef":"F","path":7}`), byDefault); err == nil ||
		!strings.Contains(err.Error(), "path: expected a string, got 7") {
		t.Errorf("a wrong path: %v", err)
	}
}

// TestFieldWithoutRequestMember checks that an argument of the schema that the request lacks is an
// error, as its value would else be dropped in silence. No field of any tool is one.
func TestFieldWithoutRequestMember(t *testing.T) {
	own := fileOutline()
	own.fields = append(own.fields, field{name: "maxDepth", kind: whole})
	if _, err := own.decode(json.RawMessage(`{"path":"/r","file":"a.go","maxDepth":2}`), defaults{}); err == nil ||
		!strings.Contains(err.Error(), `unknown field "maxDepth"`) {
		t.Errorf("a field without a member: %v", err)
	}
	for _, own := range tools() {
		for _, f := range own.fields {
			_, err := own.decode(json.RawMessage(`{"`+f.name+`":`+f.sample()+`}`), defaults{})
			if err != nil && strings.Contains(err.Error(), "unknown field") {
				t.Errorf("%s %s: %v", own.name, f.name, err)
			}
		}
	}
}
