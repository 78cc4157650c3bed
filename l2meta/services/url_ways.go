package services

import (
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
)

// A request may choose its path and its method: a form that saves sends a PUT to
// "/people/" + id where there is an id, and a POST to "/people" else. Each way is a
// request of its own at the same place.

const (
	maxChoices = 2 // of one expression, that are told apart
	maxMethods = 3 // that a variable is given
)

// ways calls visit for each way to choose between the texts of what it folds, at least
// once. While it does so, what is folded takes that way. What visit kept before it was
// known that there are several is dropped.
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

// chosen returns the text of a choice between two that the way through it takes; ok is
// false where none is taken. The first of two names is as good as the other.
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

// when returns which parameters of the function around a place are true or false on the
// way that is taken: "2=true,5=false"; "" where it depends on none.
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

// isHole reports whether a text is one hole.
func isHole(text string) bool {
	return len(text) > 2 && text[0] == '{' && strings.IndexByte(text, '}') == len(text)-1
}

// conditionOf returns the condition of c ? a : b and of a if c else b, "" for others.
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

// methodsOf returns the methods that an expression comes to on the way that is taken, and
// whether that says which of them it is: one of c ? 'PUT' : 'POST', all that a variable is
// given at a place.
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

// requestWays keeps a request on each way that its URL and its method may take.
func (r *Reader) requestWays(c *code.Call, x Request) {
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

// likely returns the method that a way is likely to mean of those that the call chooses
// from by another condition: one that changes goes to a path that ends in a name of what
// it changes, one that creates does not. It returns none where that tells nothing.
func (r *Reader) likely(methods []string, url string) []string {
	named := strings.HasSuffix(CleanURL(url), "}")
	for _, m := range methods {
		if len(methods) == 2 && slices.Contains(methods, "POST") && (m == "POST") != named {
			return []string{m}
		}
	}
	return []string{""}
}

// dropTwins keeps one of each of the facts that were kept from an index on.
func (r *Reader) dropTwins(from int) {
	seen := map[string]bool{}
	r.out = append(r.out[:from], slices.DeleteFunc(r.out[from:], func(f code.Fact) bool {
		twin := seen[f.Name+f.Type]
		seen[f.Name+f.Type] = true
		return twin
	})...)
}
