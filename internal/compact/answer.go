package compact

import (
	"fmt"
	"strings"

	"sextant/internal/navigate/contract"
)

// Text renders an answer to req. The result ends in a newline unless it ends in source text without
// one. The error says that the type of the answer is unknown.
func Text(req contract.Request, answer any) (string, error) {
	w := &writer{implied: req != nil && req.Want().Implied && !req.Want().RootKnown}
	if err := w.answer(req, answer); err != nil {
		return "", err
	}
	return strings.ToValidUTF8(w.String(), "\uFFFD"), nil
}

// answer writes the answer of any tool.
func (w *writer) answer(req contract.Request, answer any) error {
	switch a := answer.(type) {
	case contract.ListAnswer:
		w.list(a)
	case *contract.SearchAnswer:
		w.search(a)
	case *contract.OutlineAnswer:
		w.outline(a, req.(*contract.OutlineRequest))
	case *contract.GraphAnswer:
		w.graph(a, req.(*contract.GraphRequest))
	case *contract.ReadAnswer:
		w.read(a, req.(*contract.ReadRequest))
	case *contract.ManageAnswer:
		w.manage(a)
	case *contract.Refusal:
		w.outcome(a.Outcome)
		w.hints(a.Hints)
	default:
		return fmt.Errorf("no text form for %T", answer)
	}
	return nil
}
