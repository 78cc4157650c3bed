package source

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

var constructed = regexp.MustCompile(`(?:\bnew\s+|&)([A-Za-z_][\w.\\]*)|(?:^|[?:]\s*)([A-Z]\w*)\s*[({]`)

var (
	// ClassOf matches a class as a value: OrderPaid.class, OrderPaid::class.java.
	ClassOf = regexp.MustCompile(`^([A-Z][\w.]*?)(?:\.class|::class(?:\.java)?)$`)
	// factory matches a call of a function of a class that constructs its object, by its name: OrderPaid.From(order).
	factory = regexp.MustCompile(`^([A-Z]\w*[a-z]\w*)(?:\.|::)(?i:from|of|create|new|make)(?:[A-Z_]\w*)?\(`)
	// noProduct matches the names of classes that construct objects of other classes, and of those whose objects are
	// keys, times and collections instead of messages: Guid.NewGuid().
	noProduct = regexp.MustCompile(
		`(?:Factory|Mapper|Builder|Converter|Utils?|Helper|Service|Serializer|Assembler|Adapter|Client|Json|Json\w+)$|` +
			`^(?:Guid|Uuid|Ulid|ObjectId|Date\w*|Time\w*|Instant|Local\w+|BigDecimal|String|Vec|Array\w*|List|Map|Set|` +
			`Hash\w+|Immutable\w+|Optional|Stream|Collections|Object|Buffer|Bytes|Promise|Task)$`)
	// adapted matches the type to which a mapper converts: dto.Adapt<OrderPaid>(), mapper.Map<OrderPaid>(order),
	// mapper.Map[*OrderPaid](order).
	adapted = regexp.MustCompile(`\.(?:Adapt|Map|MapTo|To|Deserialize(?:Object)?)(?:<([A-Z][\w.]*)>|\[\*?([\w.]+)\])\s*\(`)
)

// Types returns the names of the types that the payload may have. The selectors lead to the
// payload.
func (s *Selection) Types(selectors []string) (out []string) {
	add := func(name string) {
		if name = folding.TypeWord(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, sel := range selectors {
		expr, _ := s.Find(sel)
		if expr == "" {
			continue
		}
		if sel == "<>" {
			// a client may name the types of a request and of its response: the payload is the
			// request
			add(folding.FirstItem(expr))
			return out
		}
		if s.src.File.Language == "csharp" {
			expr = strings.TrimPrefix(expr, "@") // a name that is a keyword elsewhere
		}
		made := func(text string) (found bool) {
			for _, m := range constructed.FindAllStringSubmatch(text, maxTypes) {
				add(m[1] + m[2])
				found = true
			}
			if m := factory.FindStringSubmatch(strings.TrimPrefix(text, "await ")); m != nil && !found &&
				!noProduct.MatchString(m[1]) {
				add(m[1])
				found = true
			}
			return found
		}
		if class := ClassOf.FindStringSubmatch(expr); class != nil {
			add(class[1])
			return out
		}
		if !folding.IsPlain(expr) {
			expr = strings.TrimPrefix(expr, "await ")
			if m := adapted.FindStringSubmatch(expr); m != nil && !strings.HasPrefix(expr, "new ") {
				add(m[1] + m[2])
				return out
			}
			if !made(cmp.Or(s.bodyOf(expr), expr)) {
				add(s.resultOf(expr))
			}
			return out
		}
		name := folding.LastWord(expr)
		if root, _, member := strings.Cut(strings.ReplaceAll(expr, "->", "."), "."); member && root != "this" &&
			root != "self" && root != "$this" {
			return out // the expression is a member of another value
		}
		if list := s.eachOf(name, s.Place()); list != "" {
			name = folding.LastWord(list)
		}
		for _, def := range s.src.Folder.Defined(name, s.Place()) {
			value := s.src.Folder.Expression(def.Value)
			if m := adapted.FindStringSubmatch(value); m != nil {
				add(m[1] + m[2])
				continue
			}
			made(value)
		}
		if len(out) == 0 {
			for i := range s.src.File.Facts {
				if f := &s.src.File.Facts[i]; f.Name == name &&
					(f.Kind == code.FactParam || f.Kind == code.FactVar || f.Kind == code.FactField) &&
					(f.Owner < 0 || s.src.File.Symbols[f.Owner].Span.StartByte <= s.Place() &&
						s.Place() < s.src.File.Symbols[f.Owner].Span.EndByte) {
					add(f.Type)
				}
			}
		}
		return out
	}
	return nil
}

// eachOf returns the list that a loop iterates over with the variable called name: events for e in events.Select(e =>
// …) and in foreach (var e in events). It returns "" if there is none.
func (s *Selection) eachOf(name string, at int) (list string) {
	own := s.src.Around(at)
	for i := range s.src.File.Facts {
		f := &s.src.File.Facts[i]
		if f.Kind != code.FactAssign || f.Name != name || f.Owner != own || f.Span.StartByte > at {
			continue
		}
		value, mark, _ := code.CutMarker(f.Type)
		dot := strings.LastIndexByte(value, '.')
		if _, parameter, passed := mark.In(); mark == code.MarkEach {
			list = value
		} else if passed && parameter == 0 && dot > 0 && visits[value[dot+1:]] {
			list = value[:dot]
		}
	}
	return list
}

// visits lists the calls on a list that pass each item to a function.
var visits = map[string]bool{"Select": true, "ForEach": true, "ForEachAsync": true, "map": true, "forEach": true}

// resultOf returns the type that the function which an expression calls is declared to return, if the file declares
// exactly one of that name; "" otherwise.
func (s *Selection) resultOf(expr string) (result string) {
	m := ownFunction.FindStringSubmatch(expr)
	if m == nil {
		return ""
	}
	for i := range s.src.File.Facts {
		f := &s.src.File.Facts[i]
		if f.Kind != code.FactResult || f.Owner < 0 || s.src.File.Symbols[f.Owner].Name != m[1] {
			continue
		}
		if result != "" && result != f.Type {
			return ""
		}
		result = f.Type
	}
	return result
}

// bodyOf returns the source text of the function that an expression calls, if the file declares exactly one of that
// name; "" otherwise.
func (s *Selection) bodyOf(expr string) (body string) {
	m := ownFunction.FindStringSubmatch(expr)
	if m == nil {
		return ""
	}
	for i := range s.src.File.Symbols {
		f := &s.src.File.Symbols[i]
		if f.Name != m[1] || !f.Kind.Callable() || f.Kind == code.KindConstructor {
			continue
		}
		if body != "" {
			return ""
		}
		body = s.src.Text[f.NameSpan.EndByte:min(f.Span.EndByte, f.NameSpan.EndByte+folding.MaxEndpointText)]
	}
	return body
}

// ownFunction matches a call of a function in the same type or file: Translate(event), this.translate(event).
var ownFunction = regexp.MustCompile(`^(?:this\.|self\.|\$this->)?(\w+)\(`)

// maxTypes is the largest number of types of one payload.
const maxTypes = 8

// PayloadTypes returns the types of an expression that is the payload of a call, nil if they are not known.
func (src *Source) PayloadTypes(c *code.Call, expr string) []string {
	return (&Selection{src: src, Call: c, Args: []string{expr}}).Types([]string{"0"})
}

// UnknownPayload returns the expression of a payload whose type is not known, in braces: "{event}". It returns nil if
// no selector finds one.
func (s *Selection) UnknownPayload(selectors []string) []string {
	for _, sel := range selectors {
		if expr, _ := s.Find(sel); expr != "" && len(expr) < MaxTopic && !strings.ContainsAny(expr, "\"'`{},\t\n") {
			return []string{"{" + expr + "}"}
		}
	}
	return nil
}
