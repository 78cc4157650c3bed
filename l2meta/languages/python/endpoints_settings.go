package python

import (
	"cmp"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// A settings class holds addresses in its attributes. pydantic sets an attribute to the value of
// an environment variable, whose name is that of the attribute or an argument of Field. If the
// variable is not set, the attribute gets its default:
//
//	class Settings(BaseSettings):
//	    orders_url: str = "http://orders"    the variable ORDERS_URL, or http://orders

var (
	beforeValue = regexp.MustCompile(`^\s*(?::[^=\n]*)?(?:=\s*)?`)
	envPrefix   = regexp.MustCompile(`env_prefix\s*=\s*["'](\w*)["']`)
	envAlias    = regexp.MustCompile(`\b(?:env|alias|validation_alias)\s*=\s*(?:AliasChoices\()?["'](\w+)["']`)
)

// readSettings records the values of the attributes of settings classes, and of attributes that are
// set by a call of Field.
func readSettings(r *services.Reader) {
	if !r.Mentions("BaseSettings") && !r.Mentions("Field(") {
		return
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Kind != code.KindField && s.Kind != code.KindProperty || s.Parent < 0 {
			continue
		}
		if value, ok := settingField(r, s); ok {
			r.RebindText(i, s.NameSpan, s.Name, value)
		}
	}
}

// settingField returns the value of an attribute of a settings class, as text. ok is false if the
// value is not known, or cannot be part of an address.
func settingField(r *services.Reader, s *code.Symbol) (text string, ok bool) {
	class := &r.File.Symbols[s.Parent]
	head, body, _ := strings.Cut(r.Text[class.Span.StartByte:class.Span.EndByte], ":")
	environment := strings.Contains(head, "BaseSettings")
	at := s.NameSpan.EndByte
	at += len(beforeValue.FindString(r.Text[at:class.Span.EndByte]))
	written := r.Expression(at)
	key := ""
	if environment {
		key = strings.ToUpper(s.Name)
		if m := envPrefix.FindStringSubmatch(body); m != nil {
			key = m[1] + key
		}
	}
	inner, field := strings.CutPrefix(written, "Field(")
	if !field && !environment {
		return "", false
	}
	if field {
		args := folding.ListItems(inner)
		written = folding.Keyword(args, "default")
		if written == "" && len(args) > 0 && !strings.Contains(args[0], "=") {
			written = args[0]
		}
		if m := envAlias.FindStringSubmatch(inner); m != nil {
			key = m[1]
		}
	}
	value, quoted := folding.Quoted(written)
	if key != "" && (quoted || written == "" || written == "...") {
		return folding.SettingHole(strings.ToUpper(key), value), services.MayAddress(s.Name, value)
	}
	return value, quoted && services.MayAddress(s.Name, cmp.Or(value, written))
}
