package navigate

import (
	"context"
)

// Search answers search_codebase.
func (s *Service) Search(ctx context.Context, req SearchRequest) (*SearchAnswer, error) {
	limit := Within(&req)
	return within(ctx, s, limit, func(ctx context.Context) (*SearchAnswer, error) {
		return steady(ctx, s, req.Path, func() (*SearchAnswer, error) { return s.searchOnce(ctx, req) })
	}, func() *SearchAnswer {
		a := newSearchAnswer(&req, s.clock())
		a.Outcome = tooLate(ToolSearch, limit)
		return a
	})
}

// Outline answers file_outline: the declarations of one file, from the bytes
// that are on disk now.
func (s *Service) Outline(ctx context.Context, req OutlineRequest) (*OutlineAnswer, error) {
	limit := Within(&req)
	return within(ctx, s, limit, func(ctx context.Context) (*OutlineAnswer, error) {
		return steady(ctx, s, req.Path, func() (*OutlineAnswer, error) { return s.outlineOnce(ctx, req) })
	}, func() *OutlineAnswer {
		return &OutlineAnswer{Path: req.Path, CodebaseRoot: req.Path, File: req.File, Outcome: tooLate(ToolOutline, limit)}
	})
}

// CallGraph answers call_graph: who calls a symbol, and whom it calls, as far
// as syntax settles it; the rest is counted and said.
func (s *Service) CallGraph(ctx context.Context, req GraphRequest) (*GraphAnswer, error) {
	limit := Within(&req)
	return within(ctx, s, limit, func(ctx context.Context) (*GraphAnswer, error) {
		return steady(ctx, s, req.Path, func() (*GraphAnswer, error) { return s.graphOnce(ctx, req) })
	}, func() *GraphAnswer {
		a := newGraphAnswer(&req)
		a.Outcome = tooLate(ToolGraph, limit)
		longer := req
		longer.DeadlineMs = min(4*req.DeadlineMs, MaxDeadline)
		a.Hints = &Hints{NextSteps: []Action{*Suggest(&longer)}}
		return a
	})
}

// Read answers read_file: the text of a file or of a symbol in it, as it is
// on disk now.
func (s *Service) Read(ctx context.Context, req ReadRequest) (*ReadAnswer, error) {
	limit := Within(&req)
	return within(ctx, s, limit, func(ctx context.Context) (*ReadAnswer, error) {
		return steady(ctx, s, req.Path, func() (*ReadAnswer, error) { return s.readOnce(ctx, req) })
	}, func() *ReadAnswer {
		return &ReadAnswer{Path: req.Path, Mode: req.Mode, Outcome: tooLate(ToolRead, limit)}
	})
}

// Manage answers manage_index: it makes, renews, brings up to date, describes,
// mends and removes the index of a root.
func (s *Service) Manage(ctx context.Context, req ManageRequest) (*ManageAnswer, error) {
	limit := Within(&req)
	return within(ctx, s, limit, func(ctx context.Context) (*ManageAnswer, error) {
		if req.Action == "status" || req.Action == "sync" {
			return steady(ctx, s, req.Path, func() (*ManageAnswer, error) { return s.manageOnce(ctx, req) })
		}
		return willing(ctx, req.Path, func() (*ManageAnswer, error) { return s.manageOnce(ctx, req) })
	}, func() *ManageAnswer {
		a := &ManageAnswer{Tool: ToolManage, Version: 1, Action: req.Action, Path: req.Path, Outcome: tooLate(ToolManage, limit)}
		a.HumanText = humanText(a)
		return a
	})
}

// ListCodebases answers list_codebases. A root that cannot be opened is listed
// as failed, never left out.
func (s *Service) ListCodebases(ctx context.Context, req ListRequest) (ListAnswer, error) {
	type listing struct {
		ListAnswer
		late bool
	}
	l, err := within(ctx, s, Within(&req), func(ctx context.Context) (listing, error) {
		a, err := s.listOnce(ctx)
		return listing{ListAnswer: a}, err
	}, func() listing { return listing{late: true} })
	if l.late {
		return ListAnswer{}, CondBusy.Refuse("", nil, "%s", tooLate(ToolList, AnswerLimit).Message)
	}
	return l.ListAnswer, err
}
