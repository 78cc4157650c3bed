package resolve

import (
	"regexp"
	"strings"
)

// Operations describes how generated code names the operations of OpenAPI documents.
type Operations struct {
	// Case is the spelling of methods that are named like operations; CaseNone if no generator of
	// the language is known.
	Case Case
	// Servers describes the methods that handle operations.
	Servers []OperationServer
	// Affixes lists patterns for the names of a client's methods; "*" represents the name of the
	// operation: "*WithResponse" for getOrderWithResponse, "*" for getOrder.
	Affixes []string
	// Runs lists the functions that send a request, in clients that have a module for each
	// operation: sync for get_order.sync(…).
	Runs []string
}

// Case is a spelling of names of several words.
type Case int

// These are spellings of names: getOrder, GetOrder, get_order.
const (
	CaseNone Case = iota
	CaseCamel
	CasePascal
	CaseSnake
)

// OperationServer describes methods that handle operations. A method that is named like an
// operation is recognized by one of the fields Base, Signature, Import and Module.
type OperationServer struct {
	// Base matches the generated types that a class with such methods extends or implements: OrdersApi.
	Base *regexp.Regexp
	// Signature matches the types of the parameters and results of such a method:
	// http.ResponseWriter.
	Signature *regexp.Regexp
	// Import matches the libraries to which code passes functions under the names of operations:
	// openapi-backend, for new OpenAPIBackend({ handlers: { getOrder } }).
	Import *regexp.Regexp
	// Module means that the name of an operation consists of the module and the name of its
	// function: orders.handlers.get_order.
	Module bool
	// Suffix follows the operation's name in the name of the method: "Async" for GetOrderAsync, ""
	// for none.
	Suffix string
	// Mounts lists functions that take the path prefix of all operations as an argument:
	// HandlerFromMuxWithBaseURL(s, r, "/api"). If the list is empty, the document states the
	// prefix.
	Mounts []string
}

// Method returns the name of the client's method that one of the Affixes gives for an operation:
// getOrderRaw for "*Raw", useGetOrder for "use*". spelled returns the operation's name in a
// spelling.
func (o *Operations) Method(affix string, spelled func(Case) string) string {
	in := o.Case
	if in == CaseCamel && !strings.HasPrefix(affix, "*") {
		in = CasePascal
	}
	return strings.Replace(affix, "*", spelled(in), 1)
}
