package services

import (
	"path"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
)

// What manifests say of where services listen, under RoleHost: "env NAME value"
// for a variable, "name NAME" for a name in the network, "name NAME folder" for
// one that the service of a folder beside the file has.

var (
	yamlPair    = regexp.MustCompile(`(?m)^\s*-?\s*name:\s*["']?([A-Z][A-Z0-9_]+)["']?\s*\n\s*value:\s*["']?([^"'\n#]+)`)
	yamlEntry   = regexp.MustCompile(`(?m)^\s*(?:-\s*)?["']?([A-Z][A-Z0-9_]{2,})["']?\s*[:=]\s*["']?([^"'\s#]+)`)
	hostLike    = regexp.MustCompile(`^(?:[a-z+]+://)?[A-Za-z][\w.-]*(?::[\d${}A-Z_a-z]+)?(?:/.*)?$`)
	addressLike = regexp.MustCompile(`(?:ADDR|ADDRESS|HOST|HOSTNAME|URL|URI|ENDPOINT|TARGET|UPSTREAM|BACKEND|_SERVICE|_SVC|_SERVER|_API)$`)
	secretLike  = regexp.MustCompile(`KEY|SECRET|PASSWORD|PASSWD|TOKEN|CREDENTIAL`)
	springName  = regexp.MustCompile(`(?m)^spring:\s*\n(?:[ \t]+.*\n|\s*\n)*?[ \t]+application:\s*\n[ \t]+name:\s*["']?([\w.-]+)|^spring\.application\.name\s*[=:]\s*([\w.-]+)`)
	aspireName  = regexp.MustCompile(`AddProject<\s*Projects\.(\w+)\s*>\(\s*"([\w.-]+)"`)
)

// maxHosts bounds what one manifest says of hosts.
const maxHosts = 500

// hostEndpoints is what f says of hosts.
func hostEndpoints(f *code.File) (out []code.Fact) {
	keep := func(text string, at int) {
		if len(out) < maxHosts {
			out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleHost, Type: text, Span: spanOfLine(f.Text, at)})
		}
	}
	base := strings.ToLower(path.Base(f.Path))
	switch {
	case f.Language == "csharp":
		for _, m := range aspireName.FindAllSubmatchIndex(f.Text, -1) {
			keep("name "+string(f.Text[m[4]:m[5]])+" "+string(f.Text[m[2]:m[3]]), m[0])
		}
	case f.Language == "yaml" && strings.HasPrefix(base, "application"), base == "application.properties":
		if m := springName.FindSubmatchIndex(f.Text); m != nil {
			name := string(f.Text[max(m[2], m[4]):max(m[3], m[5])])
			keep("name "+name+" .", m[0])
		}
	case f.Language == "yaml":
		for _, m := range yamlPair.FindAllSubmatchIndex(f.Text, -1) {
			keepVariable(f, m, keep)
		}
		for _, m := range yamlEntry.FindAllSubmatchIndex(f.Text, -1) {
			keepVariable(f, m, keep)
		}
		if strings.Contains(base, "compose") {
			composeHosts(f, keep)
		}
	}
	return out
}

func keepVariable(f *code.File, m []int, keep func(string, int)) {
	name, value := string(f.Text[m[2]:m[3]]), strings.TrimSpace(string(f.Text[m[4]:m[5]]))
	if addressLike.MatchString(name) && !secretLike.MatchString(name) && hostLike.MatchString(value) {
		keep("env "+name+" "+value, m[0])
	}
}

// composeHosts names the folders that the services of a compose file are built
// from.
func composeHosts(f *code.File, keep func(string, int)) {
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Parent < 0 || f.Symbols[s.Parent].Name != "services" || f.Symbols[s.Parent].Parent >= 0 {
			continue
		}
		folder := ""
		if m := composeContext.FindSubmatch(f.Text[s.Span.StartByte:s.Span.EndByte]); m != nil {
			folder = strings.Trim(string(m[1])+string(m[2]), `"' `)
		}
		keep(strings.TrimSpace("name "+s.Name+" "+strings.TrimPrefix(folder, "./")), s.Span.StartByte)
	}
}

var composeContext = regexp.MustCompile(`(?m)^\s+(?:build:[ \t]*([^\s#{]+)|context:[ \t]*([^\s#{]+))`)

// spanOfLine is the line of a byte.
func spanOfLine(text []byte, at int) code.Span {
	for at < len(text) && (text[at] == '\n' || text[at] == '\r') {
		at++
	}
	line := 1
	for _, b := range text[:at] {
		if b == '\n' {
			line++
		}
	}
	return code.Span{StartByte: at, EndByte: at, StartLine: line, EndLine: line, StartColumn: 1, EndColumn: 1}
}
