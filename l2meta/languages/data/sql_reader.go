package data

import (
	"bytes"
	"strings"

	"sextant/l2meta/syntax"
)

// sqlReader splits a script into statements. It supports the quotes and comments of every dialect,
// commands of psql and mysql, and finds the end of a routine's body.
type sqlReader struct {
	text      []byte
	at, to    int
	delimiter string // end mark of a statement: ";" unless DELIMITER sets another
	doc       syntax.TextDoc
	bad       int  // number of bytes in unterminated strings, names and comments
	flat      bool // block comments do not nest: set once a nested comment seemed unterminated

	s       sqlStatement
	open    bool // a statement has begun, described by the fields below
	keep    bool // its tokens are stored in s.tokens
	routine bool // it creates a function, procedure, trigger, event or package
	depth   int  // nesting of BEGIN and CASE
	pack    bool // it creates a package, which ends at its own END
	ended   bool // that END was read
	locals  bool // the reader is between IS and BEGIN of a routine, where semicolons end declarations
	words   int  // words read in the statement
	last    string
}

func newSQLReader(text []byte, from, to int) *sqlReader {
	return &sqlReader{text: text, at: from, to: to, delimiter: ";"}
}

// next returns the next statement; ok is false at the end.
func (r *sqlReader) next() (s sqlStatement, ok bool) {
	r.begin()
	for r.at < r.to {
		if r.step() {
			if r.open {
				return r.s, true
			}
			r.begin()
		}
	}
	return r.s, r.open
}

func (r *sqlReader) begin() {
	r.s = sqlStatement{source: r.text}
	r.open, r.keep, r.routine, r.locals, r.pack, r.ended = false, false, false, false, false, false
	r.depth, r.words, r.last = 0, 0, ""
}

// step reads one token and reports whether a statement ends after it.
func (r *sqlReader) step() bool {
	c := r.text[r.at]
	next := byte(0)
	if r.at+1 < r.to {
		next = r.text[r.at+1]
	}
	switch {
	case syntax.IsSpace(c) || c == '\f' || c == '\v':
		r.at++
	case r.at == 0 && bytes.HasPrefix(r.text, []byte("\ufeff")):
		r.at += 3
	case r.lineStart() && r.command():
		return true
	case strings.HasPrefix(r.delimiter, string(c)) && bytes.HasPrefix(r.text[r.at:r.to], []byte(r.delimiter)):
		return r.semicolon()
	case c == '-' && next == '-', c == '#' && (syntax.IsSpace(next) || next == '#' || next == '!'):
		r.comment(r.lineEnd(r.at))
	case c == '/' && next == '*':
		r.blockComment()
	case c == '*' && next == '/': // the end of a conditional comment
		r.at += 2
	case c == '\'':
		r.token(r.quoted(r.at, c))
	case c == '"' || c == '`':
		r.token(r.quoted(r.at, c))
	case c == '[' && r.at+1 < r.to && sqlIdent(next) && (next < '0' || next > '9'):
		r.token(r.bracketed())
	case c == '$':
		r.token(r.dollar())
	case sqlIdent(c):
		return r.word()
	default:
		r.token(r.at + 1)
	}
	return false
}

func (r *sqlReader) lineEnd(at int) int {
	if i := bytes.IndexByte(r.text[at:r.to], '\n'); i >= 0 {
		return at + i
	}
	return r.to
}

func (r *sqlReader) lineStart() bool { return r.at == 0 || r.text[r.at-1] == '\n' }

// command reads a line that is no SQL but a command of the client: \connect, DELIMITER //, GO, or
// the slash that runs an Oracle block. It reports whether the line is one; a command ends the
// previous statement.
func (r *sqlReader) command() bool {
	end := r.lineEnd(r.at)
	if end-r.at > 200 {
		end = r.at + 200
	}
	line := strings.TrimSpace(string(r.text[r.at:end]))
	switch word, rest, _ := strings.Cut(line, " "); {
	case line != "" && line[0] == '\\':
	case strings.EqualFold(word, "DELIMITER") && strings.TrimSpace(rest) != "":
		r.delimiter = strings.TrimSpace(rest)
	case strings.EqualFold(line, "GO") || line == "/":
	default:
		return false
	}
	r.at = r.lineEnd(r.at)
	return true
}

// semicolon skips the delimiter. It reports whether the delimiter ends the statement; one in the
// body of a routine ends only a line of that body.
func (r *sqlReader) semicolon() bool {
	inside := r.routine && r.delimiter == ";" && (r.depth > 0 || r.locals || r.pack && !r.ended)
	at := r.at
	r.at += len(r.delimiter)
	if inside {
		r.last = ""
		return false
	}
	if r.open {
		r.s.end = r.at
		if r.delimiter != ";" {
			r.s.end = at
		}
		if r.s.copies() {
			r.copyData()
		}
	}
	return true
}

// copies reports whether lines of data follow the statement, as after COPY t FROM stdin.
func (s *sqlStatement) copies() bool {
	if s.end-s.start > 4096 || !bytes.EqualFold(s.source[s.start:min(s.start+5, s.end)], []byte("copy ")) {
		return false
	}
	return bytes.Contains(bytes.ToLower(s.source[s.start:s.end]), []byte("from stdin"))
}

func (r *sqlReader) copyData() {
	if i := bytes.Index(r.text[r.at:r.to], []byte("\n\\.")); i >= 0 {
		r.at += i + 3
	}
}

func (r *sqlReader) comment(end int) {
	if r.open {
		if r.keep {
			r.s.docs = append(r.s.docs, sqlToken{r.at, end})
		}
	} else {
		r.doc.Add(r.text, r.at, end)
	}
	r.at = end
}

// blockComment skips a block comment. Of a conditional comment of MySQL, /*!40101 SET … */, it
// skips only the opening mark, so that its text is read as SQL.
func (r *sqlReader) blockComment() {
	if r.at+2 < r.to && r.text[r.at+2] == '!' {
		for r.at += 3; r.at < r.to && '0' <= r.text[r.at] && r.text[r.at] <= '9'; r.at++ {
		}
		return
	}
	depth := 0
	for i := r.at; i+1 < r.to; i++ {
		switch {
		case r.text[i] == '/' && r.text[i+1] == '*' && (depth == 0 || !r.flat):
			depth++
			i++
		case r.text[i] == '*' && r.text[i+1] == '/':
			depth--
			i++
			if depth == 0 {
				r.comment(i + 1)
				return
			}
		}
	}
	// Only some dialects nest comments. If a comment seems unterminated, nested comments are not
	// supported: it ends at the first end mark, and so do all later comments.
	r.flat = true
	if i := bytes.Index(r.text[r.at:r.to], []byte("*/")); i >= 0 {
		r.comment(r.at + i + 2)
		return
	}
	r.bad += r.to - r.at
	r.comment(r.to)
}

// quoted returns the end of the string or name that starts at i, after its closing mark:
//
//	'it''s'     a doubled mark does not end it
//	'it\'s'     nor does, in a string, a mark after a backslash
//	('C:\')     but this mark ends it: the comma or bracket after the mark shows that the backslash
//	            is an ordinary character, as in Postgres
func (r *sqlReader) quoted(i int, quote byte) int {
	for i++; i < r.to; i++ {
		switch r.text[i] {
		case '\\':
			if quote == '\'' && i+1 < r.to && !(r.text[i+1] == quote && r.endsAfter(i+2)) {
				i++
			}
		case quote:
			if i+1 >= r.to || r.text[i+1] != quote {
				return i + 1
			}
			i++
		}
	}
	r.bad++
	return r.to
}

func (r *sqlReader) endsAfter(i int) bool {
	return i >= r.to || strings.IndexByte(",;)\n\r", r.text[i]) >= 0
}

// bracketed returns the end of a T-SQL name in brackets, [order], at r.at. If the bracket is not
// closed on the same line, it returns the offset after the bracket.
func (r *sqlReader) bracketed() int {
	for i := r.at + 1; i < r.to && r.text[i] != '\n' && i-r.at < 130; i++ {
		if r.text[i] == ']' {
			return i + 1
		}
	}
	return r.at + 1
}

// dollar returns the end of the string $tag$ … $tag$ that starts at r.at. If no string starts
// there, it returns the end of the word.
func (r *sqlReader) dollar() int {
	i := r.at + 1
	for i < r.to && sqlIdent(r.text[i]) && i-r.at < 64 {
		i++
	}
	if i >= r.to || r.text[i] != '$' || i > r.at+1 && '0' <= r.text[r.at+1] && r.text[r.at+1] <= '9' {
		return i
	}
	tag := r.text[r.at : i+1]
	if end := bytes.Index(r.text[i+1:r.to], tag); end >= 0 {
		return i + 1 + end + len(tag)
	}
	r.bad++
	return r.to
}

// token adds the token text[r.at:end] to the statement, and moves to end.
func (r *sqlReader) token(end int) {
	if !r.open {
		r.open = true
		r.s.start = r.at
		r.s.doc = r.doc.Before(r.text, r.at)
	}
	if r.keep {
		r.s.tokens = append(r.s.tokens, sqlToken{r.at, end})
	}
	r.at = end
	r.s.end = end
	r.last = ""
}

// word reads a word, and tracks the nesting of blocks within a routine. It reports whether the
// statement ended before this word: if CREATE starts a line while a routine's body seems open, an
// END was missed.
func (r *sqlReader) word() bool {
	end := r.at
	for end < r.to && (sqlIdent(r.text[end]) || r.text[end] == '$') {
		end++
	}
	word := ""
	if end-r.at <= sqlWordLimit && (r.words < sqlHead || r.routine) {
		word = strings.ToUpper(string(r.text[r.at:end]))
	}
	if r.routine && r.words > 3 && (r.depth > 0 || r.locals) && word == "CREATE" && r.lineStart() {
		return true
	}
	last := r.last
	if r.words == 0 && !r.open {
		r.keep = word == "CREATE" || word == "ALTER" || word == "COMMENT"
	}
	r.token(end)
	r.last = word
	r.words++
	if !r.keep {
		return false
	}
	if !r.routine {
		r.routine = r.words < sqlHead && sqlIsRoutine(word) && r.s.word(0) == "CREATE" && !r.madeAlready()
		r.pack = r.routine && word == "PACKAGE"
		return false
	}
	switch {
	case word == "BEGIN":
		r.depth++
		r.locals = false
	case word == "CASE" && last != "END":
		r.depth++
	case word == "END":
		r.ended = r.ended || r.depth == 0
		r.depth = max(r.depth-1, 0)
	case last == "END" && (word == "IF" || word == "LOOP" || word == "WHILE" || word == "REPEAT" || word == "FOR"):
		r.depth++ // END IF closes a block whose opening was not counted
	case (last == "AS" || last == "IS") && r.depth == 0 && !r.pack && sqlOpensLocals(word) &&
		(end >= r.to || r.text[end] != '\''):
		r.locals = true
	}
	return false
}

func sqlIsRoutine(word string) bool {
	switch word {
	case "FUNCTION", "PROCEDURE", "PROC", "TRIGGER", "EVENT", "PACKAGE":
		return true
	}
	return false
}

// madeAlready reports whether an earlier word named the kind of the created object, so that the
// current word does not: EVENT in CREATE TABLE event.
func (r *sqlReader) madeAlready() bool {
	for i := 1; i < len(r.s.tokens)-1; i++ {
		if sqlKinds[r.s.word(i)] != "" {
			return true
		}
	}
	return false
}

// sqlOpensLocals reports whether word, after IS or AS, begins the declarations of an Oracle routine
// or the statements of a T-SQL one.
func sqlOpensLocals(word string) bool {
	switch word {
	case "", "BEGIN", "LANGUAGE", "EXTERNAL":
		return false
	}
	return true
}
