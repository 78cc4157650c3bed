package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strconv"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	sdk "github.com/mark3labs/mcp-go/server"
)

// rootsWithin is the time that a client has to list its roots, the folders that it works in. If it takes
// longer, calls without a path use the working directory.
const rootsWithin = time.Second

// rootsRequest is the id of the only kind of request that this server sends to a client. It need not
// differ from the ids of the client's requests.
const rootsRequest = "sextant-roots"

// clientRoots holds the folders that a client works in. The server requests
// them when a call first needs one.
type clientRoots struct {
	offered bool          // whether the client can list its roots
	asked   chan struct{} // closed when dirs is known; nil before the first request and after a change of the roots
	late    bool          // whether a call has waited in vain, so that later calls do not wait
	dirs    []string      // absolute folders in the client's latest answer, in the same order
}

// directory returns the path to use for calls without a path: the first root of the client or, if it has
// none, the working directory.
func (s *Server) directory(ctx context.Context) string {
	if c, ok := sdk.ClientSessionFromContext(ctx).(*session); ok {
		if dirs := c.listRoots(ctx); len(dirs) > 0 {
			return dirs[0]
		}
	}
	return s.opts.Dir
}

// rootKnown reports whether a text answer about dir, the folder of calls without a path, need not name its
// root, because an earlier answer of the session about the same folder has named it. It records that the
// present answer names the root.
func (s *Server) rootKnown(ctx context.Context, dir string) bool {
	c, ok := sdk.ClientSessionFromContext(ctx).(*session)
	if !ok {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.told == dir
	c.told = dir
	return known
}

// listRoots returns the client's roots. It requests them the first time, and after they changed.
// If the client does not answer in time, it returns the roots of the client's last answer, nil if
// there was none, and later calls do not wait.
func (c *session) listRoots(ctx context.Context) []string {
	c.mu.Lock()
	if !c.roots.offered {
		c.mu.Unlock()
		return nil
	}
	answered, first := c.roots.asked, c.roots.asked == nil
	if first {
		answered = make(chan struct{})
		c.roots.asked = answered
	}
	late := c.roots.late
	c.mu.Unlock()
	if first {
		c.send(map[string]any{"jsonrpc": "2.0", "id": rootsRequest, "method": "roots/list"})
	}
	if !late {
		timer := time.NewTimer(rootsWithin)
		defer timer.Stop()
		select {
		case <-answered:
		case <-timer.C:
			late = true
		case <-ctx.Done():
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.roots.late = late
	return c.roots.dirs
}

// takeResponse takes a message without a method: the client's response to a request of this server. A response is
// never answered, even if nothing was requested; a message that is neither is refused.
func (c *session) takeResponse(e *envelope) {
	switch {
	case string(bytes.TrimSpace(e.ID)) == strconv.Quote(rootsRequest):
		c.takeRoots(e.Result)
	case e.Result == nil && e.Error == nil:
		c.refuse(e.ID, protocol.INVALID_REQUEST, `expected "method", a string such as "tools/call"`)
	}
}

// takeRoots reads the client's answer to roots/list. An error leaves no roots.
func (c *session) takeRoots(result json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if asked := c.roots.asked; asked != nil {
		c.roots.dirs = rootDirs(result)
		select {
		case <-asked: // the client has answered twice
		default:
			close(asked)
		}
	}
}

// forgetRoots makes the next call that needs the client's roots request them again. Until the
// client answers, the known roots stay.
func (c *session) forgetRoots() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.roots.asked, c.roots.late = nil, false
}

// rootDirs returns the folders in the result of roots/list. It skips roots that are no local
// folders.
func rootDirs(result json.RawMessage) (dirs []string) {
	var list struct {
		Roots []struct{ URI string }
	}
	if json.Unmarshal(result, &list) != nil {
		return nil
	}
	for _, r := range list.Roots {
		u, err := url.Parse(r.URI)
		if err == nil && u.Scheme == "file" && filepath.IsAbs(u.Path) {
			dirs = append(dirs, filepath.Clean(u.Path))
		}
	}
	return dirs
}

// offersRoots records whether the client can list roots, according to the params of its
// initialize request.
func (c *session) offersRoots(params json.RawMessage) {
	var p struct {
		Capabilities struct{ Roots json.RawMessage }
	}
	if json.Unmarshal(params, &p) == nil {
		c.mu.Lock()
		c.roots = clientRoots{offered: len(p.Capabilities.Roots) > 0}
		c.mu.Unlock()
	}
}
