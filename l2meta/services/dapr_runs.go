package services

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
)

// commandFiles lists the languages of files in which shell commands occur.
var commandFiles = map[string]bool{"bash": true, "markdown": true, "makefile": true, "json": true,
	"powershell": true}

var (
	daprRun = regexp.MustCompile("\\bdapr\\s+run\\b(?:[^\\n`]|\\\\\\r?\\n)*?\\s--?app-id[=\\s]+[\"']?([\\w.-]+)")
	entered = regexp.MustCompile(`(?m)^[ \t>$]*cd[ \t]+["']?([\w./-]+)`)
	// restOfRun matches the rest of the command after the id, on further lines if they are
	// continued.
	restOfRun = regexp.MustCompile("^(?:[^\\n`\\\\]|\\\\\\r?\\n|\\\\)*")
	// programSource matches a file with source code, or a main class, in a command.
	programSource = regexp.MustCompile(
		`^(?:\./)?((?:[\w-]+/)*[\w.-]+\.(?:py|[cm]?js|ts|go|rb|php|rs|csx)|(?:[a-z]\w*\.)+[A-Z]\w*)$`)
	programBuilt = regexp.MustCompile(`^\./((?:[\w-]+/)*[\w-]+)$`)
	optionsEnd   = regexp.MustCompile(`(?:^|\s)--(?:\s|$)`)
)

// daprRuns returns the ids that the commands in a file give to applications: dapr run --app-id orders -- node app.js
// runs app.js in the file's folder, or in the folder that an earlier cd in the same block enters.
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
		if cd := entered.FindAllSubmatch(block[max(0, len(block)-folding.MaxEndpointText):], -1); len(cd) > 0 {
			folder = strings.TrimPrefix(string(cd[len(cd)-1][1]), "./")
		}
		rest := restOfRun.Find(f.Text[m[1]:min(len(f.Text), m[1]+folding.MaxEndpointText)])
		text := strings.TrimSpace("name " + string(f.Text[m[2]:m[3]]) + " " + folder + " " + programOf(string(rest)))
		out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleHost, Type: text,
			Span: source.SpanOfLine(f.Text, m[0])})
	}
	return out
}

// programOf returns the program in the rest of a command: app.js of "--app-port 3000 -- node
// app.js", orders/main.go of "go run ./orders/main.go", io.shop.Orders of "java -jar shop.jar
// io.shop.Orders". It returns "" if the command names no program.
func programOf(rest string) string {
	if at := optionsEnd.FindStringIndex(rest); at != nil {
		rest = rest[at[1]:]
	}
	words := strings.Fields(strings.NewReplacer("\\", " ", `"`, " ", "'", " ").Replace(rest))
	for _, word := range words {
		if m := programSource.FindStringSubmatch(word); m != nil {
			return m[1]
		}
	}
	for i, word := range words {
		if m := programBuilt.FindStringSubmatch(word); m != nil && (i == 0 || !strings.HasPrefix(words[i-1], "-")) {
			return m[1]
		}
	}
	return ""
}
