package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// dockerfileRules declares build stages, their arguments and environment, and
// what the image starts.
func dockerfileRules() *rules {
	return &rules{
		comments: []string{"comment"},
		handlers: map[string]handler{
			"from_instruction":       dockerfileStage,
			"arg_instruction":        dockerfileArg,
			"env_pair":               dockerfileEnv,
			"entrypoint_instruction": dockerfileStart,
			"cmd_instruction":        dockerfileStart,
			"expose_instruction":     dockerfileStart,
		},
	}
}

// dockerfileStage declares a stage, named by its alias or else its image. What
// follows it, up to the next FROM, is visited as its content.
func dockerfileStage(w *walk, n node) {
	image := w.child(n, "image_spec")
	d := decl{kind: code.KindNamespace, node: n, name: w.field(n, "as"), exported: true, returns: w.str(image)}
	if d.name < 0 {
		d.name = image
	}
	if d.name < 0 {
		return
	}
	w.encloser = -1
	s := w.declare(d)
	end := len(w.text)
	for c := node(w.nodes[n].next); int(c) < len(w.nodes); c = node(w.nodes[c].next) {
		if w.is(c, "from_instruction") {
			end = w.start(c)
			break
		}
	}
	w.stretch(s, end)
	w.addImport(n, code.Import{Module: w.str(image)})
	w.encloser = s
}

func dockerfileArg(w *walk, n node) {
	if name := w.field(n, "name"); name >= 0 {
		w.declare(decl{kind: code.KindVariable, node: n, name: name, exported: true})
	}
}

func dockerfileEnv(w *walk, n node) {
	if name := w.field(n, "name"); name >= 0 {
		w.declare(decl{kind: code.KindVariable, node: n, name: name, exported: true})
	}
}

func dockerfileStart(w *walk, n node) {
	word, _, _ := strings.Cut(w.str(n), " ")
	w.declare(decl{kind: code.KindConfig, node: n, text: strings.ToUpper(strings.TrimSpace(word)), exported: true})
}
