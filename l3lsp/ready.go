package l3lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"
)

// readiness tracks whether a server has read its folders and resolves a canary, a call with a known
// target. session.mu guards it.
type readiness struct {
	loading  []string          // copy of Spec.loading; if this and logs are empty, all progress counts
	logs     []string          // copy of Spec.loadedLogs
	progress map[string]string // token → title of each operation in progress
	loaded   bool              // whether loading has ended, or the server does not report its end
	canary   bool              // whether a canary was resolved since the last folder was added
	proven   bool              // whether a canary was ever resolved; the server should answer fast afterwards
	tried    time.Time         // when it first got a canary wrong after it had read its folders; zero if never
}

func newReadiness(spec *Spec) readiness {
	return readiness{loading: spec.loading, logs: spec.loadedLogs, progress: map[string]string{},
		loaded: spec.quick || len(spec.loading)+len(spec.loadedLogs) == 0 && spec.done == nil}
}

// again records that the server has more to read, such as another folder. It must then resolve the
// canary, a call with a known target, again.
func (r *readiness) again() { r.canary, r.tried = false, time.Time{} }

// settled reports whether the server has read its folders, according to its progress notifications
// and log messages.
func (r *readiness) settled() bool {
	all := len(r.loading)+len(r.logs) == 0
	for _, title := range r.progress {
		if all || startsWithAny(title, r.loading) {
			return false
		}
	}
	return r.loaded
}

// progressed records a $/progress notification: the operation with this token begins, with a title,
// or ends.
func (r *readiness) progressed(token, kind, title string) {
	switch kind {
	case "begin":
		r.progress[token] = title
	case "end":
		if startsWithAny(r.progress[token], r.loading) {
			r.loaded = true
		}
		delete(r.progress, token)
	}
}

// logged records a log message.
func (r *readiness) logged(message string) {
	r.loaded = r.loaded || startsWithAny(message, r.logs)
}

func startsWithAny(s string, starts []string) bool {
	return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(s, start) })
}

// ready reports whether the server has read its folders and resolved a canary, a call with a known
// target. Only then can its answers refute those of the index.
func (s *session) ready() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.canary && s.settled()
}

// loading reports whether the server is still reading its folders, according to
// its messages.
func (s *session) loading() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.settled()
}

// handle answers the requests of the server and tracks its progress. It answers requests for
// settings and folders, refuses edits, and returns nil for any other.
func (s *session) handle(method string, params []byte) any {
	s.learnVersion(method, params)
	if s.spec.done != nil && s.spec.done(method, params) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.loaded = true
		return nil
	}
	switch method {
	case "workspace/configuration":
		return s.configuration(params)
	case "workspace/workspaceFolders":
		out := []protocol.WorkspaceFolder{}
		for _, f := range s.joined() {
			out = append(out, workspaceFolder(f))
		}
		return out
	case "workspace/applyEdit":
		return map[string]any{"applied": false, "failureReason": "read only"}
	case "$/progress":
		var p struct {
			Token json.RawMessage
			Value struct{ Kind, Title string }
		}
		if json.Unmarshal(params, &p) == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.progressed(string(p.Token), p.Value.Kind, p.Value.Title)
		}
	case "window/logMessage":
		var p struct{ Message string }
		if json.Unmarshal(params, &p) == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.logged(p.Message)
		}
	case "experimental/serverStatus":
		var p struct{ Quiescent *bool }
		if json.Unmarshal(params, &p) == nil && p.Quiescent != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.loaded = *p.Quiescent
		}
	}
	return nil
}

// configuration returns the settings for each section that a server requests.
func (s *session) configuration(params []byte) any {
	var p protocol.ConfigurationParams
	if err := json.Unmarshal(params, &p); err != nil {
		return []any{}
	}
	out := make([]any, len(p.Items))
	for i, item := range p.Items {
		run := s.run
		if path, ok := pathOf(string(item.ScopeURI)); ok {
			run.folder = path
		}
		if s.spec.settings != nil {
			out[i] = s.spec.settings(item.Section, run)
		}
	}
	return out
}
