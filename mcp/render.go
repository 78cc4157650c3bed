package mcp

import (
	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
)

// render writes an answer in its format.
func render(req contract.Request, answer any) (reply, error) {
	if req.Want().Format == contract.FormatText {
		text, err := compact.Text(req, answer)
		return reply{text: text}, err
	}
	switch a := answer.(type) {
	case contract.ListAnswer:
		structured, err := contract.Encode(a)
		return reply{text: a.Markdown(), structured: structured}, err
	case *contract.ReadAnswer:
		if a.Plain && a.Status == contract.StatusOK {
			return reply{text: string(a.Text) + a.Continuation}, nil
		}
	}
	text, err := contract.Encode(answer)
	return reply{text: string(text), structured: text}, err
}
