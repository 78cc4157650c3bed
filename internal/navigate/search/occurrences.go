package search

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search/rank"
	"sextant/internal/navigate/symbols"
	"sextant/l1fts"
	"sextant/l2meta"
)

// literal is a word of the query that is searched exactly: a header, an environment variable, the
// name of a package. If only few lines contain it, the query refers to these lines, even if other
// code is closer in meaning.
type literal struct {
	text   string
	alone  bool // whether it is the whole query
	quoted bool // whether it is in quotation marks
	said   bool // whether it is a query of several words, which counts only if the source has it in a string
}

const (
	// shortestLiteral is the least number of bytes of a literal in a query of several words.
	shortestLiteral = 6
	// shortestQuoted is the same for a quoted literal and for a literal that is the whole query.
	shortestQuoted = 3
	// mostLiterals is the largest number of literals searched for one query. A pasted stack trace has
	// dozens.
	mostLiterals = 4
	// mostHolding is the largest number of files that are read for a literal among other words, and
	// mostHoldingAlone for a literal that is the whole query. Reading them takes some 3 and 12 ms.
	mostHolding, mostHoldingAlone = 64, 256
	// mostHoldingSaid is the largest number of files that are read for a query of several words
	// as a whole. Most such queries occur nowhere, so their search must cost little: measured on
	// one large repository, it takes 5 % of the processor time of a search with 16 files, 18 %
	// with 48, and 34 % with 128. With 16 files, one of five messages of this program is not
	// found.
	mostHoldingSaid = 16
	// fewestSaid is the least number of words of a query that is searched in strings as a whole.
	fewestSaid = 3
	// rareLines is the largest number of lines that contain a literal, if it is to count as rare.
	rareLines = 20
)

// literals returns the parts of a query that are searched exactly. These are the quoted parts. Of
// the other words it is the only one, or those of several that are written like code.
func literals(query *l1fts.Query) (list []literal) {
	text := query.Text
	for _, quoted := range query.Quoted {
		alone := strings.Trim(query.Text, literalMarks) == strings.Trim(quoted, literalMarks)
		if len(quoted) >= shortestQuoted && len(list) < mostLiterals {
			list = append(list, literal{text: quoted, alone: alone, quoted: true})
		}
		text = strings.Replace(text, quoted, "", 1)
	}
	words := strings.Fields(text)
	several := len(words) > 1 || len(list) > 0
	for _, w := range words {
		w = strings.Trim(w, literalMarks)
		switch {
		case !several && len(w) >= shortestQuoted:
			return []literal{{text: w, alone: true}}
		case several && len(list) < mostLiterals && len(w) >= shortestLiteral &&
			(looksLikeCode(w) || hyphenated(w) || w[0] == '/'):
			list = append(list, literal{text: strings.TrimSuffix(w, "()")})
		}
	}
	return list
}

// said returns a query of several words as one literal: a message that a program prints, such as "recipe already
// exists". It returns false for queries that quote a part, and for questions.
func said(query *l1fts.Query) (literal, bool) {
	text := strings.Trim(query.Text, literalMarks+". ")
	words := strings.Fields(text)
	if len(query.Quoted) > 0 || len(words) < fewestSaid || asking[strings.ToLower(words[0])] {
		return literal{}, false
	}
	return literal{text: text, alone: true, said: true}, true
}

// literalMarks lists the marks around a word of a query that are not part of the word.
const literalMarks = ",;:?!'\"`"

// hyphenated reports whether a hyphenated word is a name rather than English: X-Request-Id, utf-8,
// spring-boot-starter-web, but not well-known.
func hyphenated(w string) bool {
	return strings.Count(w, "-") > 1 || strings.Contains(w, "-") && strings.ContainsFunc(w, func(r rune) bool {
		return unicode.IsUpper(r) || unicode.IsDigit(r)
	})
}

// fit says how exactly a line contains a literal, from the weakest to the most exact.
type fit uint8

const (
	noFit     fit = iota
	inWord        // inside a longer word
	inName        // inside a hyphenated name
	wholeFold     // a whole word, in another case
	whole         // a whole word, in the same case
)

// occurrence is a line that contains a literal.
type occurrence struct {
	file l1fts.Candidate
	line int // 1-based
	last int // the last line of the file
	fit  fit
}

// addOccurrences searches the literals of the query and boosts the lines that contain a rare one.
// If a literal is quoted or is the whole query, and occurs nowhere in the scope, addOccurrences
// searches files of every class.
func (p *pool) addOccurrences(ctx context.Context) error {
	list := literals(&p.query)
	if l, ok := said(&p.query); ok {
		list = append(list, l)
	}
	for _, l := range list {
		if p.mentions(l) {
			continue
		}
		k := &lookup{pool: p, literal: l, word: foldWord(l.text), held: map[string][]occurrence{}}
		found, rare, err := k.occurrences(ctx, p.filter)
		if err == nil && len(found) == 0 && rare && (l.alone && !l.said || l.quoted) && len(p.filter.Classes) > 0 {
			anywhere := p.filter
			anywhere.Classes = nil
			found, rare, err = k.occurrences(ctx, anywhere)
		}
		if err == nil && len(found) == 0 && rare && l.quoted {
			p.absent = append(p.absent, l.text)
		}
		if err == nil && !rare && l.alone && !l.said && l.isCode() {
			err = k.liftHolders()
		}
		if err != nil {
			return err
		}
		if len(found) == 0 || !l.alone && found[0].fit < wholeFold || found[0].fit == inWord && p.declares(l.text) {
			continue
		}
		if err := k.liftLines(ctx, found); err != nil {
			return err
		}
	}
	return nil
}

// mentions reports whether a word of a question is the name of a symbol, like LinkMatcher in "how is a
// LinkMatcher made from a regular expression". Such a question may be about other code, so the few
// lines with the name get no boost; the symbol itself gets one for its name.
func (p *pool) mentions(l literal) bool {
	if l.alone || l.quoted || !p.wordByWord() {
		return false
	}
	label := symbols.NormalLabel(l.text)
	for _, c := range p.all {
		if c.exact >= rank.NamedSame && c.row != nil && c.class != code.ClassDocs &&
			exactnessOf(c.row.Symbol.QualifiedName, label) >= rank.NamedSame {
			return true
		}
	}
	return false
}

// liftLines boosts the candidates that contain the lines in found, and adds candidates for the
// other lines. Each candidate is boosted once, however many of its lines contain the literal.
func (k *lookup) liftLines(ctx context.Context, found []occurrence) error {
	k.verbatim = k.verbatim || k.literal.alone && (k.literal.quoted || k.literal.said) && found[0].fit >= wholeFold
	lifted := map[*candidate]bool{}
	source := slices.ContainsFunc(found, func(o occurrence) bool { return o.file.Class != code.ClassTest })
	for _, o := range found {
		c := declarer(k.all, k.literal, o, found)
		if c == nil {
			rows, err := k.service.Facts.AtLine(ctx, k.view, o.file.FileID, o.line)
			if err != nil {
				return err
			}
			c = k.candidateAt(rows, o)
		}
		if !lifted[c] {
			lifted[c] = true
			by := k.literal.lift(o.fit, len(found))
			if source && k.verbatim && o.file.Class == code.ClassTest {
				by /= 2 // a test expects the message, and the source prints it
			}
			c.lift(by, o.line)
		}
	}
	return nil
}

// lookup is the search for one literal.
type lookup struct {
	*pool
	literal literal
	word    folded
	held    map[string][]occurrence // path → occurrences, for the files read so far
	text    []byte                  // buffer with the text of the last file
}

// in returns the occurrences in a file, none if it cannot be read.
func (k *lookup) in(path string) ([]occurrence, error) {
	if list, known := k.held[path]; known {
		return list, nil
	}
	text, err := k.place.Root.ReadNow(path, k.text)
	if err != nil && !isGone(err) {
		return nil, err
	}
	if err == nil {
		k.text = text
	}
	list := occurrencesIn(text, &k.word, k.literal.text)
	if k.literal.said {
		list = inStrings(text, list, k.literal.text)
	}
	k.held[path] = list
	return list, nil
}

const (
	// foundFirst is the boost of a line with a rare literal. It exceeds the sum of all scores by
	// meaning and words.
	foundFirst = 10
	// foundWithin is the boost for a literal that only occurs inside longer words.
	foundWithin = 3
)

// lift returns the boost for an occurrence. lines is the number of lines that contain the literal: if
// the query has other words too, a literal counts less the more lines contain it.
func (l literal) lift(f fit, lines int) float64 {
	switch {
	case !l.alone:
		return foundFirst / float64(lines)
	case f == inWord:
		return foundWithin
	}
	return foundFirst
}

// isCode reports whether l is not a word of natural language.
func (l literal) isCode() bool {
	return looksLikeCode(l.text) || hyphenated(l.text) || strings.ContainsFunc(l.text, unicode.IsDigit)
}

// liftHolders boosts those of the candidates found by words that contain the literal as a whole word or
// have it as their name. An identifier on many lines must still rank above code that is only similar in
// meaning.
func (k *lookup) liftHolders() error {
	for _, c := range k.all {
		switch {
		case c.exact >= rank.NamedFold:
			c.lifted += foundFirst
			continue
		case c.lexical == 0:
			continue
		}
		list, err := k.in(c.path)
		if err != nil {
			return err
		}
		for _, o := range list {
			if o.fit >= wholeFold && c.start <= o.line && o.line <= c.end {
				c.lift(foundFirst, o.line)
				break
			}
		}
	}
	return nil
}

// occurrences returns the lines that contain the literal in files that pass filter, sorted by
// path. It returns only those with the best fit. rare is false if there are too many lines.
func (k *lookup) occurrences(ctx context.Context, filter l1fts.Filter) (best []occurrence, rare bool, err error) {
	most := mostHolding
	switch {
	case k.literal.said:
		most = mostHoldingSaid
	case k.literal.alone:
		most = mostHoldingAlone
	}
	files, few, err := k.service.Words(k.place.Root).Holding(ctx, k.view, k.literal.text, k.query, filter, most)
	if err != nil || !few {
		return nil, false, err
	}
	k.likelyFirst(files)
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		if len(best) > rareLines && best[0].fit == whole {
			return nil, false, nil // other files cannot change that
		}
		list, err := k.in(file.Path)
		if err != nil {
			return nil, false, err
		}
		for _, o := range list {
			o.file = file
			switch {
			case len(best) == 0 || o.fit > best[0].fit:
				best = append(best[:0], o)
			case o.fit == best[0].fit:
				best = append(best, o)
			}
		}
	}
	if len(best) > rareLines {
		return nil, false, nil
	}
	slices.SortFunc(best, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.file.Path, b.file.Path), cmp.Compare(a.line, b.line))
	})
	return best, true, nil
}

// likelyFirst moves the files with candidates by name or words to the front. If the literal is on
// too many lines to be rare, a few of these files suffice to show that, and liftHolders reads
// most of them anyway.
func (k *lookup) likelyFirst(files []l1fts.Candidate) {
	likely := map[string]bool{}
	for _, c := range k.all {
		likely[c.path] = likely[c.path] || c.lexical > 0 || c.exact >= rank.NamedFold
	}
	slices.SortStableFunc(files, func(a, b l1fts.Candidate) int {
		switch {
		case likely[a.Path] == likely[b.Path]:
			return 0
		case likely[a.Path]:
			return -1
		}
		return 1
	})
}

// occurrencesIn returns the lines of text that contain word in any case, each once, with its best
// fit.
func occurrencesIn(text []byte, word *folded, exact string) (out []occurrence) {
	line, from := 1, 0
	word.each(text, func(at int) {
		line += bytes.Count(text[from:at], []byte{'\n'})
		from = at
		f := fitAt(text, at, exact)
		if n := len(out); n > 0 && out[n-1].line == line {
			out[n-1].fit = max(out[n-1].fit, f)
		} else {
			out = append(out, occurrence{line: line, fit: f})
		}
	})
	if len(out) > 0 {
		last := code.NewLineIndex(text).Count()
		for i := range out {
			out[i].last = last
		}
	}
	return out
}

// inStrings returns the occurrences of the text said that may be in a string: a quote stands before it on the line.
func inStrings(text []byte, list []occurrence, said string) (out []occurrence) {
	index := code.NewLineIndex(text)
	for _, o := range list {
		start, end := index.Lines(o.line, o.line)
		line := text[start:end]
		at := bytes.Index(lowerASCII(line), lowerASCII([]byte(said)))
		if at >= 0 && bytes.ContainsAny(line[:at], "\"'`") {
			out = append(out, o)
		}
	}
	return out
}

// fitAt returns how exactly text[at:], which begins with word in any case, matches it.
func fitAt(text []byte, at int, word string) fit {
	end := at + len(word)
	switch {
	case at > 0 && symbols.WordByte(text[at-1]) && symbols.WordByte(text[at]),
		end < len(text) && symbols.WordByte(text[end]) && symbols.WordByte(text[end-1]):
		return inWord
	case at > 1 && text[at-1] == '-' && symbols.WordByte(text[at-2]),
		end+1 < len(text) && text[end] == '-' && symbols.WordByte(text[end+1]):
		return inName
	case string(text[at:end]) == word:
		return whole
	}
	return wholeFold
}

// aroundLine is the number of lines before and after an occurrence in its result.
const aroundLine = 2

// lift boosts c for a literal on one of its lines.
func (c *candidate) lift(by float64, line int) {
	if c.lifted += by; c.focus == 0 {
		c.focus = line
	}
	c.note("exact")
}

// candidateAt returns the candidate that contains an occurrence: the symbol around the line, or
// else a part of the file. It adds the candidate if it is new.
func (p *pool) candidateAt(rows []l2meta.Row, o occurrence) *candidate {
	owner := symbols.OwnerOf(rows, o.line)
	key := candidateKey{file: o.file.FileID, symbol: -1}
	c := &candidate{fileID: o.file.FileID, path: o.file.Path, language: o.file.Language, class: o.file.Class,
		symbol: -1, chunks: 1, start: max(o.line-aroundLine, 1), end: min(o.line+aroundLine, o.last)}
	switch {
	case p.req.GroupBy == contract.GroupByFile:
	case owner >= 0:
		if member := memberAt(p.all, o, rows[owner].Symbol.Span.Lines()); member != nil {
			return member
		}
		row := &rows[owner]
		key.symbol, c.symbol, c.row = row.Index, row.Index, row
		c.start, c.end = max(c.start, row.Symbol.Span.StartLine), min(c.end, row.Symbol.Span.EndLine)
	default:
		if part := partAt(p.all, o); part != nil {
			return part
		}
		key.start = c.start
	}
	if old := p.all[key]; old != nil {
		if o.line < old.start || o.line > old.end {
			old.start, old.end = c.start, c.end
		}
		return old
	}
	p.all[key] = c
	return c
}

// declarer returns the candidate that is named l and whose declaration is the occurrence o, or
// nil. o is the declaration if it is the first one in found that is in the candidate's span. The
// innermost symbol on that line may be another one: in class Filter(val query: String), the
// candidate is the property query, not the parameter.
func declarer(all map[candidateKey]*candidate, l literal, o occurrence, found []occurrence) (best *candidate) {
	for _, c := range all {
		if c.fileID != o.file.FileID || c.row == nil || c.exact < rank.NamedSame || c.row.Symbol.Name != l.text {
			continue
		}
		span := c.row.Symbol.Span
		inside := func(f occurrence) bool {
			return f.file.FileID == o.file.FileID && span.StartLine <= f.line && f.line <= span.EndLine
		}
		at := slices.IndexFunc(found, inside)
		if at >= 0 && found[at].line == o.line && (best == nil || c.symbol < best.symbol) {
			best = c
		}
	}
	return best
}

// memberAt returns the smallest candidate symbol whose chunk contains the line of an occurrence, or nil.
// The chunk must have fewer lines than the innermost symbol around that line, which has the given number
// of lines. For a line in the comment above a method, that symbol is the class, while the chunk is the
// method's.
func memberAt(all map[candidateKey]*candidate, o occurrence, lines int) (member *candidate) {
	order := func(c *candidate) int { return c.end - c.start }
	for _, c := range all {
		if c.fileID != o.file.FileID || c.symbol < 0 || o.line < c.start || c.end < o.line || order(c)+1 >= lines {
			continue
		}
		if member == nil || cmp.Or(cmp.Compare(order(c), order(member)), cmp.Compare(c.symbol, member.symbol)) < 0 {
			member = c
		}
	}
	return member
}

// partAt returns the first part of a file outside of symbols that contains the line of an
// occurrence, or nil. Of two that begin there it is the file as a whole, which the query names.
func partAt(all map[candidateKey]*candidate, o occurrence) (part *candidate) {
	var at candidateKey
	for key, c := range all {
		if c.fileID == o.file.FileID && c.symbol < 0 && c.start <= o.line && o.line <= c.end &&
			(part == nil || cmp.Or(cmp.Compare(c.start, part.start), cmp.Compare(key.start, at.start)) < 0) {
			part, at = c, key
		}
	}
	return part
}
