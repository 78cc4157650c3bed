package lookup

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// A handler may be a constant that holds a function in a wrapper: export const show = asyncHandler(async (req, res) =>
// …). Like any anonymous function, it is part of the code around it.

// Held returns the code around the constant that an expression names, in the file itself or in a file that it imports
// the constant or its module from, and the position of the constant. The constant has to hold the result of a call
// over several lines. Held returns the zero Ref if there is no such constant.
func (ws *Workspace) Held(f *resolve.File, expr string) (resolve.Ref, code.Span) {
	parts := Words(expr)
	if len(parts) == 0 || !ws.World.Language(f.Language).InPages {
		return resolve.Ref{}, code.Span{}
	}
	files := []*resolve.File{f}
	for _, o := range ws.Origins(f, parts[0].Text) {
		files = append(files, o.File)
	}
	for _, file := range files {
		for _, i := range file.Named(parts[len(parts)-1].Text) {
			if s := &file.Symbols[i]; !s.Kind.Callable() && holdsCall(file, s) {
				return file.Ref(file.Callable(i)), s.Span
			}
		}
	}
	return resolve.Ref{}, code.Span{}
}

// holdsCall reports whether the value of a symbol is a call over several lines.
func holdsCall(f *resolve.File, s *code.Symbol) bool {
	return s.Span.EndLine > s.Span.StartLine && slices.ContainsFunc(f.Calls(), func(c code.Call) bool {
		return c.Kind == code.CallPlain && c.Span.StartByte > s.NameSpan.EndByte && c.Span.StartLine == s.Span.StartLine &&
			c.Span.EndByte <= s.Span.EndByte && c.Span.EndByte+2 >= s.Span.EndByte
	})
}
