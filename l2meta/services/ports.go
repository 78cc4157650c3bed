package services

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
)

// A program without a deployment manifest listens at the port in its code: app.listen(3000), app.run(port=5001),
// http.ListenAndServe(":8081", nil). Other programs on the developer's machine call it there.

// Listens describes a call that listens at a port. The port is the argument called Name, or else the one at Index.
type Listens struct {
	Callee string
	Index  int // index of the argument, -1 for none
	Name   string
}

// keepPort records the port at which a call listens.
func (r *Reader) keepPort(c *code.Call, l *Idioms) {
	i := slices.IndexFunc(l.Listens, func(s Listens) bool { return s.Callee == c.Callee })
	if i < 0 || !r.Look() {
		return
	}
	args := r.Arguments(c)
	expr := folding.Keyword(args, l.Listens[i].Name)
	if n := l.Listens[i].Index; expr == "" && n >= 0 && n < len(args) {
		expr = args[n]
	}
	if object := folding.Property(expr, "port"); object != "" {
		expr = object
	}
	if expr == "" || folding.IsFunction(expr) {
		return
	}
	written := expr
	if folding.IsPlain(expr) {
		if value, _ := r.Lookup(folding.LastWord(expr), c.NameSpan.StartByte); value != "" {
			written = value
		}
	}
	text := r.Fold(expr, c.NameSpan.StartByte)
	if m := numeric.FindStringSubmatch(written); m != nil {
		text = m[1]
	}
	if port := PortOf(text); port != "" {
		r.Add(code.Fact{Kind: code.FactEndpoint, Owner: c.Caller, Name: l2meta.RoleHost, Type: "port " + port,
			Span: c.NameSpan})
	}
}

// Listening records that the program listens at the port in an expression of a call.
func (r *Reader) Listening(c *code.Call, expr string) {
	if port := PortOf(strings.Trim(r.Fold(strings.Trim(expr, `"`), c.NameSpan.StartByte), "{")); port != "" {
		r.Add(code.Fact{Kind: code.FactEndpoint, Owner: c.Caller, Name: l2meta.RoleHost, Type: "port " + port,
			Span: c.NameSpan})
	}
}

// numeric matches a number that may be the default of a setting: process.env.PORT || 3000, int(os.getenv("PORT",
// 5001)).
var numeric = regexp.MustCompile(`^(?:.*(?:\|\||\?\?|,)\s*["']?)?(\d{2,5})["']?\s*\)*$`)

// PortOf returns the port at the end of an address to listen at, which may be the default of a setting: ":8080",
// "0.0.0.0:8080", "{env:PORT|8080}". It returns "" if there is none.
func PortOf(text string) string {
	text = strings.TrimSuffix(text, "}")
	at := len(text)
	for at > 0 && text[at-1] >= '0' && text[at-1] <= '9' {
		at--
	}
	port := text[at:]
	if n, err := strconv.Atoi(port); err != nil || n < minPort || n > maxPort ||
		at > 0 && strings.IndexByte(":|A", text[at-1]) < 0 { // %3A is an escaped colon in a default
		return ""
	}
	return port
}

// minPort and maxPort are the least and the largest port that are recorded.
const (
	minPort = 80
	maxPort = 65535
)
