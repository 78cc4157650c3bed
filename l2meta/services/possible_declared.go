package services

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// noAnnotation matches the annotations with words of messages that mean something else.
var noAnnotation = regexp.MustCompile(`(?i)exception|error|message$|^test|transactional|^bind(?:ing|able|s|ed)?$|` +
	`register|hostlistener|deadline|output|param|valid|modelattribute|processor$|schedul|inject`)

// possibleAnnotation records an annotation of a function, or of a class for its functions, if it may be an end of a
// message.
func (pr *possibleReader) possibleAnnotation(symbol int, annotation string) {
	name, args := folding.Annotation(annotation)
	s := &pr.File.Symbols[symbol]
	way := DirectionOf(name)
	if way == Unclear || noAnnotation.MatchString(name) {
		return
	}
	end := PossibleEnd{Name: "@" + name}
	for _, a := range args[:min(len(args), maxPossibleArgs)] {
		pr.possibleArgument(&end, a, s.Span.StartByte, 0)
	}
	end.Handler = ""
	if way == About && s.Parent >= 0 && DirectionOf(pr.File.Symbols[s.Parent].Name) == Out {
		way = Out // the annotated type is a publisher: @Topic("orders") in interface OrderPublisher
	}
	switch {
	case s.Kind.Callable():
		if way != Out && len(s.Parameters) > 0 {
			if t := folding.TypeWord(s.Parameters[0].Type); t != "" {
				end.Types = []string{t}
			}
		}
		pr.keepPossible(way, symbol, s.NameSpan, end)
	case s.Kind == code.KindClass && way != Out && len(end.Topics) > 0:
		for _, m := range pr.handling(symbol) {
			pr.keepPossible(way, m, pr.File.Symbols[m].NameSpan, end)
		}
	}
}

// handling returns the methods of a class that have an annotation of a consumer. If there are
// none, it returns those with the name of one.
func (pr *possibleReader) handling(class int) (methods []int) {
	annotated := func(m *code.Symbol) bool {
		return slices.ContainsFunc(m.Annotations, func(a string) bool {
			name, _ := folding.Annotation(a)
			way := DirectionOf(name)
			return way == In || way == About
		})
	}
	named := func(m *code.Symbol) bool { return DirectionOf(m.Name) == In }
	for _, fits := range []func(*code.Symbol) bool{annotated, named} {
		for i := range pr.File.Symbols {
			m := &pr.File.Symbols[i]
			if m.Parent == class && m.Kind.Callable() && m.Kind != code.KindConstructor && fits(m) {
				methods = append(methods, i)
			}
		}
		if len(methods) > 0 {
			break
		}
	}
	return methods
}

// possibleSubtype records the method of a type whose parameter has the payload type that a base
// of the type names: class Mailer : IHandle<OrderPaid>.
func (pr *possibleReader) possibleSubtype(f *code.Fact) {
	open := strings.IndexAny(f.Type, "<[")
	if open < 0 {
		return
	}
	base := f.Type[:open]
	base = base[strings.LastIndexAny(base, ".:\\")+1:]
	if way := DirectionOf(base); way != In && way != About || noSubtype.MatchString(base) {
		return
	}
	payload := folding.TypeWord(folding.FirstItem(strings.TrimRight(f.Type[open+1:], ">]")))
	if payload == "" {
		return
	}
	for i := range pr.File.Symbols {
		m := &pr.File.Symbols[i]
		if m.Parent != f.Owner || !m.Kind.Callable() || m.Kind == code.KindConstructor {
			continue
		}
		if slices.ContainsFunc(m.Parameters[:min(len(m.Parameters), maxPayloadAt)],
			func(p code.Parameter) bool { return strings.Contains(p.Type, payload) }) {
			pr.keepPossible(In, i, m.NameSpan, PossibleEnd{Name: ":" + base, Types: []string{payload}})
			return
		}
	}
}

// noSubtype matches base types that do not show a consumer: handlers of a mediator, which passes
// messages on within the program, and types that convert or check a payload.
var noSubtype = regexp.MustCompile(`^I?(?:Async|Stream)?(?:Notification|Request|Command|Query|DomainEvent)Handler|` +
	`(?:Type|Exception|Authori[sz]ation|Authentication)Handler$|` +
	`(?:Mapper|Serializer|Deserializer|Converter|Formatter|Validator|Behaviou?r|Factory|Builder|Repository)(?:Async)?$`)

// possibleHandlers records the methods of classes that are named after handlers, each of which may consume the type of
// its first parameter: class PaidHandler { Handle(OrderPaid paid) }. Some libraries find handlers by these names.
func (pr *possibleReader) possibleHandlers() {
	for i := range pr.File.Symbols {
		m := &pr.File.Symbols[i]
		if m.Parent < 0 || !m.Kind.Callable() || len(m.Parameters) == 0 || !handlingMethod.MatchString(m.Name) {
			continue
		}
		class := &pr.File.Symbols[m.Parent]
		if class.Kind != code.KindClass && class.Kind != code.KindStruct || !handlingClass.MatchString(class.Name) {
			continue
		}
		if t := folding.TypeWord(m.Parameters[0].Type); t != "" && !pr.generic(m.Parent) {
			pr.keepPossible(In, i, m.NameSpan, PossibleEnd{Name: ByName + class.Name, Types: []string{t}})
		}
	}
}

// generic reports whether a class has a base with type arguments, which name the types that the
// class handles.
func (pr *possibleReader) generic(class int) bool {
	return slices.ContainsFunc(pr.File.Facts, func(f code.Fact) bool {
		return f.Owner == class && (f.Kind == code.FactBase || f.Kind == code.FactImpl) && strings.ContainsAny(f.Type, "<[")
	})
}

var (
	handlingMethod = regexp.MustCompile(`^(?:[Hh]andle|[Cc]onsume|__invoke$|on[A-Z])\w*$`)
	handlingClass  = regexp.MustCompile(`(?:Handlers?|Consumers?|Listener|Subscriber)$`)
)

// maxPayloadAt is the number of leading parameters of a method that may be the payload.
const maxPayloadAt = 2
