package endpoints

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readProperties records the settings that the members of a class hold, if Spring or Micronaut binds the
// class to a prefix: getStockUrl in a class with @ConfigurationProperties("shop") returns shop.stockUrl.
// For deeper members, such as stock.url, it records only that the prefix is bound.
func readProperties(r *services.Reader) {
	for i := range r.File.Symbols {
		for _, a := range r.File.Symbols[i].Annotations {
			name, args := folding.Annotation(a)
			if name == "Value" && len(args) == 1 {
				keepValue(r, i, args[0])
			}
			if name != "ConfigurationProperties" || len(args) == 0 {
				continue
			}
			prefix := folding.Keyword(args, "prefix")
			if prefix == "" {
				prefix = folding.Keyword(args, "value")
			}
			if prefix == "" {
				prefix = args[0]
			}
			if p, ok := folding.Quoted(prefix); ok {
				bindMembers(r, i, p)
				r.KeepText(-1, r.File.Symbols[i].NameSpan, services.Section, p)
			}
		}
	}
}

// keepValue records the setting that a field holds, @Value("${stock.host}") private String stockHost, under the name of
// the field and of its getter, which a library may generate. The field or the setting must be named like an address.
func keepValue(r *services.Reader, field int, arg string) {
	s := &r.File.Symbols[field]
	text, ok := folding.Quoted(arg)
	key, _, _ := strings.Cut(strings.Trim(text, "${}"), ":")
	if !ok || s.Kind != code.KindField && s.Kind != code.KindProperty || !addressLike(s.Name) && !addressLike(key) {
		return
	}
	if text = folding.Placeholders(text); strings.HasPrefix(text, "{env:") {
		r.KeepText(field, s.NameSpan, s.Name, text)
		r.KeepText(field, s.NameSpan, "get"+code.Capitalized(s.Name), text)
	}
}

// bindMembers records the settings that the fields of a class hold, under the names of the fields and of their
// getters.
func bindMembers(r *services.Reader, class int, prefix string) {
	bind := func(name string, owner int, at code.Span) {
		value, _ := r.Lookup(name, at.EndByte)
		text := folding.SettingHole(prefix+"."+name, folding.Unquoted(value))
		if _, plain := folding.Quoted(value); !plain {
			text = folding.SettingHole(prefix+"."+name, "")
		}
		r.KeepText(owner, at, name, text)
		r.KeepText(owner, at, "get"+code.Capitalized(name), text)
	}
	for _, p := range r.File.Symbols[class].Parameters { // the components of a record or a data class
		if name := p.Name; name != "" && addressLike(name) {
			bind(name, class, r.File.Symbols[class].NameSpan)
		}
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Parent == class && (s.Kind == code.KindField || s.Kind == code.KindProperty) && addressLike(s.Name) {
			bind(s.Name, i, s.NameSpan)
		}
	}
}

// addressLike reports whether a field is named like an address or a part of one.
func addressLike(name string) bool {
	lower := strings.ToLower(name)
	for _, word := range []string{"url", "uri", "host", "address", "endpoint", "path", "service", "topic", "queue",
		"exchange", "name", "api"} {
		if strings.HasSuffix(lower, word) {
			return true
		}
	}
	return false
}
