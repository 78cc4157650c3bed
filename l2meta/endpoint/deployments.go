package endpoint

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// A manifest names the function that handles an event by its file and its name, or by a class:
//
//	CodeUri: src/mail
//	Handler: app.handler

// moduleEnds are the endings of a file with a function that a manifest names.
var moduleEnds = []string{".py", ".js", ".ts", ".mjs", ".cjs", ".mts", ".rb"}

// deployedAt returns the function that a manifest names as "folder|handler"; the zero Ref if the workspace does not
// have it.
func (rf *routeFinder) deployedAt(manifest *resolve.File, named string) resolve.Ref {
	folder, handler, _ := strings.Cut(named, "|")
	if parts := strings.Split(handler, "::"); len(parts) > 1 {
		return rf.methodBelow(path.Join(path.Dir(manifest.Path), folder), parts[len(parts)-2:])
	}
	dot := strings.LastIndexByte(handler, '.')
	if dot < 0 {
		return resolve.Ref{}
	}
	module, name := path.Join(folder, handler[:dot]), handler[dot+1:]
	modules := []string{module}
	for _, built := range []string{"dist/", "build/", ".build/"} {
		if rest, ok := strings.CutPrefix(module, built); ok {
			modules = append(modules, rest, "src/"+rest)
		}
	}
	for dir := path.Dir(manifest.Path); ; dir = path.Dir(dir) {
		for _, m := range modules {
			for _, end := range moduleEnds {
				if f := rf.World.File(path.Join(dir, m) + end); f != nil {
					return functionIn(f, name)
				}
			}
		}
		if dir == "." || dir == "/" {
			return resolve.Ref{}
		}
	}
}

// functionIn returns the function called name at the top of a file, or the file's own code if it holds none of the
// name.
func functionIn(f *resolve.File, name string) resolve.Ref {
	i := slices.IndexFunc(f.Symbols, func(s code.Symbol) bool {
		return s.Name == name && s.Parent < 0 && s.Kind.Callable()
	})
	return f.Ref(i)
}

// methodBelow returns the method of a class in a folder: named is a class, perhaps with its package, and a method. It
// returns the zero Ref if there are several.
func (rf *routeFinder) methodBelow(folder string, named []string) (only resolve.Ref) {
	class := lookup.LastName(named[0])
	rows, _ := rf.World.Named(named[1])
	for _, row := range rows {
		if !row.Kind.Callable() || row.Class != code.ClassSource ||
			folder != "." && !strings.HasPrefix(row.Path, folder+"/") {
			continue
		}
		ref := rf.World.Ref(row)
		if !ref.Valid() || ref.Symbol().Parent < 0 || ref.File.Symbols[ref.Symbol().Parent].Name != class {
			continue
		}
		if only.Valid() {
			return resolve.Ref{}
		}
		only = ref
	}
	return only
}

// ruled reports whether a rule of EventBridge delivers the event p to the consumer c, a function or a queue.
func (mj *messageJoiner) ruled(p, c *message) (d delivery, ok bool) {
	if c.broker == services.EventBridge {
		sure, how, ok := meetsRule(p, c)
		return delivery{message: c, strategy: StrategyTopic, confidence: sure, how: how}, ok
	}
	for _, b := range mj.messages(l2meta.RoleBind) {
		if b.broker != services.EventBridge || b.handler != c.key || c.key == "" {
			continue
		}
		if sure, how, ok := meetsRule(p, b); ok {
			return delivery{message: c, strategy: StrategyTopic, confidence: sure,
				how: how + " for the queue " + c.key, rests: []string{b.file.Path}}, true
		}
	}
	return d, false
}

// meetsRule compares the type and the source of an event with those that a rule requires.
func meetsRule(p, rule *message) (sure float64, how string, ok bool) {
	fits := func(given, required string) bool {
		start, open := strings.CutSuffix(required, services.AnyEvent)
		return given == required || open && strings.HasPrefix(given, start)
	}
	how = "the rule takes in " + p.key + " of " + p.scope
	switch knownKey, knownScope := !hole(p.key), p.scope != "" && !hole(p.scope); {
	case knownKey && knownScope:
		return confidenceTopic, how, fits(p.key, rule.key) && fits(p.scope, rule.scope)
	case knownKey:
		return confidenceAlike, how + ", which is not known", p.key == rule.key
	case knownScope:
		return confidenceAlike, how + ", whose type is not known", p.scope == rule.scope && rule.key == services.AnyEvent
	}
	return 0, "", false
}
