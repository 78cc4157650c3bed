package php

import (
	"path"
	"strings"

	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// maxConfigDepth bounds the nesting of arrays in a settings file.
const maxConfigDepth = 5

// readConfig records the settings in a file of Laravel's config folder. config('services.users.base_uri') reads the
// entry base_uri in the entry users of the array that config/services.php returns.
func readConfig(r *services.Reader) {
	file := r.File.Path
	if path.Base(path.Dir(file)) != "config" {
		return
	}
	at := strings.Index(r.Text, "return [")
	if at < 0 {
		return
	}
	at += len("return [")
	readEntries(r, strings.TrimSuffix(path.Base(file), ".php"), r.Text[at:], at, 0)
}

// readEntries records the entries of an array literal. text is the source text after its opening bracket.
func readEntries(r *services.Reader, key, text string, at, depth int) {
	for _, item := range folding.ListItems(text) {
		name, value, ok := strings.Cut(item, "=>")
		if name = strings.TrimSpace(name); !ok || !isText(name) {
			continue
		}
		value = strings.TrimSpace(value)
		if strings.HasPrefix(value, "[") {
			if depth < maxConfigDepth {
				readEntries(r, key+"."+plain(name), value[1:], at, depth+1)
			}
			continue
		}
		if !strings.ContainsAny(value, "'\"") || strings.Contains(value, "::class") {
			continue
		}
		r.KeepSetting(key+"."+plain(name), r.Fold(value, at), at)
	}
}
