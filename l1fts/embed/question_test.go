package embed

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestQuestionHeld checks that a text with the question's own words contains
// all of it, one with other words a part of it, and one about another subject
// less.
func TestQuestionHeld(t *testing.T) {
	q := Ask("remove expired entries from the cache")
	same := q.Held(Document{Name: "removeExpired", Path: "cache.go", Body: "// remove expired entries from the cache"})
	other := q.Held(Document{Name: "evict", Path: "store.go",
		Body: "for k, v := range s.items { if v.deadline.Before(now) { delete(s.items, k) } }"})
	foreign := q.Held(Document{Name: "drawCircle", Path: "canvas.go", Body: "ctx.arc(x, y, radius, 0, 2*math.Pi)"})
	if math.Abs(same-1) > 1e-6 {
		t.Errorf("its own words: %f", same)
	}
	if !(same > other && other > foreign && foreign >= 0) {
		t.Errorf("same %f, other %f, foreign %f", same, other, foreign)
	}
	if again := q.Held(Document{Name: "evict", Path: "store.go",
		Body: "for k, v := range s.items { if v.deadline.Before(now) { delete(s.items, k) } }"}); again != other {
		t.Errorf("%f, and then %f", other, again)
	}
}

// TestQuestionHeldInEachField checks that each field counts, and that a word
// outside the table matches itself.
func TestQuestionHeldInEachField(t *testing.T) {
	q := Ask("qzxvblorp")
	for name, d := range map[string]Document{
		"name": {Name: "QzxvBlorp qzxvblorp"}, "signature": {Signature: "func (q qzxvblorp) f()"},
		"path": {Path: "a/qzxvblorp.go"}, "body": {Body: "return qzxvblorp(1)"},
	} {
		if held := q.Held(d); math.Abs(held-1) > 1e-6 {
			t.Errorf("%s: %f", name, held)
		}
	}
	if held := q.Held(Document{}); held != 0 {
		t.Errorf("nothing holds %f of it", held)
	}
	if held := Ask("… ?").Held(Document{Body: "anything"}); held != 0 {
		t.Errorf("a question without words: %f", held)
	}
}

// BenchmarkQuestion compares one question with the documents of
// BenchmarkDocuments.
func BenchmarkQuestion(b *testing.B) {
	docs, _ := ownDocuments(b)
	for b.Loop() {
		q := Ask("where are connections closed when they have been idle for long")
		for i := range docs {
			q.Held(docs[i])
		}
	}
	b.ReportMetric(float64(len(docs)*b.N)/b.Elapsed().Seconds(), "docs/s")
}

// TestQuestionIsBounded checks that a long question has a bounded number of
// rows.
func TestQuestionIsBounded(t *testing.T) {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "qz%dx%d ", i, i*i)
	}
	q := Ask(text.String())
	if len(q.rows) != mostRows {
		t.Errorf("%d rows", len(q.rows))
	}
	seen := map[int32]bool{}
	sum := 0.0
	for i, row := range q.rows {
		if seen[row] {
			t.Errorf("row %d is there twice", row)
		}
		seen[row] = true
		sum += q.weights[i]
	}
	if math.Abs(sum-1) > 1e-6 {
		t.Errorf("weights add up to %f", sum)
	}
}
