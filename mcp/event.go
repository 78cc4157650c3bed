package mcp

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"sextant/internal/navigate/contract"
)

// event writes the log event of one call.
func (s *Server) event(ctx context.Context, t *tool, took time.Duration, answer any, result reply) {
	attrs := []slog.Attr{
		slog.String("event", "tool_call"),
		slog.String("tool", t.name),
		slog.Float64("latencyMs", float64(took.Microseconds())/1000),
		slog.Bool("isError", result.isError),
		slog.Int("bytes", len(result.text)),
	}
	attrs = append(attrs, facts(answer)...)
	level := slog.LevelInfo
	if result.failed != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.String("error", result.failed.Error()))
		var p *panicError
		if errors.As(result.failed, &p) {
			attrs = append(attrs, slog.String("stack", string(p.stack)))
		}
	}
	s.log.LogAttrs(context.WithoutCancel(ctx), level, "tool call", attrs...)
}

// facts returns the attributes of a call's log event that describe its answer: the status, the
// reason, the number of results, the freshness. It returns none for an answer of another type, or
// nil.
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

// spent passes the cost of an answer to Options.Spent, if that is set.
func (s *Server) spent(t *tool, answer any, result reply) {
	if s.opts.Spent == nil {
		return
	}
	if result.cost == nil {
		cost := s.cost(answer, result)
		result.cost = &cost
	}
	s.opts.Spent(t.name, *result.cost)
}

// cost compares an answer with the files that it shows. A refusal shows none.
func (s *Server) cost(answer any, result reply) contract.AnswerTokens {
	cost := contract.AnswerTokens{Answer: contract.Tokens(result.text)}
	if shown, ok := answer.(contract.Shown); ok && s.opts.FileTokens != nil && !result.isError {
		cost.FilesShown = s.opts.FileTokens(shown.ShownFiles())
	}
	return cost
}
