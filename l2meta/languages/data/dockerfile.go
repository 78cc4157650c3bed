package data

import (
	"bytes"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// dockerfileRules declares build stages, their arguments and environment variables, and the
// commands that the image starts.
//
// It reads a Dockerfile as a list of lines, without a grammar: the available one fails on several
// names after ARG, on $(…) and on here-documents, and then loses the rest of the file.
func dockerfileRules() *syntax.Rules {
	return &syntax.Rules{File: dockerfileFile}
}

type dockerfileReader struct {
	w      *syntax.Walk
	text   []byte
	escape byte
	stage  int // symbol of the current stage; -1 before the first stage
	last   int // end of the last instruction
	doc    syntax.TextDoc
}

// dockerfilePart is a word of an instruction.
type dockerfilePart struct {
	text       string
	start, end int
}

func dockerfileFile(w *syntax.Walk, root syntax.Node) {
	r := dockerfileReader{w: w, text: w.Text[:w.End(root)], escape: '\\', stage: -1}
	for at := w.Start(root); at < len(r.text); {
		at = r.line(at)
	}
	if r.stage >= 0 {
		w.CloseText(r.stage, 0, r.last)
	}
	w.Encloser = -1
}

// line reads the instruction or comment at the start of a line, and returns the start of the next
// one.
func (r *dockerfileReader) line(at int) int {
	end := lineEnd(r.text, at)
	from, to := syntax.Trimmed(r.text, at, end)
	if from == to {
		return end + 1
	}
	if r.text[from] == '#' {
		if directive := strings.ToLower(string(bytes.ReplaceAll(r.text[from:to], []byte(" "), nil))); directive ==
			"#escape=`" {
			r.escape = '`'
		} else if !strings.HasPrefix(directive, "#syntax=") && !strings.HasPrefix(directive, "#check=") {
			r.doc.Add(r.text, from, to)
		}
		return end + 1
	}
	end = r.continued(at)
	parts := r.split(from, end)
	next := r.hereDocument(parts, end+1)
	if len(parts) > 0 {
		r.instruction(parts, max(end, next-1))
	}
	return next
}

func lineEnd(text []byte, at int) int {
	if at >= len(text) {
		return len(text)
	}
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// continued returns the end of the instruction on the line that begins at pos. A line that ends in
// the escape character continues on the next one, possibly after comments and empty lines.
func (r *dockerfileReader) continued(pos int) int {
	for {
		end := lineEnd(r.text, pos)
		from, to := syntax.Trimmed(r.text, pos, end)
		if end >= len(r.text) || to > from && r.text[from] != '#' && r.text[to-1] != r.escape {
			return end
		}
		pos = end + 1
	}
}

// split splits text[from:end] into words; quotation marks keep a word together.
func (r *dockerfileReader) split(from, end int) (parts []dockerfilePart) {
	for i := from; i < end; {
		if syntax.IsSpace(r.text[i]) || r.text[i] == r.escape && i+1 < end && syntax.IsSpace(r.text[i+1]) {
			i++
			continue
		}
		start, quote := i, byte(0)
		for ; i < end && (quote != 0 || !syntax.IsSpace(r.text[i])); i++ {
			switch c := r.text[i]; {
			case quote == 0 && (c == '"' || c == '\''):
				quote = c
			case c == quote:
				quote = 0
			case c == '\n':
				quote = 0
			}
		}
		parts = append(parts, dockerfilePart{string(r.text[start:i]), start, i})
	}
	return parts
}

// hereDocument returns the start of the line after the here-documents that an instruction opens,
// as RUN <<EOF does. parts are the words of the instruction. pos is the start of the next line;
// hereDocument returns pos if the instruction opens none.
func (r *dockerfileReader) hereDocument(parts []dockerfilePart, pos int) int {
	for i, p := range parts {
		word, ok := strings.CutPrefix(p.text, "<<")
		if !ok || i == 0 || !dockerfileTakesDocument(parts[0].text) {
			continue
		}
		word = strings.Trim(strings.TrimPrefix(word, "-"), "\"'")
		if word == "" || !cssIdent(word[0]) {
			continue
		}
		for pos < len(r.text) {
			end := lineEnd(r.text, pos)
			from, to := syntax.Trimmed(r.text, pos, end)
			pos = end + 1
			if string(r.text[from:to]) == word {
				break
			}
		}
	}
	return pos
}

func dockerfileTakesDocument(instruction string) bool {
	return strings.EqualFold(instruction, "RUN") || strings.EqualFold(instruction, "COPY") ||
		strings.EqualFold(instruction, "ADD")
}

func (r *dockerfileReader) instruction(parts []dockerfilePart, end int) {
	end = min(end, len(r.text))
	_, end = syntax.Trimmed(r.text, parts[0].start, end)
	doc := r.doc.Before(r.text, parts[0].start)
	switch word := strings.ToUpper(parts[0].text); word {
	case "FROM":
		r.from(parts, end, doc)
	case "ARG", "ENV":
		r.variables(parts, end, doc)
	case "COPY", "ADD", "RUN":
		r.sources(parts)
	case "ENTRYPOINT", "CMD", "EXPOSE", "HEALTHCHECK", "VOLUME":
		r.declare(code.KindConfig, word, parts[0], parts[0].start, end, doc)
	}
	r.last = end
}

func (r *dockerfileReader) declare(kind code.Kind, name string, at dockerfilePart, start, end int, doc string) int {
	return r.w.DeclareText(syntax.TextDecl{
		Kind: kind, Name: name, Start: start, End: end, NameStart: at.start, NameEnd: at.end,
		Signature: syntax.OneLine(r.text[start:end]), Doc: doc,
	})
}

// from begins a stage, named by its alias or else its image. It extends to the next FROM.
func (r *dockerfileReader) from(parts []dockerfilePart, end int, doc string) {
	if r.stage >= 0 {
		r.w.CloseText(r.stage, 0, r.last)
	}
	r.w.Encloser = -1
	i := 1
	for i < len(parts) && strings.HasPrefix(parts[i].text, "--") {
		i++
	}
	if i >= len(parts) {
		r.stage = -1
		return
	}
	image, name := parts[i], parts[i]
	if i+2 < len(parts) && strings.EqualFold(parts[i+1].text, "AS") {
		name = parts[i+2]
	}
	r.use(image.text, parts[0].start, end)
	r.stage = r.declare(code.KindNamespace, name.text, name, parts[0].start, end, doc)
	r.w.Out.Symbols[r.stage].Returns = image.text
	r.w.Encloser = r.stage
}

func (r *dockerfileReader) use(image string, start, end int) {
	r.w.Out.Imports = append(r.w.Out.Imports,
		code.Import{Module: image, Scope: r.w.Encloser, Span: r.w.Lines.Span(start, end)})
}

// variables declares the names of ARG and ENV: "A=1 B=2", and the old form "A 1".
func (r *dockerfileReader) variables(parts []dockerfilePart, end int, doc string) {
	for i, p := range parts[1:] {
		name, _, assigned := strings.Cut(p.text, "=")
		if name == "" || p.text[0] == '#' {
			continue
		}
		at := dockerfilePart{name, p.start, p.start + len(name)}
		start, stop := p.start, p.end
		if i == 0 {
			start = parts[0].start
		}
		old := !assigned && strings.EqualFold(parts[0].text, "ENV")
		if old {
			stop = end
		}
		r.declare(code.KindVariable, name, at, start, stop, doc)
		if old {
			return
		}
	}
}

// sources records the images and stages that files are copied or mounted from: build in
// COPY --from=build, or in RUN --mount=type=bind,from=build.
func (r *dockerfileReader) sources(parts []dockerfilePart) {
	for _, p := range parts[1:] {
		if !strings.HasPrefix(p.text, "--") {
			return
		}
		for _, option := range strings.Split(strings.TrimPrefix(p.text, "--mount="), ",") {
			if from, ok := strings.CutPrefix(strings.TrimPrefix(option, "--"), "from="); ok && from != "" {
				r.use(from, p.start, p.end)
			}
		}
	}
}
