package jvm

import (
	"strings"

	"sextant/l2meta/expr"
)

// scoped evaluates a call of a library function that any value has, such as let in x.let { … }.
func (j kotlinEvaluator) scoped(p place, x jvmValue, e *expr.Expr) jvmValue {
	if p.file.Language != "kotlin" {
		return jvmValue{}
	}
	v, _ := j.library.tabledResult(p, x, e)
	return v
}

// delegated evaluates a property with the delegate e: val v by lazy { x } to the value of x. It
// returns no value for any other delegate.
func (j kotlinEvaluator) delegated(p place, e *expr.Expr) jvmValue {
	if e.Op == expr.OpCall && e.X.Op == expr.OpName && e.X.Name == "lazy" && len(e.Args) > 0 {
		last := strings.TrimSpace(e.Args[len(e.Args)-1].Text)
		if strings.HasPrefix(last, "{") && strings.HasSuffix(last, "}") {
			return j.values.eval(p, p.parse(last[1:len(last)-1])).asValue()
		}
	}
	return jvmValue{}
}

// libraryFunction evaluates a call of a top-level library function, or of a library member of an
// instance in scope.
func (j kotlinEvaluator) libraryFunction(p place, e *expr.Expr) jvmValue {
	if p.file.Language != "kotlin" {
		return jvmValue{}
	}
	if e.X.Name == "apply" || e.X.Name == "also" {
		return j.values.this(p, "")
	}
	if sig, ok := kotlinTopLevel(e.X.Name, len(e.Args)); ok {
		v, _ := j.library.signatureResult(p, sig, e)
		return v
	}
	for _, context := range j.values.contexts(p) { // with(connection) { getTables() }
		if sig, ok := kotlinMemberOf(j.values.contextType(context), e.X.Name, len(e.Args)); ok && !context.static {
			v, _ := j.library.signatureResult(p, sig, e)
			return v
		}
	}
	return jvmValue{}
}
