package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/stdio"
	"sextant/cmd/dev/internal/tokens"
)

// toolset answers tasks with this project's tools, in one output format, over the protocol that an
// agent uses (MCP).
type toolset struct {
	conn   *stdio.Client
	dir    string // folder of the repository
	alias  string // name that replaces dir in the calls and answers whose tokens are counted
	format string // format of the answers, "" for the default
	known  func(path string) bool
	line   func(path string, line int) string
	schema map[string]schema // name of a tool → its schema
}

// schema describes a tool's arguments.
type schema struct {
	Required   []string            `json:"required"`
	Properties map[string]property `json:"properties"`
}

// property describes one argument.
type property struct {
	Type  any `json:"type"` // a name, or a list of names
	AnyOf []struct {
		Type any `json:"type"`
	} `json:"anyOf"`
	Properties map[string]any `json:"properties"` // members of an object
}

// has reports whether a tool takes an argument.
func (s *toolset) has(tool, argument string) bool {
	_, ok := s.schema[tool].Properties[argument]
	return ok
}

// takesList reports whether an argument may be a list.
func (s schema) takesList(argument string) bool {
	p := s.Properties[argument]
	types := []any{p.Type}
	for _, a := range p.AnyOf {
		types = append(types, a.Type)
	}
	return slices.ContainsFunc(types, func(t any) bool {
		list, _ := t.([]any)
		return t == "array" || slices.Contains(list, any("array"))
	})
}

// learn reads the schemas of the tools' arguments from the server.
func (s *toolset) learn() error {
	var list struct {
		Tools []struct {
			Name        string
			InputSchema schema
		}
	}
	if err := s.conn.Request("tools/list", map[string]any{}, &list); err != nil {
		return err
	}
	s.schema = map[string]schema{}
	for _, t := range list.Tools {
		s.schema[t.Name] = t.InputSchema
	}
	return nil
}

// lists maps a tool to the argument that names the target of a call. If that
// argument may be a list, several requests are joined to one call.
var lists = map[string]string{"search_codebase": "query", "file_outline": "file", "call_graph": "symbolRef"}

// Merge joins requests of one tool into one call if they differ only in their target and the tool
// takes a list of targets.
func (s *toolset) Merge(requests []*tokens.Request) (out []tokens.Call) {
	groups := map[string][]*tokens.Request{}
	var order []string
	for i, r := range requests {
		key := fmt.Sprint(i)
		if argument := lists[r.Tool]; s.schema[r.Tool].takesList(argument) && r.Args["cursor"] == nil {
			key = r.Tool + like(r.Args, argument)
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], r)
	}
	for _, key := range order {
		for part := range slices.Chunk(groups[key], 10) {
			out = append(out, s.call(part))
		}
	}
	return out
}

// like formats all arguments except one as text. Requests with equal texts can be joined.
func like(args map[string]any, argument string) string {
	rest := map[string]any{}
	for k, v := range args {
		if k != argument {
			rest[k] = v
		}
	}
	text, _ := json.Marshal(rest) // an error is impossible, because the values are plain
	return string(text)
}

// call returns one call for requests of one tool that differ only in their target.
func (s *toolset) call(requests []*tokens.Request) tokens.Call {
	tool, args := requests[0].Tool, map[string]any{}
	if slices.Contains(s.schema[tool].Required, "path") {
		args["path"] = s.alias
	}
	for k, v := range requests[0].Args {
		args[k] = v
	}
	if len(requests) > 1 {
		var values []any
		for _, r := range requests {
			if v := r.Args[lists[tool]]; !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		args[lists[tool]] = values
	}
	return tokens.Call{Tool: tool, Args: args, Requests: requests, Run: func(v *tokens.View) (string, error) {
		text, err := s.ask(tool, args)
		if err != nil {
			return "", err
		}
		file, _ := args["file"].(string)
		v.Show(tokens.Answer{Text: text, File: file, Known: s.known, Line: s.line})
		for _, r := range requests {
			r.Answer = text
		}
		return text, nil
	}}
}

// ask calls a tool and returns its answer, in which the name alias replaces the path of the
// repository. It adds the argument format here, so that its tokens are not counted: a client sets
// it once.
func (s *toolset) ask(tool string, args map[string]any) (string, error) {
	text, err := json.Marshal(args)
	if err != nil {
		return "", err
	}
	var real map[string]any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), s.alias, s.dir)), &real); err != nil {
		return "", err
	}
	if s.format != "" {
		real["format"] = s.format
	}
	answer, _, err := s.conn.Text(tool, real) // an error's text is an answer, too
	return strings.ReplaceAll(answer, s.dir, s.alias), err
}

// Agent yields the requests of an agent for a task. The agent uses the tool whose schema names that
// kind of question, and then follows the suggestions in the answers.
func (s *toolset) Agent(t *tokens.Task) iter.Seq[*tokens.Request] {
	return func(yield func(*tokens.Request) bool) {
		plan := s.plan(t)
		if t.Kind == tokens.Definition { // a second page of a name says less than the call site does
			for i := range plan {
				if !yield(&plan[i]) {
					return
				}
			}
			for i := range plan {
				if !follow(next(&plan[i]), yield) {
					return
				}
			}
			return
		}
		for i := range plan {
			if !follow(&plan[i], yield) {
				return
			}
		}
	}
}

// follow yields a request, and then the requests that the answers suggest. It reports whether the
// agent goes on.
func follow(r *tokens.Request, yield func(*tokens.Request) bool) bool {
	for ; r != nil; r = next(r) {
		if !yield(r) {
			return false
		}
	}
	return true
}

// plan returns the requests for a task that an agent tries, one after the other.
func (s *toolset) plan(t *tokens.Task) []tokens.Request {
	search := func(query string) tokens.Request {
		return tokens.Request{Tool: "search_codebase", Args: map[string]any{"query": query}}
	}
	graph := func(direction string, depth int) tokens.Request {
		args := map[string]any{"symbolRef": t.File + ":" + t.Symbol, "direction": direction}
		if depth > 1 {
			args["depth"] = depth
		}
		return tokens.Request{Tool: "call_graph", Args: args}
	}
	switch t.Kind {
	case tokens.Locate:
		return []tokens.Request{search(t.Symbol), search(t.Name)}
	case tokens.Describe, tokens.Recall:
		return []tokens.Request{search(t.Text)} // its pages have all that a higher limit shows
	case tokens.Definition:
		return []tokens.Request{search(t.Name), {Tool: "call_graph", Args: map[string]any{
			"symbolRef": fmt.Sprintf("%s:%d", t.File, t.Line), "direction": "callees"}}}
	case tokens.Callers:
		return []tokens.Request{graph("callers", 1), search(`must:"` + t.Name + `("`)}
	case tokens.Trace:
		return []tokens.Request{graph("callees", 2)}
	case tokens.Outline:
		args := map[string]any{"file": t.File}
		if s.has("file_outline", "exported") {
			args["exported"] = true
		}
		return []tokens.Request{{Tool: "file_outline", Args: args}}
	case tokens.Impact:
		r := graph("callers", 2)
		if s.has("call_graph", "expand") {
			r.Args["expand"] = []any{"tests"}
		}
		return []tokens.Request{r}
	case tokens.Literal:
		return []tokens.Request{search(`must:"` + t.Text + `"`)}
	}
	return nil
}

var (
	cursorMark = regexp.MustCompile(`(?:cursor|more)"?\s*[:=]\s*"?([^\s",})]+)`)
	expandMark = regexp.MustCompile(`expand"?\s*[:=]\s*(\[[^\]]*\])`)
	unready    = regexp.MustCompile(`^not_ready deadline:(?s:.*)"deadlineMs":(\d+)`)
	unfinished = regexp.MustCompile(`(?:cursor: "?([^\s"]+)"?\s+|\(deadline\)\s+)deadlineMs: (\d+)`)
)

// next returns the request that the answer to r suggests: the same one with a longer deadline if
// the time was too short, or else one for the next page, or else one for results that were folded.
// It returns nil if the answer suggests none.
func next(r *tokens.Request) *tokens.Request {
	args := map[string]any{}
	for k, v := range r.Args {
		args[k] = v
	}
	if m := unready.FindStringSubmatch(r.Answer); m != nil && args["deadlineMs"] == nil {
		args["deadlineMs"] = json.Number(m[1])
		return &tokens.Request{Tool: r.Tool, Args: args}
	}
	if m := unfinished.FindStringSubmatch(r.Answer); m != nil && args["deadlineMs"] == nil {
		if args["deadlineMs"] = json.Number(m[2]); m[1] != "" {
			args["cursor"] = m[1]
		}
		return &tokens.Request{Tool: r.Tool, Args: args}
	}
	if m := cursorMark.FindAllStringSubmatch(r.Answer, -1); len(m) > 0 && m[len(m)-1][1] != r.Args["cursor"] {
		args["cursor"] = m[len(m)-1][1]
		return &tokens.Request{Tool: r.Tool, Args: args}
	}
	folded, _ := r.Args["expand"].([]any)
	opened := len(folded)
	for _, m := range expandMark.FindAllStringSubmatch(r.Answer, -1) {
		var names []any
		if json.Unmarshal([]byte(m[1]), &names) != nil {
			continue
		}
		for _, name := range names {
			if !slices.Contains(folded, name) {
				folded = append(folded, name)
			}
		}
	}
	if len(folded) == opened {
		return nil
	}
	delete(args, "cursor")
	args["expand"] = folded
	return &tokens.Request{Tool: r.Tool, Args: args}
}
