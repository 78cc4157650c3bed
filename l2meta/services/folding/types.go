package folding

import (
	"slices"

	"sextant/l2meta"
	"sextant/l2meta/syntax"
)

var anyType = []string{"object", "Object", "string", "String", "any", "Any", "unknown", "dynamic", "var", "int",
	"byte", "bool", "T", "TEvent", "TMessage", "Message", "Event", "IntegrationEvent", "DomainEvent", "List", "Map",
	"Dictionary", "Task", "DateTime", "DateTimeOffset", "TimeSpan", "LocalDate", "LocalDateTime", "OffsetDateTime",
	"ZonedDateTime", "BigDecimal", "BigInteger"}

// TypeWord returns the last name of a type. It returns "" for a type such as Object, which does
// not distinguish payloads.
func TypeWord(written string) string {
	name := l2meta.TypeName(syntax.OneLine([]byte(written)))
	if len(name) < 3 || slices.Contains(anyType, name) || !(name[0] >= 'A' && name[0] <= 'Z') {
		return ""
	}
	return name
}
