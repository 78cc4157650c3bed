package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"sextant/internal/declared"
	"sextant/internal/spelling"
)

// configFiles lists the configuration files of a root. Only the first one that exists is read.
var configFiles = [...]string{"sextant.toml", "satori.toml"}

// indexConfig is the section [index] of the configuration file.
type indexConfig struct {
	Profile    string   `toml:"profile"`
	Ignore     []string `toml:"ignore"`
	Extensions []string `toml:"extensions"`
}

// configKeys lists the keys that the sextant.toml of a workspace may have.
var configKeys = []string{"index.profile", "index.ignore", "index.extensions", "declare.function",
	"declare.transport", "declare.broker", "declare.method", "declare.path", "declare.service", "declare.topic",
	"declare.handler"}

// loadConfig reads sextant.toml. A profile in the policy takes precedence.
func (b *base) loadConfig(root string, was *base) {
	for _, name := range configFiles {
		abs := filepath.Join(root, name)
		if st, err := os.Lstat(abs); err != nil || !st.Mode().IsRegular() {
			continue
		}
		f := outsideRules(abs, was.file(abs))
		if f == nil {
			continue
		}
		if f.text == nil {
			b.files = append(b.files, f)
			return
		}
		read := *f
		b.files = append(b.files, &read)
		var c indexConfig
		if c, b.declared, read.notes, read.err = parseConfig(f.text, name == configFiles[0]); read.err != nil {
			return
		}
		b.config = newRuleList(c.Ignore, "")
		addExtensions(b.custom, c.Extensions)
		if b.profile == "" {
			b.profile = c.Profile
		}
		return
	}
}

// parseConfig parses a configuration file. An unknown key does not invalidate the rest. In
// sextant.toml (own is set) it is reported as a note; satori.toml may have keys for another
// program. Notes and errors begin with the line number.
func parseConfig(text []byte, own bool) (c indexConfig, calls []declared.Call, notes []string, err error) {
	var file struct {
		Index   indexConfig      `toml:"index"`
		Declare []declared.Entry `toml:"declare"`
	}
	decoder := toml.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&file)
	var unknown *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		for i := range unknown.Errors {
			line, _ := unknown.Errors[i].Position()
			notes = append(notes, fmt.Sprintf("line %d: %s", line, unknownKey(unknown.Errors[i].Key())))
		}
	case errors.As(err, &bad):
		line, _ := bad.Position()
		what := strings.TrimPrefix(bad.Error(), "toml: ")
		if key := strings.Join(bad.Key(), "."); key != "" && !strings.Contains(what, key) {
			what = key + ": " + what
		}
		return c, nil, nil, fmt.Errorf("line %d: %s; the file is ignored until this is fixed", line, what)
	case err != nil:
		return c, nil, nil, err
	}
	if !knownProfile(file.Index.Profile) {
		return c, nil, nil, fmt.Errorf("unknown profile %q; use default, minimal or all-text. "+
			"The file is ignored until this is fixed", file.Index.Profile)
	}
	calls, wrong := declared.Read(file.Declare)
	if notes = append(notes, wrong...); !own {
		notes = nil
	}
	return file.Index, calls, notes, nil
}

// unknownKey explains an unknown key and suggests the key that may have been
// meant.
func unknownKey(key []string) string {
	name := strings.Join(key, ".")
	switch {
	case key[0] == "embedder" || key[0] == "servers":
		return fmt.Sprintf("%q is only read from the sextant.toml of the folder that holds the indexes, "+
			"never from a workspace's", name)
	case len(key) == 1 && slices.Contains(configKeys, "index."+name):
		return fmt.Sprintf("%q belongs below [index]", name)
	}
	last := strings.ToLower(key[len(key)-1])
	if near := spelling.Nearest(strings.Join(append(sectionOf(key), last), "."), configKeys); near != "" {
		return fmt.Sprintf("there is no key %q; %s is the nearest", name, near)
	}
	return fmt.Sprintf("there is no key %q; known are %s", name, strings.Join(configKeys, ", "))
}

// sectionOf returns the section that an unknown key may belong to: "declare" for declare.x, else
// "index".
func sectionOf(key []string) []string {
	if len(key) > 1 && key[0] == "declare" {
		return []string{"declare"}
	}
	return []string{"index"}
}
