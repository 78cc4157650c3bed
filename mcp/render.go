package mcp

import (
	"log/slog"

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

// facts returns the attributes of an answer for the event of its call, none for
// a nil answer.
func facts(answer any) []slog.Attr {
	var outcome contract.Outcome
	var fresh *contract.Freshness
	results, attrs := 0, []slog.Attr(nil)
	switch a := answer.(type) {
	case contract.ListAnswer:
		outcome.Status, results = contract.StatusOK, a.Total()
	case *contract.SearchAnswer:
		outcome, results, fresh = a.Outcome, len(a.Results), &a.FreshnessDecision
		if a.Tiers != nil {
			attrs = append(attrs, slog.Any("tiers", a.Tiers))
		}
	case *contract.OutlineAnswer:
		outcome, fresh = a.Outcome, a.FreshnessDecision
		if a.Outline != nil {
			results = len(a.Outline.Symbols)
		}
	case *contract.GraphAnswer:
		outcome, results, fresh = a.Outcome, len(a.Edges), a.FreshnessDecision
	case *contract.ReadAnswer:
		outcome, results, fresh = a.Outcome, 1, a.FreshnessDecision
	case *contract.ManageAnswer:
		outcome, results, fresh = a.Outcome, 1, a.FreshnessDecision
	default:
		return nil
	}
	attrs = append([]slog.Attr{slog.String("status", string(outcome.Status)), slog.Int("results", results)}, attrs...)
	if outcome.Reason != "" {
		attrs = append(attrs, slog.String("reason", string(outcome.Reason)))
	}
	if fresh != nil && fresh.Gate != nil {
		attrs = append(attrs, slog.Any("gate", fresh.Gate))
	}
	return attrs
}
