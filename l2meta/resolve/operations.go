package resolve

import (
	"regexp"
	"strings"
)

// Operations describes how generated code names the operations of OpenAPI documents.
type Operations struct {
	// Case is the spelling of an operation's method; CaseNone if no generator of the language is known.
	Case Case
	// Servers are the forms of methods that handle operations.
	Servers []OperationServer
	// Affixes are the forms of a client's methods, with "*" in place of the operation's: "*WithResponse".
	// Without any, a client's method is named like the operation.
	Affixes []string
	// Runs are the functions of a module that is named after an operation: get_order.sync(…).
	Runs []string
}

// Case is a spelling of names of several words.
type Case int

// Spellings of names: getOrder, GetOrder, get_order.
const (
	CaseNone Case = iota
	CaseCamel
	CasePascal
	CaseSnake
)

// OperationServer is a form of methods that handle operations. One of its fields tells such a method.
type OperationServer struct {
	// Base matches the generated types that a class with such methods extends or implements: OrdersApi.
	Base *regexp.Regexp
	// Signature matches the signature of such a method.
	Signature *regexp.Regexp
	// Import matches the libraries that are given functions by the names of operations.
	Import *regexp.Regexp
	// Module means that an operation names the function with its module: orders.handlers.get_order.
	Module bool
	// Suffix is a text behind the operation's name, "" for none: GetOrderAsync.
	Suffix string
	// Mounts are the functions that are given the path that all operations are below. If there are none, it is that
	// of the document.
	Mounts []string
}

// Method returns the name of a client's method by an affix: getOrderRaw of "*Raw", useGetOrder of "use*".
func (o *Operations) Method(affix string, spelled func(Case) string) string {
	in := o.Case
	if in == CaseCamel && !strings.HasPrefix(affix, "*") {
		in = CasePascal
	}
	return strings.Replace(affix, "*", spelled(in), 1)
}
