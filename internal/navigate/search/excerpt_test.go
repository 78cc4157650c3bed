package search

import (
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/l1fts"
	"sextant/l2meta"
)

// TestExcerptLines checks how many lines the results of a question show: most of the first ones, and the
// declaration of a function whose body has no word of the question.
func TestExcerptLines(t *testing.T) {
	const text = `func drop(list []Token,
	now time.Time) {
	a()
	b()
	c(list) // tokens past their deadline
	d()
	e()
	f()
	g()
	h()
}
`
	f := &shownFile{text: []byte(text), lines: code.NewLineIndex([]byte(text))}
	row := &l2meta.Row{Symbol: code.Symbol{QualifiedName: "drop", Span: code.Span{StartLine: 1, EndLine: 11}}}
	c := &candidate{row: row, start: 1, end: 11}
	for _, question := range []struct {
		words string
		index int
		from  int // cursor of the page
		lines int
		first string
	}{
		{"past the deadline", 0, 0, 11, "func drop(list []Token,"}, // whole
		{"past the deadline", 3, 0, 3, "c(list)"},
		{"past the deadline", leading, 0, 1, "c(list)"},
		{"past the deadline", leading, 10, 1, "c(list)"},
		{"nothing like it", 3, 0, 3, "func drop(list []Token,"},
		{"nothing like it", leading, 0, 1, ""}, // the heading says as much
		{"nothing like it", leading, 10, 1, "func drop(list []Token,"},
	} {
		d := &drawing{search: &search{req: &contract.SearchRequest{}, answer: &contract.SearchAnswer{From: question.from},
			terms: terms{list: queryTerms(question.words)}}}
		d.query.Text = question.words
		got, at := d.excerpt(f, c, question.index)
		if n := at.EndLine - at.StartLine + 1; n != question.lines ||
			!strings.HasPrefix(strings.TrimSpace(got), question.first) || (got == "") != (question.first == "") {
			t.Errorf("%q, result %d: lines %d to %d, %q", question.words, question.index, at.StartLine, at.EndLine, got)
		}
	}
}

// TestExcerptSaysMore checks that a line whose words of the query are in the name of the symbol, or in every
// other chunk, is no excerpt: the declaration says more. It is not the line of a comment or an annotation.
func TestExcerptSaysMore(t *testing.T) {
	const text = `/**
 * @author someone
 */
@Bean
public Seat createSeat(String train,
	Date day) {
	check(train);
	check(day);
	seat.save();
	log(train);
	return seat;
}
`
	f := &shownFile{text: []byte(text), lines: code.NewLineIndex([]byte(text))}
	name := strings.Index(text, "createSeat")
	row := &l2meta.Row{Symbol: code.Symbol{QualifiedName: "Seats.createSeat", Span: code.Span{StartLine: 1, EndLine: 12},
		NameSpan: code.Span{StartByte: name, EndByte: name + len("createSeat")}}}
	for _, c := range []struct {
		words string
		index int
		start int // of the chunk
		first string
	}{
		{"create seat returns forbidden", leading, 1, ""},
		{"create seat returns forbidden", 3, 1, "public Seat createSeat("},
		{"create seat with a log", leading, 1, "log(train);"},
		{"create seat by its author", leading, 1, "* @author someone"}, // a comment with a word that is neither
		{"create seat returns forbidden", leading, 7, "seat.save();"},  // a later chunk lacks the declaration
		{"anything else", 3, 1, "public Seat createSeat("},
		{"create seat returns forbidden", 3, 12, "public Seat createSeat("}, // a chunk of the last brace
	} {
		d := &drawing{search: &search{req: &contract.SearchRequest{}, answer: &contract.SearchAnswer{},
			terms: terms{list: queryTerms(c.words)}}}
		d.query.Text = c.words
		if at := slices.Index(d.terms.list, "return"); at >= 0 {
			d.terms.usual = 1 << at
		}
		got, _ := d.excerpt(f, &candidate{row: row, start: c.start, end: 12}, c.index)
		if !strings.HasPrefix(strings.TrimSpace(got), c.first) || (got == "") != (c.first == "") {
			t.Errorf("%q, result %d: %q", c.words, c.index, got)
		}
	}
}

// TestUsualTerms checks which terms are usual: those of more than one in usualShare chunks, and keywords.
func TestUsualTerms(t *testing.T) {
	w := terms{list: queryTerms("seats orders rarely returned by classes")}
	w.weigh(l1fts.Stats{Chunks: 1000, Terms: []l1fts.Term{{Word: "seats", Frequency: 400},
		{Word: "orders", Frequency: 1000 / usualShare}, {Word: "rarely", Frequency: 2},
		{Word: "returned", Frequency: 2}, {Word: "classes", Frequency: 2}}})
	if w.usual != 0b11001 {
		t.Errorf("usual terms %b of %q, want the first and the last two", w.usual, w.list)
	}
}

// TestStoppedTerms checks that a word which the text index leaves out does not count as a word of the query that no
// chunk has, unless there are no others.
func TestStoppedTerms(t *testing.T) {
	w := terms{list: queryTerms("path not specified")}
	w.weigh(l1fts.Stats{Chunks: 1000, Terms: []l1fts.Term{{Word: "path", Frequency: 10},
		{Word: "specified", Frequency: 2}}})
	if w.unknown || w.rarity[1] != 0 || w.share("not at all") != 0 || w.rarity[2] < w.rarity[0] {
		t.Errorf("%q: shares %v, unknown %t", w.list, w.rarity, w.unknown)
	}
	w = terms{list: queryTerms("until")}
	if w.weigh(l1fts.Stats{Chunks: 1000}); w.rarity[0] != 1 {
		t.Errorf("a stop word alone has the share %v", w.rarity[0])
	}
}

// TestWindowOfUsualWords checks that words which many chunks have choose between windows that are equal without them.
func TestWindowOfUsualWords(t *testing.T) {
	const text = "// MaxKeySize is the maximum length of a key, in bytes.\nMaxKeySize = 32768\n" +
		"// MaxValueSize is the maximum length of a value, in bytes.\nMaxValueSize = 1 << 31\n"
	w := terms{list: queryTerms("maximum length of a value in bytes")}
	w.weigh(l1fts.Stats{Chunks: 1000, Terms: []l1fts.Term{{Word: "maximum", Frequency: 2},
		{Word: "length", Frequency: 3}, {Word: "value", Frequency: 400}, {Word: "bytes", Frequency: 300}}})
	f := &shownFile{text: []byte(text), lines: code.NewLineIndex([]byte(text))}
	if at := w.decisive(f, 1, 4, 1, ""); at.StartLine != 3 {
		t.Errorf("the excerpt is line %d", at.StartLine)
	}
}

// TestTooLate checks that the answer to a search whose time was over names what helps: a repetition, or for an
// expression, less to match.
func TestTooLate(t *testing.T) {
	for query, want := range map[string]string{
		"parse url":             "Repeat the call",
		"must:TODO":             "Repeat the call",
		`regex:(a*)*b`:          "add must:",
		`lang:go regex:x+ text`: "add must:",
		"lang:nothing":          "Repeat the call",
	} {
		o := tooLate(query, contract.AnswerLimit)
		if o.Reason != contract.ReasonDeadline || !strings.Contains(o.Message, want) ||
			!strings.HasPrefix(o.Message, "search_codebase was not ready within 30s. ") {
			t.Errorf("%s: %+v", query, o)
		}
	}
}
