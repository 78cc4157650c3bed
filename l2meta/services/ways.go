package services

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// ways calls visit once for each combination of branches that the conditions in the folded
// expressions may take, and at least once. Facts that were recorded before the conditions were known
// are dropped.
func (r *Reader) ways(visit func()) {
	before := len(r.out)
	if r.Folder.Ways(visit, func() { r.out = r.out[:before] }) {
		r.dropTwins(before)
	}
}

// Requested records a request whose HTTP method may be in a variable.
func (r *Reader) Requested(c *code.Call, x Request) { r.requestWays(c, x) }

// requestWays records a request once for each of its possible URLs and methods. In a loop over addresses, it records
// one for each address.
func (r *Reader) requestWays(c *code.Call, x Request) {
	before := len(r.out)
	r.Folder.EachItem(x.URL, c.NameSpan.StartByte, func() { r.requestWay(c, x) })
	r.dropTwins(before)
}

func (r *Reader) requestWay(c *code.Call, x Request) {
	r.ways(func() {
		if x.Choice == "" {
			r.request(c, x)
			return
		}
		url := r.Fold(x.URL, c.NameSpan.StartByte)
		methods, paired := r.Folder.MethodsOf(x.Choice, c.NameSpan.StartByte)
		if len(methods) == 0 {
			methods = []string{x.Method}
		} else if r.Folder.Branching() && !paired {
			methods = r.likely(methods, url)
		}
		y := x
		for _, m := range methods {
			y.Method = m
			r.request(c, y)
		}
	})
}

// likely guesses the method of a request with a known URL, if the call chooses between two
// methods by a condition that does not choose the URL. An update goes to a path that ends in the
// name of an object, /people/{id}; a creation does not. It returns an empty method if that does
// not decide.
func (r *Reader) likely(methods []string, url string) []string {
	named := strings.HasSuffix(folding.CleanURL(url), "}")
	for _, m := range methods {
		if len(methods) == 2 && slices.Contains(methods, "POST") && (m == "POST") != named {
			return []string{m}
		}
	}
	return []string{""}
}

// dropTwins removes repeated facts from r.out, starting at the index from.
func (r *Reader) dropTwins(from int) {
	seen := map[string]bool{}
	r.out = append(r.out[:from], slices.DeleteFunc(r.out[from:], func(f code.Fact) bool {
		twin := seen[f.Name+f.Type]
		seen[f.Name+f.Type] = true
		return twin
	})...)
}

// Forms of a page can only be sent by GET or POST, and bodies of several parts are read of a POST alone. So frameworks
// take the field _method of a POST as its method.

// methodField matches the field of a form that overrides the method of its request: data.append('_method', 'PATCH'),
// {_method: "PUT"}, ['name' => '_method', 'contents' => 'PATCH'], /items?_method=DELETE.
var methodField = regexp.MustCompile(`\b_method(?:=|["']?\]?\s*(?:,|:|=>|=)\s*` +
	`(?:["']?(?:contents|value)["']?\s*(?:=>|:)\s*)?["'])(?i:(PUT|PATCH|DELETE))\b`)

// overridden returns the method with which a server handles a POST whose form overrides it, "" if it does not. The
// field is set in the call itself or above it, in a function around the call, with no other POST in between.
func (r *Reader) overridden(c *code.Call) (method string) {
	if !r.Mentions("_method") {
		return ""
	}
	start, around := 0, r.Around(c.NameSpan.StartByte)
	for at := around; at >= 0; at = r.File.Symbols[at].Parent {
		start = r.File.Symbols[at].Span.StartByte
	}
	for _, m := range r.Matches(methodField, start, c.Span.EndByte) {
		if m[0] > c.NameSpan.StartByte ||
			r.IsAround(r.Around(m[0]), around) && !r.postsBetween(m[1], c.NameSpan.StartByte) {
			method = strings.ToUpper(r.Text[m[2]:m[3]])
		}
	}
	return method
}

// postsBetween reports whether a call between two byte offsets is named like a POST.
func (r *Reader) postsBetween(from, to int) bool {
	for i := range r.File.Calls {
		if at := r.File.Calls[i].NameSpan.StartByte; from < at && at < to && Verb(r.File.Calls[i].Callee) == "POST" {
			return true
		}
	}
	return false
}
