package search

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/l1fts"
	"sextant/l2meta"
)

// ParseQuery parses the query of search_codebase. It replaces alternative language names (golang)
// by those that answers use. The error is an *InvalidArguments.
func ParseQuery(text string) (l1fts.Query, error) {
	query, err := l1fts.Parse(text)
	if err != nil {
		return query, badQuery(strings.TrimPrefix(err.Error(), "query: "))
	}
	for i, name := range query.Langs {
		known, ok := l2meta.LanguageNamed(name)
		if !ok {
			return query, badQuery(fmt.Sprintf(
				"lang:%s is no language that is known; one of %s was expected, as in lang:go",
				contract.Clip(name), strings.Join(l2meta.Languages(), ", ")))
		}
		query.Langs[i] = known
	}
	return query, nil
}

func badQuery(message string) error {
	return &contract.InvalidArguments{Tool: contract.ToolSearch,
		Problems: []contract.Problem{{Field: "query", Message: message}}}
}

// warnUncounted adds a warning if the caller wants matches counted and the query ranks results,
// which cannot be counted.
func (r *search) warnUncounted() {
	if r.req.CountOnly && !r.query.Exhaustive() {
		r.answer.Warnings.Add(contract.Warning{Code: "ARGUMENT_CLAMPED", Severity: contract.SeverityInfo,
			Message: "only the matches of must:, regex:, annotation: and the like are counted, and ranked results " +
				"have no number: 1 is shown"})
	}
}

// warnAbsent adds a warning for quoted texts that occur in no file that passes the filter. Such a
// message may be put together from parts, or belong to a library.
func (r *search) warnAbsent() {
	if len(r.absent) == 0 || r.partial() {
		return
	}
	var texts []string
	for _, text := range r.absent {
		texts = append(texts, strconv.Quote(contract.Clip(text)))
	}
	r.answer.Warnings.Add(contract.Warning{Code: "QUOTED_TEXT_ABSENT", Severity: contract.SeverityInfo,
		Message: "No line has " + strings.Join(texts, " or ") + ", in any case of its letters: try a part of it."})
}

// warnDialect adds a warning if no line matches an expression that other tools read otherwise: grep takes \| for an
// alternative, and editors take the slashes of /open|shut/ for delimiters. RE2 matches these characters.
func (r *search) warnDialect() {
	if r.answer.Matches == nil || r.answer.Matches.Lines > 0 || r.partial() {
		return
	}
	for _, re := range r.query.Regex {
		meant, ok := otherDialect(re.String())
		if !ok {
			continue
		}
		r.answer.Warnings.Add(contract.Warning{Code: "REGEX_DIALECT", Severity: contract.SeverityInfo,
			Message: `Slashes around an expression and \| match themselves, as in RE2: try regex:` +
				contract.QuoteOperator(contract.Clip(meant)) + "."})
	}
}

// otherDialect returns the RE2 expression that is meant by one in slashes, or with the escaped operators of grep. ok
// is false for other expressions.
func otherDialect(expression string) (meant string, ok bool) {
	meant = expression
	if len(meant) > 2 && meant[0] == '/' && meant[len(meant)-1] == '/' {
		meant = meant[1 : len(meant)-1]
	}
	if strings.Contains(meant, `\|`) && !strings.Contains(meant, `\|\|`) {
		meant = escapedOperators.Replace(meant)
	}
	_, err := regexp.Compile(meant)
	return meant, err == nil && meant != expression
}

// escapedOperators replaces the operators of grep's basic expressions, such as \|, by those of RE2.
var escapedOperators = strings.NewReplacer(`\\`, `\\`, `\|`, "|", `\(`, "(", `\)`, ")", `\+`, "+", `\?`, "?")

// warnBare adds a warning for operators without a value, which are read as text.
func (r *search) warnBare() {
	bare := slices.Compact(slices.Sorted(slices.Values(r.query.Bare)))
	if len(bare) == 0 {
		return
	}
	var examples []string
	for _, name := range bare {
		examples = append(examples, l1fts.Example(name))
	}
	r.answer.Warnings.Add(contract.Warning{Code: "OPERATOR_WITHOUT_VALUE", Severity: contract.SeverityCaution,
		Message: fmt.Sprintf("%s: has no value and was read as text; the value follows without a space, as in %s.",
			strings.Join(bare, ":, "), strings.Join(examples, " "))})
}

// cut matches the unquoted value of an operator that ends at a space, if the next word looks like
// the rest of the value.
var cut = regexp.MustCompile(`(?:^|\s)(must|regex|exclude):([^"\s]\S*)\s+([^\s:]*[()\[\]{}"'|\\=;<>$][^\s:]*)(?:\s|$)`)

// warnCut adds a warning if the value of an operator ends at a space although the next word is code, too.
func (r *search) warnCut() {
	m := cut.FindStringSubmatch(r.query.Raw)
	if m == nil || m[2] == m[3] {
		return
	}
	r.answer.Warnings.Add(contract.Warning{Code: "VALUE_ENDS_AT_SPACE", Severity: contract.SeverityCaution,
		Message: fmt.Sprintf("The value of %s: is %s: it ends at the space, and the rest only ranks. "+
			"Quote a value with spaces, with \\\" for a quote: %s:\"%s %s …\".", m[1], m[2], m[1],
			strings.ReplaceAll(m[2], `"`, `\"`), strings.ReplaceAll(m[3], `"`, `\"`))})
}
