package services

import (
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
	if r.fold.Ways(visit, func() { r.out = r.out[:before] }) {
		r.dropTwins(before)
	}
}

// Requested records a request whose HTTP method may be in a variable.
func (r *Reader) Requested(c *code.Call, x Request) { r.requestWays(c, x) }

// requestWays records a request once for each of its possible URLs and methods. In a loop over addresses, it records
// one for each address.
func (r *Reader) requestWays(c *code.Call, x Request) {
	before := len(r.out)
	r.fold.EachItem(x.URL, c.NameSpan.StartByte, func() { r.requestWay(c, x) })
	r.dropTwins(before)
}

func (r *Reader) requestWay(c *code.Call, x Request) {
	r.ways(func() {
		if x.Choice == "" {
			r.request(c, x)
			return
		}
		url := r.Fold(x.URL, c.NameSpan.StartByte)
		methods, paired := r.fold.MethodsOf(x.Choice, c.NameSpan.StartByte)
		if len(methods) == 0 {
			methods = []string{x.Method}
		} else if r.fold.Branching() && !paired {
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
