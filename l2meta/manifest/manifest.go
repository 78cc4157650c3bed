// Package manifest reads project files that define module names.
package manifest

import (
	"encoding/json"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/modfile"

	"sextant/internal/code"
)

// A manifest defines module names: module paths, replacements, path aliases, workspaces, entry
// points, global usings of C#. Each scalar value in it is stored as a fact of the file: a
// FactField with the JSON pointer (RFC 6901) as Name and the value as Type:
// {"/compilerOptions/paths/@app~1*/0", "src/*"}.

// maxManifestLeaves is the largest number of facts of one manifest. A text longer than
// maxManifestBytes is not read.
const (
	maxManifestLeaves = 4000
	maxManifestBytes  = 1 << 20
)

// manifestReader returns the function that parses the manifest p into maps, lists and scalars; nil
// if p is no manifest.
func manifestReader(p string) func([]byte) (any, error) {
	switch base := path.Base(p); {
	case base == "go.mod" || base == "go.work":
		return readGoMod
	case base == "package.json" || base == "composer.json" || base == "deno.json" ||
		(strings.HasPrefix(base, "tsconfig") || strings.HasPrefix(base, "jsconfig")) &&
			strings.HasSuffix(base, ".json"):
		return readJSON
	case base == "Cargo.toml" || base == "pyproject.toml":
		return readTOML
	case base == "pnpm-workspace.yaml":
		return readYAML
	case slices.Contains([]string{".csproj", ".props", ".targets"}, path.Ext(base)):
		return readMSBuild
	}
	return nil
}

// Facts returns the scalar values in a manifest as facts, in order of their JSON pointers. It
// returns nil for any other file, and for a manifest that is too long or has syntax errors.
func Facts(p string, text []byte) []code.Fact {
	read := manifestReader(p)
	if read == nil || len(text) > maxManifestBytes {
		return nil
	}
	value, err := read(text)
	if err != nil {
		return nil
	}
	var facts []code.Fact
	leaves("", value, func(pointer, value string) {
		if len(facts) < maxManifestLeaves {
			facts = append(facts, code.Fact{Kind: code.FactField, Owner: -1, Name: pointer, Type: value})
		}
	})
	sort.SliceStable(facts, func(i, j int) bool { return facts[i].Name < facts[j].Name })
	return facts
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

func leaves(at string, value any, found func(pointer, value string)) {
	switch v := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			leaves(at+"/"+pointerEscape.Replace(k), v[k], found)
		}
	case []any:
		for i, e := range v {
			leaves(at+"/"+strconv.Itoa(i), e, found)
		}
	case string:
		found(at, v)
	case bool:
		found(at, strconv.FormatBool(v))
	}
}

// readJSON parses JSON with comments and trailing commas, as in tsconfig.json.
func readJSON(text []byte) (value any, err error) {
	standard, err := hujson.Standardize(text)
	if err != nil {
		return nil, err
	}
	return value, json.Unmarshal(standard, &value)
}

func readTOML(text []byte) (any, error) {
	value := map[string]any{}
	return value, toml.Unmarshal(text, &value)
}

func readYAML(text []byte) (any, error) {
	value := map[string]any{}
	return value, yaml.Unmarshal(text, &value)
}

// readGoMod returns {module, replace: [{old, new}]} for a go.mod, and {use: [dir], replace: …}
// for a go.work. The value of new is the path of a module, or a folder as written.
func readGoMod(text []byte) (any, error) {
	out := map[string]any{}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil { // a directive that this version does not know; lax reading drops replacements
		mod, err = modfile.ParseLax("go.mod", text, nil)
	}
	if err == nil && mod.Module != nil {
		out["module"] = mod.Module.Mod.Path
		out["replace"] = replacements(mod.Replace)
		return out, nil
	}
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return nil, err
	}
	var use []any
	for _, u := range work.Use {
		use = append(use, u.Path)
	}
	out["use"], out["replace"] = use, replacements(work.Replace)
	return out, nil
}

func replacements(list []*modfile.Replace) (out []any) {
	for _, r := range list {
		out = append(out, map[string]any{"old": r.Old.Path, "new": r.New.Path})
	}
	return out
}
