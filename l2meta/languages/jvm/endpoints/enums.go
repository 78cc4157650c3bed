package endpoints

import (
	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readEnums records the text that a constant of an enumeration is constructed with, if it is the only one: audit for
// AUDIT("audit"), so that Topic.AUDIT.getValue() is audit.
func readEnums(r *services.Reader) {
	for i := range r.File.Calls {
		c := &r.File.Calls[i]
		if c.Kind != code.CallNew || c.Caller < 0 || !ofEnum(r.File, c) {
			continue
		}
		var texts []string
		for _, arg := range r.Arguments(c) {
			if text, ok := folding.Quoted(arg); ok {
				texts = append(texts, text)
			}
		}
		if len(texts) == 1 {
			r.KeepText(c.Caller, c.NameSpan, r.File.Symbols[c.Caller].Name, texts[0])
		}
	}
}

// ofEnum reports whether a call constructs the constant of an enumeration around it.
func ofEnum(f *code.File, c *code.Call) bool {
	s := &f.Symbols[c.Caller]
	return s.Kind == code.KindConstant && s.NameSpan == c.NameSpan && s.Parent >= 0 &&
		f.Symbols[s.Parent].Kind == code.KindEnum
}
