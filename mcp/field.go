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
	list    kind = "array" // of strings
	ignored kind = ""      // accepted with any value and never read
)

// field is one argument of a tool, or a member of one. Both the schema and the
// decoder are made from it.
type field struct {
	name     string
	kind     kind
	about    string   // description; "" if the name suffices
	values   []string // allowed values of a text; the first is the default unless required
	byDef    int      // default of a whole number; 0 for none
	min, max int      // range of a whole number; both 0 for none
	clamp    bool     // a line number: values out of range are clamped
	required bool
	hidden   bool    // accepted, but not in the schema
	fields   []field // members of an object
	open     bool    // unknown members of the object are ignored
	byString func(string) map[string]any
	example  string // JSON, for messages
}

// maxLine exceeds the number of lines of any file; it keeps arithmetic on
// clamped line numbers from overflowing.
const maxLine = 1 << 30

// Arguments that several tools share.
func pathField(about string) field {
	return field{name: "path", kind: text, about: about, required: true, example: `"/home/me/project"`}
}

func lineField(name, about string) field {
	return field{name: name, kind: whole, about: about, clamp: true, example: "40"}
}

func delivery() []field {
	return []field{
		{name: "maxTokens", kind: whole, about: "Answer budget.", min: contract.MinMaxTokens,
			max: contract.MaxMaxTokens, byDef: contract.DefaultMaxTokens},
		{name: "format", kind: text, about: "pack2: compact text, fewer tokens.", values: []string{"json", "pack2"}},
	}
}

func symbolFields() []field {
	return []field{
		{name: "file", kind: text, about: "Relative to the codebase root."},
		{name: "symbolId", kind: text},
		{name: "symbolInstanceId", kind: text},
		{name: "symbolLabel", kind: text, about: "Qualified name, e.g. Server.Handle, or file:line; alone is enough."},
		{name: "span", kind: object, open: true, hidden: true,
			fields: []field{lineField("startLine", ""), lineField("endLine", "")}},
	}
}

// schema returns the JSON Schema of an object with these fields, in their
// order.
func schema(fields []field) []byte {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	var required []string
	first := true
	for _, f := range fields {
		if f.hidden {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.Write(quote(f.name))
		b.WriteByte(':')
		f.schema(&b)
		if f.required {
			required = append(required, f.name)
		}
	}
	b.WriteByte('}')
	if required != nil {
		b.WriteString(`,"required":`)
		b.Write(quote(required))
	}
	b.WriteByte('}')
	return b.Bytes()
}

func (f field) schema(b *bytes.Buffer) {
	if f.kind == object {
		inner := schema(f.fields)
		b.Write(inner[:len(inner)-1])
	} else {
		b.WriteString(`{"type":"` + string(f.kind) + `"`)
	}
	if f.about != "" {
		b.WriteString(`,"description":`)
		b.Write(quote(f.about))
	}
	if f.values != nil {
		b.WriteString(`,"enum":`)
		b.Write(quote(f.values))
		if !f.required {
			b.WriteString(`,"default":`)
			b.Write(quote(f.values[0]))
		}
	}
	if f.kind == list {
		b.WriteString(`,"items":{"type":"string"}`)
	}
	if f.max != 0 {
		b.WriteString(`,"minimum":` + strconv.Itoa(f.min) + `,"maximum":` + strconv.Itoa(f.max))
	}
	if f.byDef != 0 {
		b.WriteString(`,"default":` + strconv.Itoa(f.byDef))
	}
	b.WriteByte('}')
}

// quote encodes a string or a list of strings in JSON.
func quote[T string | []string](v T) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings always marshal
	}
	return out
}
