package services

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
)

// commandFiles are the languages of files in which shell commands occur.
var commandFiles = map[string]bool{"bash": true, "markdown": true, "makefile": true, "json": true,
	"powershell": true}

var (
	daprRun = regexp.MustCompile("\\bdapr\\s+run\\b(?:[^\\n`]|\\\\\\r?\\n)*?\\s--?app-id[=\\s]+[\"']?([\\w.-]+)")
	entered = regexp.MustCompile(`(?m)^[ \t>$]*cd[ \t]+["']?([\w./-]+)`)
)

// daprRuns returns the ids that the commands in a file give to applications: dapr run --app-id orders runs the
// program in the file's folder, or in the folder that an earlier cd in the same block enters.
func daprRuns(f *code.File) (out []code.Fact) {
	if !commandFiles[f.Language] || !bytes.Contains(f.Text, []byte("app-id")) {
		return nil
	}
	for _, m := range daprRun.FindAllSubmatchIndex(f.Text, maxHosts) {
		block := f.Text[:m[0]]
		if i := bytes.LastIndex(block, []byte("```")); i >= 0 {
			block = block[i:]
		}
		folder := "."
		if cd := entered.FindAllSubmatch(block[max(0, len(block)-maxEndpointText):], -1); len(cd) > 0 {
			folder = strings.TrimPrefix(string(cd[len(cd)-1][1]), "./")
		}
		out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleHost,
			Type: "name " + string(f.Text[m[2]:m[3]]) + " " + folder, Span: spanOfLine(f.Text, m[0])})
	}
	return out
}
