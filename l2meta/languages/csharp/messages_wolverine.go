package csharp

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Wolverine publishes what a handler returns, alone, in a tuple, in a list, or as OutgoingMessages:
//
//	public static OrderPlaced Handle(PlaceOrder command) => new(command.Id);
//	public static (OrderPaid, OrderSent) Handle(PayOrder command) { … }

var (
	cascadingClass  = regexp.MustCompile(`(?:Handlers?|Consumers?|Saga)$`)
	cascadingMethod = regexp.MustCompile(`^(?:Handles?|Consumes?|Start|Starts|Orchestrates?)(?:Async)?$`)
	ofTask          = regexp.MustCompile(`^(?:Value)?Task<(.*)>$`)
	// openResult matches a type of results that leaves the types of the messages open: List<object>. They are
	// those of the objects that the method makes.
	openResult = regexp.MustCompile(
		`^(?:OutgoingMessages|(?:IAsyncEnumerable|IEnumerable|List|IList)<object>|object(?:\[\])?)$`)
	// noMessage matches types of results that are no messages.
	noMessage = regexp.MustCompile(`Result|Response|Options|Saga$|^OutgoingMessages$|^Task$|^Insert$|^Update$|^Delete$|` +
		`^Store$|^Events?$|^IStartStream$|^I[A-Z]`)
)

// cascading records the messages that the methods of a file's handlers return. A handler with a base does not count:
// that of a mediator returns a result instead.
func cascading(r *services.Reader) {
	for i := range r.File.Symbols {
		m := &r.File.Symbols[i]
		if m.Parent < 0 || m.Returns == "" || m.Returns == "void" || len(m.Parameters) == 0 ||
			!cascadingMethod.MatchString(m.Name) || !cascadingClass.MatchString(r.File.Symbols[m.Parent].Name) ||
			mediated(r.File, m.Parent) {
			continue
		}
		types, open := returned(m)
		for _, payload := range types {
			r.KeepMessage(services.Publishes, i, r.SpanAt(m.Span.StartByte), services.End{Payload: payload})
		}
		if open {
			cascaded(r, i)
		}
	}
}

// cascaded records the messages that a handler makes, for one whose result does not name their types.
func cascaded(r *services.Reader, method int) {
	for i := range r.File.Calls {
		c := &r.File.Calls[i]
		if c.Caller != method || c.Kind != code.CallNew || strings.HasSuffix(c.Callee, "Exception") {
			continue
		}
		if name := folding.TypeWord(c.Callee); name != "" && !noMessage.MatchString(name) {
			r.KeepMessage(services.Publishes, method, c.NameSpan, services.End{Payload: name})
		}
	}
}

// mediated reports whether a class has a base, which may be that of a mediator's handlers. Those of Wolverine have
// none.
func mediated(f *code.File, class int) bool {
	for i := range f.Facts {
		fact := &f.Facts[i]
		if fact.Owner == class && (fact.Kind == code.FactBase || fact.Kind == code.FactImpl) &&
			fact.Type != "Saga" && fact.Type != "IWolverineHandler" {
			return true
		}
	}
	return false
}

// returned returns the types of the messages that a handler returns. open is set if its result may hold messages of
// any type.
func returned(m *code.Symbol) (types []string, open bool) {
	result := strings.TrimSuffix(strings.TrimSpace(m.Returns), "?")
	if inner := ofTask.FindStringSubmatch(result); inner != nil {
		result = strings.TrimSpace(inner[1])
	}
	parts := []string{result}
	if strings.HasPrefix(result, "(") {
		parts = folding.ListItems(result[1:])
	}
	for _, part := range parts {
		part, _, _ = strings.Cut(strings.TrimSuffix(part, "?"), " ") // (OrderPaid paid, OrderSent sent)
		if openResult.MatchString(part) {
			open = true
		} else if name := folding.TypeWord(part); name != "" && !noMessage.MatchString(name) {
			types = append(types, name)
		}
	}
	return types, open
}
