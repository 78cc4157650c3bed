package services

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
)

// Facts with the name l2meta.RoleHost record where services listen and which settings they have.
// Their Type is "env NAME value deployment" for a variable, "key KEY value" for a setting in a
// service's files, "arg ADDRESS deployment" for an address that is an argument of a program,
// "name NAME" for a network name, or "name NAME folder" for a network name of the service in a
// folder, relative to that of the file.

var (
	yamlPair = regexp.MustCompile(
		`(?m)^\s*-?\s*name:\s*["']?([A-Z][A-Z0-9_]+|[A-Za-z]\w*__\w+)["']?\s*\n\s*value:\s*["']?([^"'\n#]+)`)
	yamlEntry = regexp.MustCompile(
		`(?m)^\s*(?:-\s*)?["']?([A-Z][A-Z0-9_]{2,}|[A-Za-z]\w*__\w+)["']?\s*[:=]\s*["']?([^"'\s#]+)`)
	// flowPair and flowEntry match the same in flow mappings: {name: CART_URL, value: cart:80}, {CART_URL: cart:80}.
	flowPair = regexp.MustCompile(
		`\{\s*name:\s*["']?([A-Z][A-Z0-9_]+|[A-Za-z]\w*__\w+)["']?\s*,\s*value:\s*["']?([^"'\n#,}]+)`)
	flowEntry = regexp.MustCompile(
		`[{,]\s*["']?([A-Z][A-Z0-9_]{2,}|[A-Za-z]\w*__\w+)["']?\s*:\s*["']?((?:\$\{[^}]*\}|[^"'\s#,}])+)`)
	hostLike    = regexp.MustCompile(`^(?:[a-z+]+://)?[A-Za-z][\w.-]*(?::[\d${}A-Z_a-z]+)?(?:/.*)?$`)
	addressLike = regexp.MustCompile(
		`(?i)(?:ADDR|ADDRESS|HOST|HOSTNAME|URL|URI|ENDPOINT|TARGET|UPSTREAM|BACKEND|_SERVICE|_SVC|_SERVER|_API|(?:TOPIC|QUEUE|CHANNEL|SUBJECT|EXCHANGE|ROUTING_KEY|STREAM)(?:_?NAME)?)$`)
	springName = regexp.MustCompile(
		`(?m)^spring:\s*\n(?:[ \t]+.*\n|\s*\n)*?[ \t]+application:\s*\n[ \t]+name:\s*["']?([\w.-]+)|^spring\.application\.name\s*[=:]\s*([\w.-]+)`)
	// rootPath matches the setting rootPath of Dropwizard, the path below which all routes are.
	rootPath   = regexp.MustCompile(`(?m)^server:[ \t]*\r?\n(?:[ \t]+.*\n)*?[ \t]+rootPath:[ \t]*["']?(/[\w./-]*\w)`)
	loadedHost = regexp.MustCompile(`(?:--host|-H)["',=\s]+(https?://[^\s"',\]]+)`)
	// shellVariable matches a variable of a shell without braces, $TARGET_HOST.
	shellVariable = regexp.MustCompile(`\$([A-Za-z_]\w*)`)
	aspireName    = regexp.MustCompile(`AddProject<\s*Projects\.(\w+)\s*>\(\s*"([\w.-]+)"`)
)

// LoadedHost is the variable with the host that a Locust load generator calls. The command line
// may also set it.
const LoadedHost = "LOCUST_HOST"

// maxHosts is the largest number of facts about hosts and settings of one manifest.
const maxHosts = 500

// contextKeys lists the settings that define a path prefix for all routes of a service.
var contextKeys = map[string]bool{
	"server.servlet.context-path": true, "server.servlet.contextPath": true, "server.context-path": true,
	"server.contextPath": true, "spring.webflux.base-path": true, "spring.mvc.servlet.path": true,
	"micronaut.server.context-path": true, "quarkus.http.root-path": true, "quarkus.servlet.context-path": true,
}

// hostEndpoints returns facts about the names, ports and settings that a configuration file or a .NET Aspire host
// defines.
func hostEndpoints(f *code.File) (out []code.Fact) {
	keep := func(text string, at int) {
		if len(out) < maxHosts {
			out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleHost, Type: text,
				Span: source.SpanOfLine(f.Text, at)})
		}
	}
	base := strings.ToLower(path.Base(f.Path))
	switch {
	case f.Language == "csharp":
		for _, m := range aspireName.FindAllSubmatchIndex(f.Text, -1) {
			keep("name "+string(f.Text[m[4]:m[5]])+" Projects."+string(f.Text[m[2]:m[3]]), m[0])
		}
		return out
	case f.Language == "yaml" && strings.HasPrefix(base, "application"), base == "application.properties":
		if m := springName.FindSubmatchIndex(f.Text); m != nil {
			name := string(f.Text[max(m[2], m[4]):max(m[3], m[5])])
			keep("name "+name+" .", m[0])
		}
	case f.Language == "yaml":
		of := newBlocks(f)
		for _, pattern := range []*regexp.Regexp{yamlPair, yamlEntry, flowPair, flowEntry} {
			for _, m := range pattern.FindAllSubmatchIndex(f.Text, -1) {
				keepVariable(f, m, of, keep)
			}
		}
		if strings.Contains(base, "compose") || configtree.IsCompose(string(f.Text)) {
			composeHosts(f, keep)
		}
		programArguments(f, of, keep)
	case f.Language == "dockerfile":
		for _, m := range dockerArgument.FindAllIndex(f.Text, -1) {
			keepArguments(f.Text[m[0]:m[1]], "", m[0], keep)
		}
	}
	if f.Language == "yaml" && bytes.Contains(f.Text, []byte("rootPath:")) {
		if m := rootPath.FindSubmatchIndex(f.Text); m != nil {
			out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleMount,
				Type: "*\t" + string(f.Text[m[2]:m[3]]) + "\t..", Span: source.SpanOfLine(f.Text, m[2])})
		}
	}
	if bytes.Contains(f.Text, []byte("locust")) {
		for _, m := range loadedHost.FindAllSubmatchIndex(f.Text, -1) {
			host := shellVariable.ReplaceAllString(string(f.Text[m[2]:m[3]]), "$${$1}")
			keep("key "+LoadedHost+" "+folding.Placeholders(host), m[0])
		}
	}
	if isSettings(f.Path) {
		prefixes := map[string]bool{}
		for _, l := range leaves(f.Path, f.Text) {
			if contextKeys[l.key()] && strings.HasPrefix(l.value, "/") && !prefixes[l.value] {
				prefixes[l.value] = true // a file may say it in the words of several versions of a framework
				out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleMount,
					Type: "*\t" + l.value + "\t..", Span: source.SpanOfLine(f.Text, l.at)})
			}
			if value := discovered(folding.Placeholders(l.value)); setsAddress(l.key(), value) {
				keep("key "+l.key()+" "+value, l.at)
			}
		}
	}
	return out
}

// KeepSetting records a setting that the service of the file reads by its key, if it may be part of an address or the
// name of a topic.
func (r *Reader) KeepSetting(key, value string, at int) { r.keepSetting("key", key, value, at) }

// KeepDefault records, in the same way, the value of a setting that nothing else sets.
func (r *Reader) KeepDefault(key, value string, at int) { r.keepSetting("default", key, value, at) }

func (r *Reader) keepSetting(kind, key, value string, at int) {
	if setsAddress(key, value) && len(r.out) < maxHosts {
		r.Add(code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleHost, Type: kind + " " + key + " " + value,
			Span: r.SpanAt(at)})
	}
}

// KeepPrefix records a prefix of the environment variables that the service of the file reads: of orders_kafka_topic
// for kafka.topic.
func (r *Reader) KeepPrefix(prefix string, at int) {
	if prefix != "" && !strings.ContainsAny(prefix, " \t\n{}") {
		r.Add(code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleHost, Type: "prefix " + prefix,
			Span: r.SpanAt(at)})
	}
}

// discovered returns the value of a setting, in which the name of a service that Stork finds is replaced by the setting
// with its addresses: stork://stock/api becomes http://{env:quarkus.stork.stock.service-discovery.address-list}/api.
func discovered(value string) string {
	rest, ok := strings.CutPrefix(value, "stork://")
	if !ok || strings.Contains(rest, "{") {
		return value
	}
	name, below, _ := strings.Cut(rest, "/")
	if below != "" {
		below = "/" + below
	}
	return "http://" + folding.SettingHole("quarkus.stork."+name+".service-discovery.address-list", "") + below
}

// setsAddress reports whether a setting may be part of an address, or the name of a topic or queue.
func setsAddress(key, value string) bool {
	if len(value) > 200 || strings.ContainsAny(value, " \t\r\n\"'") || folding.IsSecret(key, value) {
		return false
	}
	return strings.Contains(value, "://") || strings.HasPrefix(value, "/") || strings.HasPrefix(value, "{env:") ||
		hostAndPort.MatchString(value) ||
		folding.MentionsAddress(key) || belowTopics(key) || namesService(key, value)
}

// namesService reports whether a setting may hold the name of a service. services.stock.name of a program may; a
// setting of a framework may not.
func namesService(key, value string) bool {
	return strings.HasSuffix(key, ".name") && !frameworkKeys.MatchString(key) && bareName.MatchString(value)
}

var (
	frameworkKeys = regexp.MustCompile(`^(?:spring|logging|management|server|quarkus|micronaut)\.`)
	bareName      = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
)

// belowTopics reports whether a part of a key suggests topics: kafka.topics.created, kafka-topics.created.
func belowTopics(key string) bool {
	parts := strings.Split(strings.ToLower(key), ".")
	for i, part := range parts {
		words := []string{part}
		if i < len(parts)-1 { // the last part is no group of topics: it may be queue-size
			words = strings.FieldsFunc(part, func(c rune) bool { return c == '-' || c == '_' })
		}
		if slices.ContainsFunc(words, func(w string) bool {
			return slices.Contains(folding.TopicWords, strings.TrimSuffix(w, "s"))
		}) {
			return true
		}
	}
	return false
}

func keepVariable(f *code.File, m []int, of *blocks, keep func(string, int)) {
	if quoted := strings.IndexByte("\"'", f.Text[m[4]-1]) >= 0; quoted && m[5] < len(f.Text) && f.Text[m[5]] == ' ' {
		return // a text of several words
	}
	name, value := string(f.Text[m[2]:m[3]]), strings.TrimSpace(string(f.Text[m[4]:m[5]]))
	// the value may be a variable with a default: ${A_URL:-http://a}
	if given := interpolated.FindStringSubmatch(value); given != nil {
		value = given[1]
	}
	if addressLike.MatchString(name) && !folding.IsSecret(name, value) && hostLike.MatchString(value) {
		keep(strings.TrimSpace("env "+name+" "+value+" "+of.at(m[0])), m[0])
	}
}

var (
	interpolated = regexp.MustCompile(`^\$\{\w+:?-([^{}]+)\}$`)
	metadataName = regexp.MustCompile(`(?m)^metadata:[ \t]*\r?\n(?:[ \t]+.*\r?\n)*?[ \t]+name:[ \t]*["']?([\w.-]+)`)
	isConfigMap  = regexp.MustCompile(`(?m)^kind:[ \t]*["']?(?:ConfigMap|Secret)\b`)
)

// blocks indexes the deployments of a manifest: the services of a compose file, and the Kubernetes
// workloads, one per document.
type blocks struct {
	services  []*code.Symbol
	documents []int // offsets of the starts of the documents, ascending
	workloads []string
}

// newBlocks finds the deployments in a manifest.
func newBlocks(f *code.File) *blocks {
	b := &blocks{}
	for i := range f.Symbols {
		if isComposeService(f, i) {
			b.services = append(b.services, &f.Symbols[i])
		}
	}
	separator := []byte("\n---")
	for from := 0; from < len(f.Text); {
		to := len(f.Text)
		if i := bytes.Index(f.Text[from+1:], separator); i >= 0 {
			to = from + 1 + i
		}
		name := ""
		document := f.Text[from:to]
		if m := metadataName.FindSubmatch(document); m != nil && !isConfigMap.Match(document) {
			name = string(m[1])
		}
		b.documents, b.workloads = append(b.documents, from), append(b.workloads, name)
		from = to
	}
	return b
}

// at returns the name of the deployment that defines the variable at a byte offset; "" if there is none, or if
// several deployments may use the variable.
func (b *blocks) at(at int) string {
	i := sort.Search(len(b.services), func(i int) bool { return b.services[i].Span.EndByte > at })
	if i < len(b.services) && b.services[i].Span.StartByte <= at {
		return b.services[i].Name
	}
	if i := sort.SearchInts(b.documents, at+1) - 1; i >= 0 {
		return b.workloads[i]
	}
	return ""
}

// isComposeService reports whether a symbol is a service of a compose file.
func isComposeService(f *code.File, symbol int) bool {
	p := f.Symbols[symbol].Parent
	return p >= 0 && f.Symbols[p].Name == "services" && f.Symbols[p].Parent < 0
}

var (
	// argumentLine matches a line of YAML that holds arguments: an item of a list, or the whole list.
	argumentLine  = regexp.MustCompile(`(?m)^[ \t]*(?:-[ \t]|(?:command|args|entrypoint):).*https?://.*$`)
	argumentsList = regexp.MustCompile(`^[ \t]*(?:command|args|entrypoint):`)
	// argument matches an address that is one of the words of a command.
	argument       = regexp.MustCompile(`["'\s](https?://[a-z][\w.-]*(?::\d+)?/?)(?:["'\s\],]|$)`)
	dockerArgument = regexp.MustCompile(`(?m)^(?:CMD|ENTRYPOINT)\b.*https?://.*$`)
)

// programArguments records the addresses that a manifest passes to programs as arguments, with the deployment that
// passes them: command: ["-v", "http://db"].
func programArguments(f *code.File, of *blocks, keep func(string, int)) {
	for _, m := range argumentLine.FindAllIndex(f.Text, maxHosts) {
		line := f.Text[m[0]:m[1]]
		if !argumentsList.Match(line) && !argumentsList.Match(headOfList(f.Text, m[0])) {
			continue
		}
		if deployment := of.at(m[0]); deployment != "" {
			keepArguments(line, " "+deployment, m[0], keep)
		}
	}
}

// keepArguments records the addresses in a line of arguments.
func keepArguments(line []byte, deployment string, at int, keep func(string, int)) {
	for _, m := range argument.FindAllSubmatch(line, maxHosts) {
		keep("arg "+string(m[1])+deployment, at)
	}
}

// headOfList returns the line before the list in YAML that contains an item at a byte offset.
func headOfList(text []byte, at int) []byte {
	for at > 0 {
		start := bytes.LastIndexByte(text[:at-1], '\n') + 1
		line := text[start : at-1]
		if trimmed := bytes.TrimLeft(line, " \t"); len(trimmed) > 0 && trimmed[0] != '-' && trimmed[0] != '#' {
			return line
		}
		at = start
	}
	return nil
}

// composeHosts records the folders that the services of a compose file are built from.
func composeHosts(f *code.File, keep func(string, int)) {
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if !isComposeService(f, i) {
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
