package l1fts

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestMatchingEndsWithItsCaller checks that a match that takes minutes ends within a line when its context does, and
// that nothing is then said about the line.
func TestMatchingEndsWithItsCaller(t *testing.T) {
	line := []byte(strings.Repeat("abcdefgh ", 400_000))
	for _, source := range []string{`(.{0,900}q)+$`, `((((a*)*b*)*c*)*d*)*\d$`, `(\w+\s?)*;$`} {
		q, err := Parse("regex:" + source)
		if err != nil {
			t.Fatal(err)
		}
		ctx := &ending{Context: t.Context(), after: 2}
		if _, ok, err := q.Matcher().MatchLines(ctx, line); ok || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: matches %v, %v; want no answer", source, ok, err)
		}
		if ctx.asked > 8 {
			t.Errorf("%s: goes on after its caller gave up: asked %d times", source, ctx.asked)
		}
	}
	q, err := Parse(`regex:(.{0,900}q)+`)
	if err != nil {
		t.Fatal(err)
	}
	if at := q.Matcher().First(&ending{Context: t.Context()}, append(line, 'q')); at != 0 {
		t.Errorf("the first match is at %d, although the caller gave up", at)
	}
}

// ending is a context that ends after a number of calls of Err.
type ending struct {
	context.Context
	after, asked int
}

func (c *ending) Err() error {
	if c.asked++; c.asked > c.after {
		return context.Canceled
	}
	return nil
}

// TestInterruptedMatchesAgree checks that matches that can be interrupted are those of the engine.
func TestInterruptedMatchesAgree(t *testing.T) {
	for _, source := range []string{`a`, `^a`, `a$`, `\bfoo\b`, `(?i)straße`, `x.?y`, `(ab|ba)+$`, `^$`, `[^a]b`, `\Bo`,
		`(a*)*b`, `a+?b`, `\x{fffd}`} {
		e, err := compile(source)
		if err != nil {
			t.Fatal(err)
		}
		slow := e
		slow.steps = maxSteps
		for _, line := range []string{"", "a", "ba", "ab", "a foo b", "afoo foo", "STRASSE Straße", "x\xffy", "xéy", "\xff",
			"aab", "ba\r", "foo"} {
			want := -1
			if at := e.FindIndex([]byte(line)); at != nil {
				want = at[0]
			}
			text := []byte(line)
			if at, in := slow.find(t.Context(), text), slow.in(t.Context(), text); at != want || in != (want >= 0) {
				t.Errorf("%s in %q: at %d, found %v; want %d", source, line, at, in, want)
			}
		}
	}
}
