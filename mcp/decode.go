package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/spelling"
)

// defaults holds the values of arguments that a call omits.
type defaults struct {
	format    contract.Format
	directory func() string // called at most once; nil if paths are required
}

// decode converts raw arguments into the request of a tool. Its error is
// *contract.InvalidArguments with all problems, or the *contract.Refusal of a
// well-formed request.
func (t *tool) decode(args json.RawMessage, byDefault defaults) (contract.Request, error) {
	d := &decoder{}
	values := d.object("", t.fields, args)
	req := t.request()
	implied := false
	if t.impliesPath() && !d.about("path") && byDefault.directory != nil {
		implied = impliedPath(values, byDefault.directory)
	}
	raw, err := contract.Encode(values)
	if err == nil {
		// A field that is in the schema but not in the request type is a bug. Without this check its
		// value would be dropped.
		known := json.NewDecoder(bytes.NewReader(raw))
		known.DisallowUnknownFields()
		err = known.Decode(req)
	}
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", t.name, err)
	}
	if m, ok := req.(*contract.ManageRequest); ok {
		m.Ignored = d.ignored
	}
	want := req.Want()
	want.Implied, want.Clamped, want.ByDefault = implied, d.clamped, byDefault.format
	if want.Format == "" {
		want.Format = byDefault.format
	}
	if want.Format == contract.FormatText || want.Format == contract.FormatPack2 {
		want.Price = compact.Cost(req)
	}
	var invalid *contract.InvalidArguments
	if err := req.Normalize(); err != nil && !errors.As(err, &invalid) && len(d.problems) == 0 {
		return nil, err
	}
	if invalid != nil {
		// An argument of the wrong type was dropped, so Normalize reports it as
		// missing; skip such duplicates.
		for _, p := range invalid.Problems {
			if !d.about(p.Field) {
				d.problems = append(d.problems, p)
			}
		}
	}
	if len(d.problems) > 0 {
		return nil, &contract.InvalidArguments{Tool: t.name, Problems: d.problems}
	}
	return req, nil
}

// impliedPath makes the path in values absolute. It sets a missing path to directory() and returns
// true. It joins a relative path to directory(), also if nothing is there: the answer to a misspelt
// path then names the place that was searched. A path of a kind that is never relative stays as it is.
func impliedPath(values map[string]any, directory func() string) (implied bool) {
	given, _ := values["path"].(string)
	if filepath.IsAbs(given) {
		return false
	}
	dir := directory()
	if dir == "" {
		return false
	}
	if given == "" {
		values["path"] = dir
		return true
	}
	if below := filepath.Join(dir, filepath.FromSlash(given)); !homeOrURL(given) || exists(below) {
		values["path"] = below
	}
	return false
}

// homeOrURL reports whether path only looks relative: "~/src", "file:///src", "C:\src".
func homeOrURL(path string) bool {
	return strings.HasPrefix(path, "~") || strings.Contains(path, "://") || strings.Contains(path, `:\`)
}

// exists reports whether there is a file or folder at path, a dangling link included.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// about reports whether a problem with the argument called name was found.
func (d *decoder) about(name string) bool {
	return slices.ContainsFunc(d.problems, func(p contract.Problem) bool { return covers(p.Field, name) })
}

// impliesPath reports whether calls of the tool may omit path.
func (t *tool) impliesPath() bool {
	return slices.ContainsFunc(t.fields, func(f field) bool { return f.name == "path" && !f.required })
}

// covers reports whether a reported problem with one argument makes a problem with another redundant:
// the two are the same, or one is part of the other, as symbolRef.file is of symbolRef.
func covers(reported, field string) bool {
	return reported == "arguments" || reported == field || strings.HasPrefix(reported, field+".") ||
		strings.HasPrefix(field, reported+".") || strings.HasPrefix(reported, field+"[")
}

// decoder collects the problems in the arguments of one call.
type decoder struct {
	problems []contract.Problem
	ignored  []string // names of the given arguments that the tool accepts but never reads
	clamped  []string // numbers that were out of range, which the answer warns about
}

func (d *decoder) add(name, format string, args ...any) {
	d.problems = append(d.problems, contract.Problem{Field: name, Message: fmt.Sprintf(format, args...)})
}

// object decodes a JSON object and returns its members under the names of fields, in the
// types of fields. It adds a problem for each member that is wrong. at is the path of the
// object in the arguments, "" for the arguments themselves.
func (d *decoder) object(at string, fields []field, raw json.RawMessage) map[string]any {
	values := map[string]any{}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return values
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		name := at
		if name == "" {
			name = "arguments"
		}
		if !json.Valid(raw) {
			d.add(name, "not valid JSON: %s", show(raw))
		} else {
			d.add(name, "expected an object, got %s", show(raw))
		}
		return values
	}
	byName := map[string]*field{}
	for i := range fields {
		byName[fold(fields[i].name)] = &fields[i]
	}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f := byName[fold(name)]
		if f == nil || f.name != name && members[f.name] != nil {
			d.stranger(at, name, f, fields)
			continue
		}
		if f.zero != "" && string(bytes.Trim(members[name], "\" \t\r\n")) == "0" {
			values[f.zero] = true
			continue
		}
		full := strings.TrimPrefix(at+"."+f.name, ".")
		if v := d.value(full, f, members[name]); v != nil {
			values[f.name] = v
		}
	}
	return values
}

// stranger adds a problem for the argument name, which matches no field. twin is the field that the call has
// given in another spelling already; nil if the argument is unknown. Names that begin with "_" are skipped.
func (d *decoder) stranger(at, name string, twin *field, fields []field) {
	if strings.HasPrefix(name, "_") {
		return
	}
	full := strings.TrimPrefix(at+"."+name, ".")
	if !utf8.ValidString(name) || len(name) > 64 {
		full = strings.TrimPrefix(at+".?", ".")
	}
	if twin != nil {
		d.add(full, "given twice, as %s too", twin.name)
		return
	}
	var known, folded []string
	for _, f := range fields {
		if !f.hidden {
			known, folded = append(known, f.name), append(folded, fold(f.name))
		}
	}
	near := slices.Index(folded, spelling.Nearest(fold(name), folded))
	meant := slices.IndexFunc(fields, func(f field) bool { return slices.Contains(otherNames[f.name], fold(name)) })
	switch {
	case meant >= 0 && at == "": // rename leaves it only if the call has the argument, too
		d.add(full, "means %s, which is given too; give one of them", fields[meant].name)
	case len(known) == 0:
		d.add(full, "unknown argument; this tool takes none: {}")
	case near >= 0:
		d.add(full, "unknown argument; did you mean %s?", known[near])
	default:
		d.add(full, "unknown argument; expected one of %s", strings.Join(known, ", "))
	}
}

// value decodes one argument. It returns nil if the argument is absent or
// invalid.
func (d *decoder) value(name string, f *field, raw json.RawMessage) any {
	raw = bytes.TrimSpace(raw)
	if string(raw) == "null" {
		return nil
	}
	switch f.kind {
	case ignored:
		d.ignored = append(d.ignored, f.name)
		return nil
	case text:
		return d.text(name, f, raw)
	case whole, number:
		return d.number(name, f, raw)
	case truth:
		switch strings.ToLower(strings.Trim(string(raw), `"`)) {
		case "true":
			return true
		case "false":
			return false
		}
		d.wrong(name, f, "true or false", raw)
	case list:
		return d.list(name, f, raw)
	case object:
		return d.member(name, f, raw)
	}
	return nil
}

// member decodes an argument that is an object, or the string that may replace it.
func (d *decoder) member(name string, f *field, raw json.RawMessage) any {
	switch {
	case raw[0] == '"' && f.byString != nil:
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return f.byString(s)
		}
	case raw[0] == '{':
		before := len(d.problems)
		values := d.object(name, f.fields, raw)
		if f.open {
			d.problems = slices.DeleteFunc(d.problems, func(p contract.Problem) bool {
				return strings.HasPrefix(p.Message, "unknown argument") && strings.HasPrefix(p.Field, name+".")
			})
		}
		if len(d.problems) > before && len(values) == 0 {
			return nil
		}
		return values
	}
	d.wrong(name, f, "an object", raw)
	return nil
}

// text decodes a string. It adds a problem and returns nil for any other value.
func (d *decoder) text(name string, f *field, raw json.RawMessage) any {
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		want := "a string"
		if f.values != nil {
			want = "one of " + strings.Join(f.values, ", ")
		}
		d.wrong(name, f, want, raw)
		return nil
	}
	if f.place {
		return code.UnquotePath(s)
	}
	return s
}

// number decodes a number: an int if f takes only whole numbers, else a float64. It
// adds a problem and returns nil for any other value, and for one out of the range of a
// field that must be exact. Otherwise it replaces a number out of range by the nearest
// in range, which it notes in clamped unless f is a line.
func (d *decoder) number(name string, f *field, raw json.RawMessage) any {
	want := "a number"
	if f.kind == whole {
		want = "a whole number"
		if f.max != 0 {
			want = fmt.Sprintf("a whole number from %d to %d", f.min, f.max)
		}
	}
	written := strings.TrimSpace(strings.Trim(string(raw), `"`))
	if !numeral(written) {
		d.wrong(name, f, want, raw)
		return nil
	}
	// Numbers too large for a float64 become an infinity.
	v, _ := strconv.ParseFloat(written, 64)
	switch {
	case f.clamp && v == math.Trunc(v):
		return int(min(max(v, 0), maxLine))
	case f.kind == whole && v != math.Trunc(v), f.max == 0 && math.Abs(v) > maxLine,
		f.exact && (v < float64(f.min) || v > float64(f.max)):
		d.wrong(name, f, want, raw)
		return nil
	case f.max != 0 && (v < float64(f.min) || v > float64(f.max)):
		used := min(max(v, float64(f.min)), float64(f.max))
		d.clamped = append(d.clamped, fmt.Sprintf("%s is %s and may be %d to %d: %d is used", name, show(raw), f.min,
			f.max, int(used)))
		v = used
	}
	if f.kind == number {
		return v
	}
	return int(v)
}

// numeral reports whether s is a number in JSON. ParseFloat accepts other forms, too:
// hexadecimal, "inf", "nan", "1_000".
func numeral(s string) bool {
	return json.Valid([]byte(s)) && (s[0] == '-' || s[0] >= '0' && s[0] <= '9')
}

// list decodes a list of strings, or the single string that may replace it.
func (d *decoder) list(name string, f *field, raw json.RawMessage) any {
	var one string
	if raw[0] == '"' && json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		d.wrong(name, f, "a list of strings", raw)
		return nil
	}
	out := make([]string, 0, len(items))
	for i, item := range items {
		if s, ok := d.text(fmt.Sprintf("%s[%d]", name, i),
			&field{kind: text, example: strings.Trim(f.example, "[]")}, item).(string); ok {
			out = append(out, s)
		}
		if len(d.problems) > maxProblems {
			break
		}
	}
	return out
}

// maxProblems is the largest number of problems in one message. More would not help.
const maxProblems = 8

// wrong adds a problem with the type of an argument: what was expected, with an
// example.
func (d *decoder) wrong(name string, f *field, want string, raw json.RawMessage) {
	d.add(name, "expected %s, got %s; for example %s", want, show(raw), f.sample())
}

// sample returns an example of f in JSON.
func (f *field) sample() string {
	switch {
	case f.example != "":
		return f.example
	case f.values != nil:
		return strconv.Quote(f.values[0])
	case f.byDef != 0:
		return strconv.Itoa(f.byDef)
	case f.kind == truth:
		return "true"
	case f.kind == whole:
		return strconv.Itoa(max(f.min, 1))
	case f.kind == number:
		return "0.5"
	case f.kind == object && len(f.fields) > 0:
		return fmt.Sprintf("{%q: %s}", f.fields[0].name, f.fields[0].sample())
	}
	return `"` + f.name + `"`
}

// show returns raw for quotation in a message: short and valid UTF-8.
func show(raw json.RawMessage) string {
	const most = 60
	s := strings.ToValidUTF8(string(raw), "?")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
