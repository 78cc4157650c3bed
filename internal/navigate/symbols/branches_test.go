package symbols

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
)

func TestExcerptKeepsBranches(t *testing.T) {
	for _, test := range []struct{ name, text, hit, want string }{
		{"braces", `
func f(x int) {
	if x > 0 {
		for i := range x {
			// if a comment opened a branch
			log(i)

			retry(i)
		}
	} else if x < 0 {
		log(x)
		drop()
	} else {
		retry(x)
	}
	done()
}`, "retry", "2 3 4 8 13 14"},
		{"layout", `
@task
def f(self):
    try:
        self.run()
    except OSError:
        self.log()
        self.retry()
    return 1`, "retry", "2 3 4 6 8"},
		{"switch", `
func f(x int) {
	switch x {
	case 1:
		a()
	case 2:
		retry()
	}
}`, "retry", "2 3 6 7"},
		{"a call over lines", `
function f() {
  return send(
    url,
    token,
  )
}`, "token", "2 3 5"},
		{"a signature over lines", `
class C {
  f(
    url: string,
  ): void {
    if (url) {
      retry();
    }
  }
}`, "retry", "2 3 6 7"},
		{"brackets of their own", `
void f()
{
  if (x)
  {
    a();
  }
  else
  {
    retry();
  }
}`, "retry", "2 4 8 10"},
	} {
		text := []byte(test.text)
		lines := code.NewLineIndex(text)
		span := contract.LineSpan{StartLine: 2, EndLine: lines.Count()}
		x := NewExcerpt(text, lines, span, HeadLine(text, lines, span, "f("))
		for i, line := range strings.Split(test.text, "\n") {
			if strings.Contains(line, test.hit) {
				x.Add(i+1, 100)
			}
		}
		var got []string
		for _, l := range x.Lines() {
			got = append(got, fmt.Sprint(l.Line))
		}
		if g := strings.Join(got, " "); g != test.want {
			t.Errorf("%s: lines %s, want %s", test.name, g, test.want)
		}
	}
}

func TestExcerptIsBounded(t *testing.T) {
	text := []byte("def f():\n  a()\n  if x:\n    b()\n  c()\n")
	x := NewExcerpt(text, code.NewLineIndex(text), contract.LineSpan{StartLine: 1, EndLine: 5}, 1)
	x.Add(4, 2) // needs the branch as well
	x.Add(9, 9)
	if x.Len() != 1 {
		t.Errorf("%d lines: %+v", x.Len(), x.Lines())
	}
	if x.Add(5, 2); x.Len() != 2 {
		t.Errorf("%d lines: %+v", x.Len(), x.Lines())
	}
}
