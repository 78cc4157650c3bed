package services

import (
	"path"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
)

// A program may declare a rule of EventBridge with the Cloud Development Kit:
//
//	const rule = new Rule(this, "Paid", {eventPattern: {source: ["orders"], detailType: ["OrderPaid"]}});
//	rule.addTarget(new LambdaFunction(book));

var (
	// ruleTarget matches a target of a rule, up to what it delivers to.
	ruleTarget = regexp.MustCompile(`\b(LambdaFunction|SqsQueue)\(`)
	// quotedPart matches a text in an expression for a path.
	quotedPart = regexp.MustCompile("[\"'`]([^\"'`]*)[\"'`]")
	// assignedRule matches the code before a call whose result a variable gets.
	assignedRule = regexp.MustCompile(`(\w+)\s*=\s*(?:new\s+)?[\w.]*$`)
)

// DeclaresRule records a rule that a call declares, and reports whether it does.
func DeclaresRule(r *Reader, c *code.Call) (ok bool) {
	s := r.Select(c)
	p := pattern{s.Texts([]string{"2/eventPattern/source", "event_pattern=/source"}),
		s.Texts([]string{"2/eventPattern/detailType", "event_pattern=/detail_type"})}
	if len(p.sources)+len(p.types) == 0 {
		return false
	}
	for _, target := range r.ruleTargets(s) {
		m := ruleTarget.FindStringSubmatchIndex(target)
		if m == nil {
			continue
		}
		given := folding.FirstItem(target[m[1]:])
		made, at := r.Given(folding.LastWord(given), c.NameSpan.StartByte)
		to := r.SelectAt(argumentsOf(made), at)
		for _, e := range p.ends() {
			role := Consumes
			if e.Handler = deployedFunction(to); target[m[2]:m[3]] == "SqsQueue" {
				role, e.Handler = l2meta.RoleBind, strings.Join(to.Texts([]string{"2/queueName", "queue_name="}), "")
			}
			if e.Handler != "" {
				r.KeepMessage(role, c.Caller, c.NameSpan, e)
				ok = true
			}
		}
	}
	return ok
}

// argumentsOf returns the arguments of the call that an expression is.
func argumentsOf(expr string) []string {
	open := strings.IndexByte(expr, '(')
	if open < 0 {
		return nil
	}
	return folding.ListItems(expr[open+1:])
}

// ruleTargets returns the expressions of the targets that the call which makes a rule, or later calls on the rule, add.
func (r *Reader) ruleTargets(rule *source.Selection) (out []string) {
	for _, sel := range []string{"2/targets", "targets="} {
		if expr, _ := rule.Find(sel); expr != "" {
			out = append(out, folding.Listed(expr)...)
		}
	}
	at := rule.Call.NameSpan.StartByte
	m := assignedRule.FindStringSubmatch(r.Text[max(0, at-source.MaxChain):at])
	if m == nil {
		return out
	}
	for i := range r.File.Calls {
		c := &r.File.Calls[i]
		if (c.Callee == "addTarget" || c.Callee == "add_target") && folding.LastWord(c.Receiver) == m[1] {
			out = append(out, r.Arguments(c)...)
		}
	}
	return out
}

// deployedFunction returns the handler of a function that a selection's call makes, "" if it is not known: that of an
// entry file, or of a folder of code.
func deployedFunction(s *source.Selection) string {
	part := func(selectors ...string) string {
		for _, sel := range selectors {
			if expr, _ := s.Find(sel); expr != "" {
				return expr
			}
		}
		return ""
	}
	handler := folding.Unquoted(part("2/handler", "handler="))
	if entry := joined(part("2/entry", "entry=")); entry != "" {
		if index := folding.Unquoted(part("2/index", "index=")); index != "" || path.Ext(entry) == "" {
			entry = path.Join(entry, index)
		}
		if handler == "" {
			handler = "handler"
		}
		return deployed("", strings.TrimSuffix(entry, path.Ext(entry))+"."+handler[strings.LastIndexByte(handler, '.')+1:])
	}
	if code := joined(part("2/code", "code=")); code != "" {
		return deployed(code, handler)
	}
	return ""
}

// joined joins the string literals in an expression to a path: lambda/audit for "lambda/audit", for
// path.join(__dirname, "lambda", "audit") and for Code.fromAsset("lambda/audit"). It returns "" if there are none.
func joined(expr string) string {
	var parts []string
	for _, m := range quotedPart.FindAllStringSubmatch(expr, -1) {
		parts = append(parts, m[1])
	}
	return strings.TrimPrefix(path.Join(parts...), "/")
}
