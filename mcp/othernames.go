package mcp

import (
	"encoding/json"
	"slices"
	"strings"
)

// otherNames maps an argument to names that other programs use for it, in lower case without
// underscores, the likeliest first. A call may use these names, because models know them from
// those programs.
var otherNames = map[string][]string{
	"path": {"rootpath", "root", "repo", "repopath", "repository", "project", "projectpath", "projectroot", "workspace",
		"codebase", "codebasepath", "directory", "dir", "folder"},
	"query":       {"q", "queries", "searchquery", "search", "text"},
	"file":        {"filepath", "filename", "files", "relativepath", "relativefile", "targetfile"},
	"limit":       {"maxresults", "numresults", "topk", "maxcount", "count", "k"},
	"symbolRef":   {"symbol", "symbols", "symbolname", "symbolid", "name", "function", "functionname", "qualifiedname"},
	"open_symbol": {"symbol", "symbols", "symbolname", "symbolid", "name", "function", "functionname", "qualifiedname"},
	"depth":       {"maxdepth"},
	"start_line":  {"start", "startlinenumber", "firstline", "linestart"},
	"end_line":    {"end", "endlinenumber", "lastline", "lineend"},
	"cursor":      {"pagetoken", "nextcursor"},
}

// rename replaces names in otherNames by the tool's own names. It does not rename an argument
// that the tool knows, or to a name that the call has as well. It returns args unchanged if args
// is no JSON object.
func (t *tool) rename(args json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(args, &members) != nil {
		return args
	}
	renamed := false
	for _, f := range t.fields {
		if _, raw := member(members, f.name); raw != nil {
			continue
		}
		for _, other := range otherNames[f.name] {
			if given, raw := member(members, other); raw != nil && !t.knows(given) {
				delete(members, given)
				members[f.name], renamed = raw, true
				break
			}
		}
	}
	if !renamed {
		return args
	}
	out, err := json.Marshal(members)
	if err != nil {
		panic(err) // impossible, because the raw messages were decoded from JSON
	}
	return out
}

// knows reports whether the tool has an argument of this name, in any spelling.
func (t *tool) knows(name string) bool {
	return slices.ContainsFunc(t.fields, func(f field) bool { return fold(f.name) == fold(name) })
}

// member returns the member called name, in any spelling, and the spelling that was
// given. raw is nil if there is none.
func member(members map[string]json.RawMessage, name string) (given string, raw json.RawMessage) {
	for given, raw := range members {
		if fold(given) == fold(name) {
			return given, raw
		}
	}
	return name, nil
}

// fold returns the same string for all spellings of a name: start_line,
// startLine.
func fold(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}
