package data

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// sqlToken is the byte range of a word, number, quoted name, string or single character.
type sqlToken struct{ start, end int }

// sqlStatement is a statement of a script. tokens is empty for statements that declare nothing.
type sqlStatement struct {
	source     []byte
	start, end int
	tokens     []sqlToken
	docs       []sqlToken // comments that precede or separate the tokens
	doc        string
}

func (s *sqlStatement) text(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return string(s.source[s.tokens[i].start:s.tokens[i].end])
}

// sqlWordLimit is a length in bytes that no keyword exceeds.
const sqlWordLimit = 24

// word returns token i in upper case. It returns "" if there is no token i, or if it is longer than
// any keyword.
func (s *sqlStatement) word(i int) string {
	if i < 0 || i >= len(s.tokens) || s.tokens[i].end-s.tokens[i].start > sqlWordLimit {
		return ""
	}
	return strings.ToUpper(s.text(i))
}

// name reads "schema.name" from token i on. It returns the two parts, the token of the last part,
// and the index of the token after it. name is "" if token i does not start a name.
func (s *sqlStatement) name(i int) (owner, name string, at sqlToken, next int) {
	for ; i < len(s.tokens); i++ {
		text := s.text(i)
		if !sqlNameByte(text[0]) || text == "(" {
			break
		}
		owner, name, at = syntax.Join(owner, name), sqlName(text), s.tokens[i]
		if s.text(i+1) != "." {
			return owner, name, at, i + 1
		}
		i++
	}
	return owner, name, at, i
}

func sqlNameByte(b byte) bool { return sqlIdent(b) || strings.IndexByte("\"`[", b) >= 0 }

// sqlName removes the quotation marks of any dialect around a name: it returns order for "order",
// `order` and [order].
func sqlName(s string) string { return strings.Trim(s, "\"`[]") }

// closing returns the index of the token that closes the bracket at token open; the index of the
// last token if none does.
func (s *sqlStatement) closing(open int) int {
	depth := 0
	for i := open; i < len(s.tokens); i++ {
		switch s.source[s.tokens[i].start] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s.tokens) - 1
}

// comma returns the index of the next comma outside of brackets in tokens [i, end); end if there is
// none.
func (s *sqlStatement) comma(i, end int) int {
	depth := 0
	for ; i < end; i++ {
		switch s.source[s.tokens[i].start] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return end
}

func (s *sqlStatement) find(i int, word string) int {
	for i < len(s.tokens) && s.word(i) != word {
		i++
	}
	return i
}

// bracket returns the index of the first token from i on that opens the list of members of a
// table or type; len(tokens) if there is none.
func (s *sqlStatement) bracket(i int, kind code.Kind) int {
	none := len(s.tokens)
	if kind != code.KindStruct && kind != code.KindType && kind != code.KindEnum {
		return none
	}
	for ; i < len(s.tokens); i++ {
		switch s.word(i) {
		case "(":
			if kind == code.KindStruct && s.closing(i) < len(s.tokens)-1 && s.word(s.closing(i)+1) == "AS" {
				return none // brackets after a view's name list names of columns
			}
			return i
		case "AS", "OBJECT", "ENUM", "IS":
			if kind == code.KindStruct || s.word(i+1) != "(" && s.word(i) != "AS" && s.word(i) != "IS" {
				return none
			}
		case "PARTITION", "SELECT", "CHECK", "USING", "FROM", "LIKE", "RANGE", "DEFAULT":
			return none
		}
	}
	return none
}

// parameters returns the parameters from token i on, after a routine's name: in parentheses, or
// without them as in T-SQL. next is the index of the token after them.
func (s *sqlStatement) parameters(i int) (out []code.Parameter, next int) {
	end := i
	switch {
	case s.word(i) == "(":
		end = s.closing(i)
		i++
		next = end + 1
	case strings.HasPrefix(s.text(i), "@"):
		end = s.find(i, "AS")
		next = end
	default:
		return nil, i
	}
	for i < end {
		comma := s.comma(i, end)
		if p := s.parameter(i, comma); p != (code.Parameter{}) {
			out = append(out, p)
		}
		i = comma + 1
	}
	return out, next
}

func (s *sqlStatement) parameter(i, end int) (p code.Parameter) {
	for ; i < end; i++ {
		switch s.word(i) {
		case "IN", "OUT", "INOUT":
			continue
		case "VARIADIC":
			p.Variadic = true
			continue
		}
		break
	}
	typeEnd := i
	for typeEnd < end && s.word(typeEnd) != "DEFAULT" && s.word(typeEnd) != "=" && s.word(typeEnd) != ":" {
		typeEnd++
	}
	if typeEnd < end && typeEnd+1 < end {
		value := typeEnd + 1
		if s.word(value) == "=" {
			value++
		}
		if value < end {
			p.Default = syntax.OneLine(s.source[s.tokens[value].start:s.tokens[end-1].end])
		}
	}
	if typeEnd-i > 1 && sqlNameByte(s.source[s.tokens[i].start]) && s.word(i+1) != "(" && s.word(i+1) != "[" {
		p.Name = sqlName(s.text(i))
		i++
	}
	// Oracle writes the mode after the name: name IN type
	for i < typeEnd && (s.word(i) == "IN" || s.word(i) == "OUT" || s.word(i) == "AS") {
		i++
	}
	if i < typeEnd {
		p.Type = syntax.OneLine(s.source[s.tokens[i].start:s.tokens[typeEnd-1].end])
	}
	return p
}

// returns returns the result type after RETURNS, or after RETURN in Oracle; "" if none is written.
func (s *sqlStatement) returns(i int) string {
	for ; i < len(s.tokens); i++ {
		switch s.word(i) {
		case "AS", "IS", "BEGIN", "LANGUAGE":
			return ""
		case "RETURNS", "RETURN":
			end := i + 1
			for end < len(s.tokens) && !sqlEndsReturn[s.word(end)] && s.source[s.tokens[end].start] != '$' {
				if s.word(end) == "(" {
					end = s.closing(end)
				}
				end++
			}
			if end > i+1 {
				end = min(end, len(s.tokens))
				return syntax.OneLine(s.source[s.tokens[i+1].start:s.tokens[end-1].end])
			}
			return ""
		}
	}
	return ""
}

var sqlEndsReturn = map[string]bool{
	"AS": true, "IS": true, "BEGIN": true, "LANGUAGE": true, "IMMUTABLE": true, "STABLE": true, "VOLATILE": true,
	"STRICT": true, "SECURITY": true,
	"DETERMINISTIC": true, "READS": true, "NO": true, "CONTAINS": true, "MODIFIES": true, "RETURN": true,
	"COST": true, "PARALLEL": true,
	"SET": true, "COMMENT": true, "CALLED": true, "NOT": true, "WITH": true, "SQL": true, "PIPELINED": true,
	";": true, "LEAKPROOF": true, "WINDOW": true,
}

// bodyAt returns the index of the token at which the body of a routine starts: a dollar-quoted
// string, the token after AS or IS, or BEGIN.
func (s *sqlStatement) bodyAt(i int) int {
	for ; i < len(s.tokens); i++ {
		switch s.word(i) {
		case "(":
			i = s.closing(i)
		case "BEGIN":
			return i
		case "AS", "IS":
			return i + 1
		}
		if s.source[s.tokens[i].start] == '$' {
			return i
		}
	}
	return i
}

// references records the tables that tokens [i, end) refer to.
func (s *sqlStatement) references(w *syntax.Walk, i, end int) {
	for ; i < end && i < len(s.tokens); i++ {
		if s.word(i) == "REFERENCES" {
			s.reference(w, code.CallReference, i, i+1)
		}
	}
}

// calls records the function that a trigger executes, as in EXECUTE FUNCTION audit().
func (s *sqlStatement) calls(w *syntax.Walk, i int) {
	for ; i < len(s.tokens); i++ {
		if s.word(i) == "EXECUTE" && (s.word(i+1) == "FUNCTION" || s.word(i+1) == "PROCEDURE") {
			s.reference(w, code.CallPlain, i, i+2)
			return
		}
	}
}

func (s *sqlStatement) reference(w *syntax.Walk, kind code.CallKind, from, i int) {
	owner, name, at, next := s.name(i)
	if name == "" {
		return
	}
	args := 0
	if kind == code.CallPlain && s.word(next) == "(" {
		if end := s.closing(next); end > next+1 {
			args = 1
			for c := s.comma(next+1, end); c < end; c = s.comma(c+1, end) {
				args++
			}
		}
	}
	w.Out.Calls = append(w.Out.Calls, code.Call{
		Kind: kind, Callee: name, Receiver: owner, Args: args, Caller: w.Encloser,
		Span: w.Lines.Span(s.tokens[from].start, at.end), NameSpan: w.Lines.Span(at.start, at.end),
	})
}

// docOf returns the comment directly above the line of the token at offset. It returns "" if there
// is none.
func (s *sqlStatement) docOf(offset int) string {
	lo, hi := 0, len(s.docs)
	for lo < hi {
		if mid := (lo + hi) / 2; s.docs[mid].end <= offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 || !syntax.OneBreak(s.source, s.docs[lo-1].end, offset) {
		return ""
	}
	var doc syntax.TextDoc
	first := lo - 1
	for first > 0 && lo-first < syntax.MaxDocParts &&
		syntax.OneBreak(s.source, s.docs[first-1].end, s.docs[first].start) {
		first--
	}
	for _, c := range s.docs[first:lo] {
		doc.Add(s.source, c.start, c.end)
	}
	return strings.TrimSpace(doc.Before(s.source, offset))
}

func sqlIdent(b byte) bool {
	return b == '_' || b == '@' || b == '#' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}
