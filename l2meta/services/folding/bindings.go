package folding

import (
	"regexp"
	"strings"
)

var (
	mapped   = regexp.MustCompile(`&(?:[\w]+\.)*([\w]+)\s*,\s*"([A-Z][A-Z0-9_]+)"`)
	injected = regexp.MustCompile(
		`@Value\(\s*(?:value\s*=\s*)?("[^"]*"(?:\s*\+\s*(?:"[^"]*"|[\w.]+)){0,4})\s*\)\s*` +
			`(?:(?:private|protected|public|final|val|var|lateinit)\s+)*(?:String\s+)?(\w+)`)
	// constantDefault matches a placeholder whose default is a constant: ${paid.queue:{Queues.PAID}}.
	constantDefault = regexp.MustCompile(`^\$\{([A-Za-z_][\w.-]*):(\{[\w.]+\})\}$`)
	destructure     = regexp.MustCompile(`\{([^{}]*)\}\s*=\s*process\.env\b`)
)

// binding is the text of a name that gets the value of a setting, at a byte offset.
type binding struct {
	text string
	at   int
}

// isBound reports whether a name gets the value of a setting in the file.
func (d *Definitions) isBound(name string) bool { return len(d.bindings()[name]) > 0 }

// bound returns the text of a name that gets the value of a setting: in the function around a byte offset, if it has
// such a parameter, else anywhere in the file. ok is false if there is none.
func (d *Definitions) bound(name string, at int) (text string, ok bool) {
	if text, ok = d.boundHere(name, at); ok || !d.isBound(name) {
		return text, ok
	}
	return d.bindings()[name][0].text, true
}

// boundHere returns the text of a parameter of the function around a byte offset to which a framework passes the value
// of a setting: Queue paid(@Value("${paid.queue}") String name). ok is false for any other name.
func (d *Definitions) boundHere(name string, at int) (text string, ok bool) {
	list := d.bindings()[name]
	own := -1
	if len(list) > 0 {
		own = d.Function(at)
	}
	for _, b := range list {
		if own >= 0 && d.Function(b.at) == own {
			return b.text, true
		}
	}
	return "", false
}

// bindings returns the texts of names that get the value of a setting in another way than by an assignment: by an
// annotation such as @Value, by destructuring process.env, or by a call that is passed a pointer to the variable.
func (d *Definitions) bindings() map[string][]binding {
	if d.envs != nil {
		return d.envs
	}
	d.envs = map[string][]binding{}
	bind := func(name, text string, at int) { d.envs[name] = append(d.envs[name], binding{text, at}) }
	if strings.Contains(d.Text, "@Value(") {
		for _, m := range injected.FindAllStringSubmatchIndex(d.Text, -1) {
			bind(d.Text[m[4]:m[5]], injectedText(d.Text[m[2]:m[3]]), m[0])
		}
	}
	if strings.Contains(d.Text, "process.env") {
		for _, m := range destructure.FindAllStringSubmatchIndex(d.Text, -1) {
			for _, item := range strings.Split(d.Text[m[2]:m[3]], ",") {
				key, _, _ := strings.Cut(item, "=")
				key = strings.TrimSpace(key)
				bind(key, "{env:"+key+"}", m[0])
			}
		}
	}
	if MentionsEnvironment(d.Text) {
		for _, m := range mapped.FindAllStringSubmatchIndex(d.Text, -1) {
			bind(d.Text[m[2]:m[3]], "{env:"+d.Text[m[4]:m[5]]+"}", m[0])
		}
	}
	return d.envs
}

// injectedText returns the text of the argument of @Value, "${paid.queue:orders.paid}". A part that is a constant
// becomes a hole: "${paid.queue:" + Queues.PAID + "}".
func injectedText(arg string) string {
	var b strings.Builder
	for _, part := range strings.Split(arg, "+") {
		if text, ok := Quoted(strings.TrimSpace(part)); ok {
			b.WriteString(strings.ReplaceAll(text, `\$`, "$")) // "\${a.b}" in Kotlin
		} else {
			b.WriteString("{" + strings.TrimSpace(part) + "}")
		}
	}
	if m := constantDefault.FindStringSubmatch(b.String()); m != nil {
		return SettingHole(m[1], m[2])
	}
	return Placeholders(b.String())
}
