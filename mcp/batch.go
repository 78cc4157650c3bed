package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
)

const (
	// maxBatch is the largest number of questions in one call.
	maxBatch = 10
	// batchTokens is the token budget of each of several questions if the call sets none.
	batchTokens = 1500
)

// question is one of the questions of a call: a call with a list, such as query: ["a",
// "b"], has one question for each item.
type question struct {
	name    string          // the item of the list, which is the title of the answer
	args    json.RawMessage // the arguments of a call with that item alone
	clamped []string        // numbers of the whole call that were out of range, which the answer warns about
}

// split returns the questions of a call. If an argument that may be a list, such as query, holds a list, there
// is one question for each item, and they share the token budget. Otherwise it returns one question with the
// arguments as they are. The error is *contract.InvalidArguments for an empty list and for one of more than
// maxBatch items.
func (t *tool) split(args json.RawMessage) ([]question, error) {
	single := []question{{args: args}}
	var members map[string]json.RawMessage
	if json.Unmarshal(args, &members) != nil {
		return single, nil
	}
	for i := range t.fields {
		f := &t.fields[i]
		given, raw := member(members, f.name)
		var items []json.RawMessage
		if !f.many || !bytes.HasPrefix(raw, []byte("[")) || json.Unmarshal(raw, &items) != nil {
			continue
		}
		if len(items) == 0 || len(items) > maxBatch {
			return nil, &contract.InvalidArguments{Tool: t.name, Problems: []contract.Problem{{Field: f.name,
				Message: fmt.Sprintf("expected one, or a list of 1 to %d, got %d; for example %s", maxBatch,
					len(items), f.sample())}}}
		}
		return t.questions(members, given, items)
	}
	return single, nil
}

// questions returns a question for each item of a list. given is the argument that holds the
// list; each question has one item in its place. Several questions get equal shares of the token
// budget. The error is *contract.InvalidArguments if the budget in members is no number.
func (t *tool) questions(members map[string]json.RawMessage, given string,
	items []json.RawMessage) (list []question, err error) {
	var clamped []string
	if len(items) > 1 {
		name, raw := member(members, "maxTokens")
		share, d := batchTokens, &decoder{}
		i := slices.IndexFunc(t.fields, func(f field) bool { return f.name == "maxTokens" })
		if whole, ok := d.value(name, &t.fields[i], json.RawMessage(cmp.Or(string(raw), "null"))).(int); ok {
			share = max(whole/len(items), contract.MinMaxTokens)
		}
		if len(d.problems) > 0 {
			return nil, &contract.InvalidArguments{Tool: t.name, Problems: d.problems}
		}
		members[name], clamped = json.RawMessage(strconv.Itoa(share)), d.clamped
	}
	for _, item := range items {
		members[given] = item
		args, err := json.Marshal(members)
		if err != nil {
			panic(err) // impossible, because the raw messages were decoded from JSON
		}
		list = append(list, question{name: nameOf(item), args: args, clamped: clamped})
	}
	return list, nil
}

// nameOf returns the text of a JSON string, and any other JSON value in compact form.
func nameOf(item json.RawMessage) string {
	var text string
	if json.Unmarshal(item, &text) == nil {
		return text
	}
	var out bytes.Buffer
	if json.Compact(&out, item) != nil {
		return string(item)
	}
	return out.String()
}

// call answers the questions of a call one after the other. The reply is an error only if
// the replies to all questions are.
func (s *Server) call(ctx context.Context, t *tool, args json.RawMessage, report func(contract.Progress)) reply {
	args = t.rename(args)
	list, err := t.split(args)
	if err != nil {
		return failure(s.opts.Format, err)
	}
	if len(list) == 1 {
		return s.callOne(ctx, t, list[0], report)
	}
	whole := reply{isError: true}
	var texts []compact.Titled
	var answers []json.RawMessage
	for _, q := range list {
		r := s.callOne(ctx, t, q, report)
		whole.isError = whole.isError && r.isError
		texts = append(texts, compact.Titled{Title: q.name, Text: r.text})
		answer := r.structured
		if answer == nil {
			answer = quote(strings.ToValidUTF8(r.text, "\uFFFD"))
		}
		answers = append(answers, answer)
	}
	if t.format(args, s.opts.Format) == contract.FormatJSON {
		whole.structured, _ = contract.Encode(map[string]any{"answers": answers})
		whole.text = string(whole.structured)
		return whole
	}
	whole.text = compact.Join(texts)
	return whole
}

// format returns the format that the arguments of a call set, or byDefault if they set
// none.
func (t *tool) format(args json.RawMessage, byDefault contract.Format) contract.Format {
	var want struct{ Format contract.Format }
	if json.Unmarshal(args, &want) != nil || want.Format == "" {
		return byDefault
	}
	return want.Format
}
