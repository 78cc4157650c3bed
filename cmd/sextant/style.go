package main

// style colours text on a terminal. It returns text unchanged in a pipe, with
// NO_COLOR, or on a dumb terminal.
type style struct{ on bool }

func newStyle(io streams, terminal bool) style {
	return style{on: terminal && io.env("NO_COLOR") == "" && io.env("TERM") != "dumb"}
}

func (s style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) path(t string) string { return s.paint("36", t) }
func (s style) name(t string) string { return s.paint("1", t) }
func (s style) dim(t string) string  { return s.paint("2", t) }
func (s style) good(t string) string { return s.paint("32", t) }
func (s style) warn(t string) string { return s.paint("33", t) }
func (s style) bad(t string) string  { return s.paint("31", t) }
func (s style) mark(t string) string { return s.paint("1;31", t) }
