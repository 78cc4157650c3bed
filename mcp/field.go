package mcp

import (
	"bytes"
	"encoding/json"
	"strconv"

	"sextant/internal/navigate/contract"
)

// kind is the type of an argument.
type kind string

const (
	text    kind = "string"
	whole   kind = "integer"
	number  kind = "number"
	truth   kind = "boolean"
	object  kind = "object"
	list    kind = "array" // a list of strings
	ignored kind = ""      // accepted with any value and never read
)

// field describes one argument of a tool, or a member of an object argument. The schema
// and the decoder are both derived from it.
type field struct {
	name     string
	kind     kind
	about    string   // description of the argument; "" if the name suffices
	values   []string // allowed values of a text; the first is the default unless required
	byDef    int      // default of a whole number; 0 for none
	min, max int      // range of a number; both 0 for none
	exact    bool     // whether a value out of range is refused, as for a version
	clamp    bool     // whether a value out of range is clamped without a warning, as for a line number
	required bool
	many     bool                        // whether a call may give a list, which is answered as one question per item
	hidden   bool                        // whether the argument is accepted although the schema omits it
	fields   []field                     // members of an object
	open     bool                        // whether unknown members of the object are ignored
	byString func(string) map[string]any // converts a string that replaces the object; nil if none may
	place    bool                        // whether the text may name a file, as answers show it
	zero     string                      // the boolean argument that is set instead if the number is 0
	example  string                      // example in JSON, for error messages
}

// maxLine exceeds the number of lines of any file; it keeps arithmetic on
// clamped line numbers from overflowing.
const maxLine = 1 << 30

// pathField returns the argument path, an absolute folder, with the given description.
func pathField(about string) field {
	return field{name: "path", kind: text, place: true, about: about, example: `"/home/me/project"`}
}

// lineField returns an argument that is a line number.
func lineField(name, about string) field {
	return field{name: name, kind: whole, about: about, clamp: true, example: "40"}
}

// delivery returns the arguments about the form of the answer, which every tool has.
func delivery() []field {
	return []field{
		{name: "maxTokens", kind: whole, about: "A ceiling for the answer; 10,000 by default for read_file.",
			hidden: true, min: contract.MinMaxTokens, max: contract.MaxMaxTokens, byDef: contract.DefaultMaxTokens},
		{name: "format", kind: text, about: "json: every field of the contract.", hidden: true,
			values: []string{"text", "json"}},
		{name: "debug", kind: truth, about: "What the answer and the files shown cost, in tokens; how a search ranked.",
			hidden: true},
	}
}

// symbolFields returns the members by which a symbol reference may name a symbol.
func symbolFields() []field {
	return []field{
		{name: "file", kind: text, place: true},
		{name: "symbolId", kind: text, hidden: true},
		{name: "symbolInstanceId", kind: text, hidden: true},
		{name: "symbolLabel", kind: text, place: true},
		{name: "diff", kind: text},
		{name: "span", kind: object, open: true, hidden: true,
			fields: []field{lineField("startLine", ""), lineField("endLine", "")}},
	}
}

// schema returns the JSON Schema of an object with these fields, in their
// order.
func schema(fields []field) []byte {
	var out bytes.Buffer
	out.WriteString(`{"type":"object","properties":{`)
	var required []string
	first := true
	for _, f := range fields {
		if f.hidden {
			continue
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.Write(quote(f.name))
		out.WriteByte(':')
		f.schema(&out)
		if f.required {
			required = append(required, f.name)
		}
	}
	out.WriteByte('}')
	if required != nil {
		out.WriteString(`,"required":`)
		out.Write(quote(required))
	}
	out.WriteByte('}')
	return out.Bytes()
}

// schema writes the JSON Schema of f to out.
func (f field) schema(out *bytes.Buffer) {
	if f.kind == object {
		inner := schema(f.fields)
		out.Write(inner[:len(inner)-1])
	} else {
		out.WriteString(`{"type":"` + string(f.kind) + `"`)
	}
	if f.about != "" {
		out.WriteString(`,"description":`)
		out.Write(quote(f.about))
	}
	if f.values != nil {
		out.WriteString(`,"enum":`)
		out.Write(quote(f.values))
		if !f.required {
			out.WriteString(`,"default":`)
			out.Write(quote(f.values[0]))
		}
	}
	if f.kind == list {
		out.WriteString(`,"items":{"type":"string"}`)
	}
	if f.max != 0 {
		out.WriteString(`,"maximum":` + strconv.Itoa(f.max))
	}
	if f.byDef != 0 {
		out.WriteString(`,"default":` + strconv.Itoa(f.byDef))
	}
	out.WriteByte('}')
}

// quote encodes a string or a list of strings in JSON.
func quote[T string | []string](v T) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // impossible, because strings can always be encoded
	}
	return out
}
