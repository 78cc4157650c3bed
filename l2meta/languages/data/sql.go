package data

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// sqlRules declares the objects that CREATE statements create, and the columns of tables.
//
// It splits the text into statements and reads their heads (sqlReader). It uses no grammar,
// because each available one supports a single dialect and loses the rest of the file after an
// unknown statement.
func sqlRules() *syntax.Rules {
	return &syntax.Rules{File: sqlFile}
}

// sqlKinds maps the objects that CREATE creates to kinds of symbols.
var sqlKinds = map[string]code.Kind{
	"TABLE": code.KindStruct, "VIEW": code.KindStruct, "FUNCTION": code.KindFunction, "PROCEDURE": code.KindFunction,
	"PROC": code.KindFunction, "AGGREGATE": code.KindFunction, "TRIGGER": code.KindFunction, "EVENT": code.KindFunction,
	"TYPE": code.KindType, "DOMAIN": code.KindType, "SCHEMA": code.KindNamespace, "DATABASE": code.KindNamespace,
	"PACKAGE": code.KindNamespace, "INDEX": code.KindConfig, "SEQUENCE": code.KindConfig, "POLICY": code.KindConfig,
	"ROLE": code.KindConfig, "USER": code.KindConfig, "EXTENSION": code.KindConfig, "RULE": code.KindConfig,
	"PUBLICATION": code.KindConfig, "SUBSCRIPTION": code.KindConfig, "SERVER": code.KindConfig,
	"SYNONYM": code.KindConfig,
}

// sqlHead bounds the number of words from CREATE to the kind of object, as in "CREATE OR REPLACE
// ALGORITHM = MERGE DEFINER = `a`@`b` SQL SECURITY DEFINER VIEW".
const sqlHead = 24

func sqlFile(w *syntax.Walk, root syntax.Node) {
	r := newSQLReader(w.Text, w.Start(root), w.End(root))
	for s, ok := r.next(); ok; s, ok = r.next() {
		switch s.word(0) {
		case "CREATE":
			sqlCreate(w, &s)
		case "ALTER":
			sqlAlter(w, &s)
		case "COMMENT":
			sqlComment(w, &s)
		}
	}
	w.Encloser = -1
	w.Out.BadBytes += r.bad
}

// sqlCreate declares the object of a CREATE statement.
func sqlCreate(w *syntax.Walk, s *sqlStatement) {
	i := 1
	for i < len(s.tokens) && i < sqlHead && sqlKinds[s.word(i)] == "" {
		i++
	}
	object := s.word(i)
	kind := sqlKinds[object]
	if kind == "" {
		return
	}
	for i++; ; i++ {
		switch s.word(i) {
		case "CONCURRENTLY", "IF", "NOT", "EXISTS", "BODY", "MAPPING", "FOR":
			continue
		}
		break
	}
	owner, name, at, next := s.name(i)
	if name == "" {
		return
	}
	if object == "INDEX" && s.word(i) == "ON" {
		return // an index without a name; Postgres generates one
	}
	d := syntax.TextDecl{
		Kind: kind, Name: name, Owner: owner, Start: s.start, End: s.end, NameStart: at.start,
		NameEnd: at.end, Doc: s.doc,
	}
	signatureEnd := s.end
	switch {
	case kind == code.KindFunction:
		body := s.bodyAt(next)
		if object != "TRIGGER" && object != "EVENT" {
			d.Parameters, next = s.parameters(next)
		}
		d.Returns = s.returns(next)
		if body < len(s.tokens) {
			signatureEnd = s.tokens[body].start
			d.Body = [2]int{signatureEnd, s.end}
		}
	case object == "PACKAGE":
		if body := s.bodyAt(next); body < len(s.tokens) {
			signatureEnd = s.tokens[body].start
			d.Body = [2]int{signatureEnd, s.end}
		}
	case kind == code.KindType && s.word(next) == "AS" && s.word(next+1) == "ENUM":
		d.Kind = code.KindEnum
		next++
	}
	if open := s.bracket(next, d.Kind); open < len(s.tokens) {
		signatureEnd = s.tokens[open].start
		d.Body = [2]int{signatureEnd, s.tokens[s.closing(open)].end}
		d.Signature = sqlLine(w.Text, s.start, signatureEnd)
		sqlMembers(w, s, w.DeclareText(d), open)
	} else {
		if as := s.find(next, "AS"); d.Kind == code.KindStruct && as+1 < len(s.tokens) {
			signatureEnd = s.tokens[as].start
			d.Body = [2]int{s.tokens[as+1].start, s.end}
		}
		d.Signature = sqlLine(w.Text, s.start, signatureEnd)
		w.Encloser = w.DeclareText(d)
		s.calls(w, next)
	}
	w.Encloser = -1
}

func sqlLine(text []byte, from, to int) string {
	line := syntax.OneLine(text[from:max(from, to)])
	if strings.Contains(line, "*/") {
		line = strings.Join(strings.Fields(sqlMarks.ReplaceAllString(line, " ")), " ")
	}
	return strings.TrimRight(line, " (;")
}

// sqlMarks matches the start and end marks of MySQL's conditional comments, /*!40101 … */, and
// other comments within the signature of a statement.
var sqlMarks = regexp.MustCompile(` ?(/\*[^!].*?\*/|/\*!\d*|\*/) ?`)

// sqlMembers declares the members of symbol: the columns of a table, the attributes of a type or
// the values of an enumeration. The members are between the bracket at token open and the bracket
// that closes it.
func sqlMembers(w *syntax.Walk, s *sqlStatement, symbol, open int) {
	w.Encloser = symbol
	end := s.closing(open)
	for i := open + 1; i < end; {
		next := s.comma(i, end)
		if w.Out.Symbols[symbol].Kind == code.KindEnum {
			t := s.tokens[i]
			if value := strings.ReplaceAll(strings.Trim(s.text(i), "'\""), "''", "'"); value != "" {
				w.DeclareText(syntax.TextDecl{Kind: code.KindConstant, Name: value, Start: t.start, End: t.end,
					NameStart: t.start, NameEnd: t.end, Signature: s.text(i)})
			}
		} else {
			sqlColumn(w, s, i, next, "", s.tokens[i].start)
		}
		s.references(w, i, next)
		i = next + 1
	}
	s.references(w, end, len(s.tokens))
	w.Encloser = -1
}

// sqlColumn declares the column in tokens [i, next). It skips a constraint or key of the table,
// such as PRIMARY KEY (a).
func sqlColumn(w *syntax.Walk, s *sqlStatement, i, next int, owner string, start int) {
	switch s.word(i) {
	case "CONSTRAINT", "PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "EXCLUDE", "LIKE", "FULLTEXT",
		"SPATIAL", "PERIOD", ")", "(":
		return
	case "KEY", "INDEX":
		// "key text" is a column; "KEY name (a)" is not.
		if s.word(i+1) == "(" || i+2 < next && s.word(i+2) == "(" && i+3 < next && !sqlDigit(s.text(i+3)) {
			return
		}
	}
	if i >= next || next-i < 2 && owner != "" {
		return
	}
	name := sqlName(s.text(i))
	if name == "" || !sqlNameByte(s.text(i)[0]) {
		return
	}
	end := i + 1
	for end < next && !sqlEndsType[s.word(end)] {
		if s.word(end) == "(" {
			end = min(s.closing(end), next-1)
		}
		end++
	}
	typ := ""
	if end > i+1 {
		typ = syntax.OneLine(w.Text[s.tokens[i+1].start:s.tokens[end-1].end])
	}
	t, last := s.tokens[i], s.tokens[next-1]
	w.DeclareText(syntax.TextDecl{
		Kind: code.KindField, Name: name, Owner: owner, Start: start, End: last.end, NameStart: t.start,
		NameEnd: t.end, Returns: typ,
		Signature: sqlLine(w.Text, t.start, last.end), Doc: s.docOf(t.start),
	})
	if typ != "" && owner == "" {
		w.Out.Facts = append(w.Out.Facts,
			code.Fact{Kind: code.FactField, Owner: w.Encloser, Name: name, Type: typ,
				Span: w.Lines.Span(t.start, s.tokens[end-1].end)})
	}
}

func sqlDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

// sqlEndsType lists the words after which the type of a column is complete: NOT in "a text NOT
// NULL".
var sqlEndsType = map[string]bool{
	"NOT": true, "NULL": true, "DEFAULT": true, "PRIMARY": true, "REFERENCES": true, "UNIQUE": true, "CHECK": true,
	"CONSTRAINT": true,
	"COLLATE":    true, "GENERATED": true, "AUTO_INCREMENT": true, "AUTOINCREMENT": true, "COMMENT": true,
	"IDENTITY": true, "ON": true,
	"AS": true, "KEY": true, "CHARSET": true, "INVISIBLE": true, "STORAGE": true, "COMPRESSION": true, "FIRST": true,
	"AFTER": true, ";": true,
}

// sqlAlter declares the columns that ALTER TABLE … ADD adds, as columns of the table.
func sqlAlter(w *syntax.Walk, s *sqlStatement) {
	i := 1
	for s.word(i) != "TABLE" {
		if i++; i > 3 {
			return
		}
	}
	for i++; s.word(i) == "IF" || s.word(i) == "EXISTS" || s.word(i) == "ONLY"; i++ {
	}
	owner, name, _, next := s.name(i)
	if name == "" {
		return
	}
	table := syntax.Join(owner, name)
	for i = next; i < len(s.tokens); {
		end := s.comma(i, len(s.tokens))
		if s.word(i) == "ADD" {
			c := i + 1
			for s.word(c) == "COLUMN" || s.word(c) == "IF" || s.word(c) == "NOT" || s.word(c) == "EXISTS" {
				c++
			}
			sqlColumn(w, s, c, end, table, s.tokens[i].start)
			s.references(w, i, end)
		}
		i = end + 1
	}
}

// sqlComment reads COMMENT ON … IS 'text', and makes the text the documentation of the named
// symbol. It searches only the last sqlCommentReach symbols, because dumps of databases place the
// comments near their objects.
func sqlComment(w *syntax.Walk, s *sqlStatement) {
	i := s.find(2, "IS")
	if s.word(1) != "ON" || i+1 >= len(s.tokens) {
		return
	}
	owner, name, _, _ := s.name(3)
	qualified, text := syntax.Join(owner, name), strings.Trim(s.text(i+1), "'")
	for j := len(w.Out.Symbols) - 1; j >= 0 && j >= len(w.Out.Symbols)-sqlCommentReach; j-- {
		if symbol := &w.Out.Symbols[j]; symbol.QualifiedName == qualified && symbol.Doc == "" {
			symbol.Doc = syntax.Clip(text, code.MaxDocBytes)
			return
		}
	}
}

// sqlCommentReach bounds how many symbols sqlComment searches, from the last one backward. It
// exceeds the number of columns of a wide table.
const sqlCommentReach = 400
