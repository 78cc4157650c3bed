package folding

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// One call may make different requests. A form that saves a person sends a PUT to "/people/" + id
// if there is an id, and a POST to "/people" if not. Each of these requests is recorded separately,
// at the same position.

const (
	maxChoices = 2 // largest number of conditions in one expression that are distinguished
	maxMethods = 3 // largest number of methods assigned to one variable
)

// Ways calls visit once for each combination of branches that the conditions in the folded
// expressions may take, and at least once. During a call, folding takes the branches of that
// combination. If there are conditions, ways calls forget after the first call, in which they were
// not known yet, and returns true.
func (d *Folder) Ways(visit, forget func()) bool {
	d.choosing, d.taken, d.open = true, nil, nil
	visit()
	open := d.open
	if len(open) > 0 {
		forget()
		for n := range 1 << len(open) {
			d.open, d.taken = open, map[string]bool{}
			for i, condition := range open {
				d.taken[condition] = n>>i&1 == 0
			}
			visit()
		}
	}
	d.choosing, d.taken, d.open = false, nil, nil
	return len(open) > 0
}

// Branching reports whether the current combination of branches has any; see Ways.
func (d *Folder) Branching() bool { return len(d.taken) > 0 }

// chosen returns the branch of a conditional expression for the current combination of branches
// (see Ways): first or second, which are the folded branches. If both are holes, it returns
// first. ok is false if the branches are not distinguished.
func (d *Folder) chosen(expr, first, second string) (text string, ok bool) {
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

// When returns the values that boolean parameters of the function around a byte offset must have for the branches
// currently taken: "2=true,5=false", by their positions. It returns "" if there are no such parameters.
func (d *Folder) When(at int) string {
	var out []string
	for _, condition := range d.open {
		name, not := strings.CutPrefix(condition, "!")
		if p := d.Parameter(name, at); p != "" && !strings.Contains(p, ".") {
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

// MethodsOf returns the HTTP methods that an expression may have as its value: one branch of c ?
// 'PUT' : 'POST', or all values of a variable. paired reports whether the condition for the
// method also chooses the URL, so that only one method remains.
func (d *Folder) MethodsOf(expr string, at int) (methods []string, paired bool) {
	if a, b, ok := branches(expr); ok {
		way, known := d.taken[conditionOf(expr)]
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
	if part, _ := d.partOfParameter(expr, at); part != "" || !Identifier.MatchString(expr) || d.Parameter(expr, at) != "" {
		return nil, false
	}
	for _, def := range d.Defined(expr, at) {
		value := cmp.Or(d.defaultedTo(def), d.written(def))
		if _, _, ok := branches(value); ok {
			return d.MethodsOf(value, at)
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
