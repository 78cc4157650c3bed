package l1fts

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
)

// Query is a parsed search: words to rank by, and conditions. A condition marked "any" is
// satisfied if one of the values of its field matches, a condition marked "all" if every value
// does, and a condition marked "none" if no value does.
type Query struct {
	Raw      string
	Text     string      // the query without its operators
	Quoted   []string    // the quoted parts of Text, without their quotes
	Langs    []string    // lang:, as written, lower-cased; any
	Paths    []string    // path:, gitignore globs; any
	NotPaths []string    // -path:, gitignore globs; none
	Must     []string    // must:, case-sensitive substrings; all
	Exclude  []string    // exclude:, case-sensitive substrings; none
	Regex    []*Regex    // regex:, of single lines; all
	Kinds    []code.Kind // kind:; any
	Services []string    // service:, as written; any
	Traits   []Trait     // annotation:, param:, returns:, extends:; all, of one symbol
	Bare     []string    // operators without a value, which are treated as text but likely are a mistake
}

// Trait is a condition on a declaration: one of its parts contains a word, as in param:Context.
type Trait struct {
	Of    string // a part of the declaration: one of the constants below
	Value string // without the @ or # of an annotation
}

// These constants are the parts of a declaration.
const (
	TraitAnnotation = "annotation" // annotations, decorators and attributes, with their arguments
	TraitParam      = "param"      // types and names of parameters
	TraitReturns    = "returns"    // the type of the result
	TraitExtends    = "extends"    // the types that a type extends, implements, mixes in or embeds
)

// Exhaustive reports whether q has operators, such as must: or regex:, that request every match
// rather than the best ones.
func (q Query) Exhaustive() bool {
	return len(q.Must) > 0 || len(q.Regex) > 0 || len(q.Exclude) > 0 || len(q.Traits) > 0
}

const (
	// operatorChars is the number of leading characters in which operators are
	// recognized. Text after them is taken literally, since it is usually pasted:
	// an error message or code.
	operatorChars = 200
	// maxQueryBytes is the largest length of a query in bytes; longer ones are files pasted by
	// mistake.
	maxQueryBytes = 16 << 10
	// maxMust is the largest number of must: operators in a query.
	maxMust = 64
	// maxTraits is the largest number of conditions annotation:, param:, returns: and extends: in a
	// query; a declaration has few parts.
	maxTraits = 8
)

// Parse parses a query. It recognizes operators in the first 200 characters, or
// up to a blank line: lang: path: -path: must: exclude: regex: kind: service:
// annotation: param: returns: extends:,
// each with a value up to the next white space or in "…", where \" is a quote
// and every other character is literal. A token after "\" is text, and so are
// quoted text and words with a colon that name no operator. Errors say what was
// expected, with an example.
func Parse(raw string) (Query, error) {
	query := Query{Raw: raw}
	if len(raw) > maxQueryBytes {
		return query, fmt.Errorf(
			"query: %d bytes are more than the %d that a query may have; ask for a few words of it",
			len(raw), maxQueryBytes)
	}
	head, tail := operatorPart(raw)
	var text strings.Builder
	for i := 0; i < len(head); {
		r, size := utf8.DecodeRuneInString(head[i:])
		if unicode.IsSpace(r) {
			text.WriteString(head[i : i+size])
			i += size
			continue
		}
		// Pass raw, not head: a quoted value may end beyond head.
		n, err := query.token(raw[i:], &text)
		if err != nil {
			return query, err
		}
		i += n
		if i > len(head) {
			tail = raw[i:]
		}
	}
	text.WriteString(tail)
	query.Text = strings.Join(strings.Fields(text.String()), " ")
	return query, query.check()
}

// operatorPart splits raw into the head, in which operators are recognized, and the tail. The head
// ends at the first blank line, and has at most operatorChars characters.
func operatorPart(raw string) (head, tail string) {
	end, chars := len(raw), 0
	for i := range raw {
		if chars == operatorChars {
			end = i
			break
		}
		chars++
	}
	at := 0
	for line := range strings.Lines(raw[:end]) {
		if at > 0 && strings.TrimSpace(line) == "" && strings.TrimSpace(raw[:at]) != "" {
			return raw[:at], raw[at:]
		}
		at += len(line)
	}
	return raw[:end], raw[end:]
}

// token parses one token at the start of s and returns its length in bytes. It
// adds an operator to q and writes anything else to text.
func (q *Query) token(s string, text *strings.Builder) (int, error) {
	if s[0] == '"' {
		if value, n, ok := quoted(s); ok {
			if value = strings.TrimSpace(value); value != "" {
				q.Quoted = append(q.Quoted, value)
			}
			text.WriteString(value)
			return n, nil
		}
	}
	end := strings.IndexFunc(s, unicode.IsSpace)
	if end < 0 {
		end = len(s)
	}
	if s[0] == '\\' && end > 1 {
		text.WriteString(s[1:end])
		return end, nil
	}
	name, value, ok := strings.Cut(s[:end], ":")
	if known := ok && slices.Contains(operators, name); !known || value == "" {
		if known {
			q.Bare = append(q.Bare, name)
		}
		text.WriteString(s[:end])
		return end, nil
	}
	n := end
	if value[0] == '"' {
		var size int
		if value, size, ok = quoted(s[len(name)+1:]); !ok {
			return 0, fmt.Errorf("query: the quote behind %s: is not closed; write %s:\"two words\"", name, name)
		}
		if n = len(name) + 1 + size; value == "" {
			return 0, fmt.Errorf("query: %s: needs a value, as in %s", name, examples[name])
		}
	}
	return n, q.operator(name, value)
}

// quoted parses "…" at the start of s and returns its value and its length,
// quotes included. ok is false if the quote is not closed.
func quoted(s string) (value string, n int, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), i + 1, true
		case s[i] == '\\' && i+1 < len(s):
			i++
			if s[i] != '"' {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return "", 0, false
}

var operators = []string{"lang", "path", "-path", "must", "exclude", "regex", "kind", "service",
	TraitAnnotation, TraitParam, TraitReturns, TraitExtends}

var examples = map[string]string{
	"lang": "lang:go", "path": "path:src/**/*.ts", "-path": "-path:vendor/", "must": `must:"ctx.Err()"`,
	"exclude": "exclude:mock",
	"regex":   `regex:"func \(s \*Server\) \w+\("`, "kind": "kind:method", "service": "service:checkout",
	TraitAnnotation: "annotation:Transactional", TraitParam: "param:Request", TraitReturns: "returns:Future",
	TraitExtends: "extends:Handler",
}

// operator adds the operator name:value, such as lang:go, to q. It returns an error if the value is
// not valid.
func (q *Query) operator(name, value string) error {
	switch name {
	case "lang":
		q.Langs = append(q.Langs, strings.ToLower(value))
	case "path", "-path":
		if _, err := compileGlob(value); err != nil {
			return fmt.Errorf("query: %s:%s is no gitignore pattern (%w); an example is %s", name, value, err,
				examples[name])
		}
		if name == "path" {
			q.Paths = append(q.Paths, value)
		} else {
			q.NotPaths = append(q.NotPaths, value)
		}
	case "must":
		if len(q.Must) == maxMust {
			return fmt.Errorf("query: more than %d must: operators; an example of one is %s", maxMust, examples[name])
		}
		q.Must = append(q.Must, value)
	case "exclude":
		q.Exclude = append(q.Exclude, value)
	case "regex":
		re, err := compileRegex(value)
		if err != nil {
			return fmt.Errorf("query: regex:%s: %w; RE2 syntax was expected, as in %s", value, err, examples[name])
		}
		q.Regex = append(q.Regex, re)
	case "kind":
		kind := code.Kind(strings.ToLower(value))
		if !slices.Contains(kinds, kind) {
			return fmt.Errorf("query: kind:%s is no symbol kind; one of %s was expected, as in %s", value,
				joinKinds(), examples[name])
		}
		q.Kinds = append(q.Kinds, kind)
	case "service":
		q.Services = append(q.Services, value)
	case TraitAnnotation, TraitParam, TraitReturns, TraitExtends:
		value = strings.Trim(value, "@#[]()")
		if value == "" || len(q.Traits) == maxTraits {
			return fmt.Errorf("query: %s: needs a name, and a query at most %d such operators; an example is %s", name,
				maxTraits, examples[name])
		}
		q.Traits = append(q.Traits, Trait{name, value})
	}
	return nil
}

// Example returns an example of an operator with a value, such as lang:go.
func Example(operator string) string { return examples[operator] }

func joinKinds() string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// check returns an error if q is empty or only has conditions that remove results, such as
// exclude:mock.
func (q *Query) check() error {
	if q.Text != "" || len(q.Langs)+len(q.Paths)+len(q.Must)+len(q.Regex)+len(q.Kinds)+len(q.Services)+
		len(q.Traits) > 0 {
		return nil
	}
	if len(q.NotPaths)+len(q.Exclude) > 0 {
		return fmt.Errorf(
			`query: -path: and exclude: only remove results; add words or a positive operator, as in "retry exclude:mock"`)
	}
	return fmt.Errorf(
		`query: it is empty; write words or identifiers to look for, as in "where are sessions refreshed"`)
}
