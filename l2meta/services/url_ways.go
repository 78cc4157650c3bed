package services

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
)

// One call may make different requests. A form that saves a person sends a PUT to "/people/" + id
// if there is an id, and a POST to "/people" if not. Each of these requests is recorded separately,
// at the same position.

const (
	maxChoices = 2 // largest number of conditions in one expression that are distinguished
	maxMethods = 3 // largest number of methods assigned to one variable
)

// ways calls visit once for each combination of branches that the conditions in the folded
// expressions may take, and at least once. During a call, folding takes the branches of that
// combination. Facts that were recorded before the conditions were known are dropped.
func (r *Reader) ways(visit func()) {
	d, before := r.fold, len(r.out)
	d.choosing, d.taken, d.open = true, nil, nil
	visit()
	if open := d.open; len(open) > 0 {
		r.out = r.out[:before]
		for n := range 1 << len(open) {
			d.open, d.taken = open, map[string]bool{}
			for i, condition := range open {
				d.taken[condition] = n>>i&1 == 0
			}
			visit()
		}
		r.dropTwins(before)
	}
	d.choosing, d.taken, d.open = false, nil, nil
}

// chosen returns the branch of a conditional expression for the current combination of branches
// (see ways): first or second, which are the folded branches. If both are holes, it returns
// first. ok is false if the branches are not distinguished.
func (d *folder) chosen(expr, first, second string) (text string, ok bool) {
	if isHole(first) && isHole(second) {
		return first, true
	}
	condition := conditionOf(expr)
	if !d.choosing || condition == "" || strings.ContainsAny(first+second, " \n\t") {
		return "", false
	}
	way, known := d.taken[condition]
	if !known {
		if len(d.open) == maxChoices {
			return "", false
		}
		d.open = append(d.open, condition)
		if d.taken == nil {
			d.taken = map[string]bool{}
		}
		d.taken[condition], way = true, true
	}
	if way {
		return first, true
	}
	return second, true
}

// when returns the values that boolean parameters of the function around a byte offset must have for the branches
// currently taken: "2=true,5=false", by their positions. It returns "" if there are no such parameters.
func (d *folder) when(at int) string {
	var out []string
	for _, condition := range d.open {
		name, not := strings.CutPrefix(condition, "!")
		if p := d.parameter(name, at); p != "" && !strings.Contains(p, ".") {
			out = append(out, p+"="+strconv.FormatBool(d.taken[condition] != not))
		}
	}
	return strings.Join(out, ",")
}

// isHole reports whether a text is nothing but one unknown part in braces: {base}.
func isHole(text string) bool {
	return len(text) > 2 && text[0] == '{' && strings.IndexByte(text, '}') == len(text)-1
}

// conditionOf returns the condition c of c ? a : b and of a if c else b, "" for any other expression.
func conditionOf(expr string) string {
	if i := outside(expr, "?"); i > 0 {
		return bare(expr[:i])
	}
	if i := outside(expr, " if "); i > 0 {
		rest := expr[i+len(" if "):]
		if j := outside(rest, " else "); j > 0 {
			return bare(rest[:j])
		}
	}
	return ""
}

// methodsOf returns the HTTP methods that an expression may have as its value: one branch of c ?
// 'PUT' : 'POST', or all values of a variable. paired reports whether the condition for the
// method also chooses the URL, so that only one method remains.
func (r *Reader) methodsOf(expr string, at int) (methods []string, paired bool) {
	if a, b, ok := branches(expr); ok {
		way, known := r.fold.taken[conditionOf(expr)]
		first, second := MethodOf(Unquoted(a)), MethodOf(Unquoted(b))
		switch {
		case first == "" || second == "":
			return nil, false
		case known && way:
			return []string{first}, true
		case known:
			return []string{second}, true
		}
		return []string{first, second}, false
	}
	if !identifier.MatchString(expr) || r.fold.parameter(expr, at) != "" {
		return nil, false
	}
	for _, def := range r.fold.defined(expr, at) {
		value := r.fold.written(def)
		if _, _, ok := branches(value); ok {
			return r.methodsOf(value, at)
		}
		m := MethodOf(Unquoted(value))
		if m == "" || len(methods) == maxMethods {
			return nil, false
		}
		if !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	return methods, false
}

// Requested records a request whose HTTP method may be in a variable.
func (r *Reader) Requested(c *code.Call, x Request) { r.requestWays(c, x) }

// requestWays records a request once for each of its possible URLs and methods. In a loop over addresses, it records
// one for each address.
func (r *Reader) requestWays(c *code.Call, x Request) {
	before := len(r.out)
	r.eachItem(x.URL, c.NameSpan.StartByte, func() { r.requestWay(c, x) })
	r.dropTwins(before)
}

func (r *Reader) requestWay(c *code.Call, x Request) {
	r.ways(func() {
		if x.Choice == "" {
			r.request(c, x)
			return
		}
		url := r.Fold(x.URL, c.NameSpan.StartByte)
		methods, paired := r.methodsOf(x.Choice, c.NameSpan.StartByte)
		if len(methods) == 0 {
			methods = []string{x.Method}
		} else if len(r.fold.taken) > 0 && !paired {
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
	named := strings.HasSuffix(CleanURL(url), "}")
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
