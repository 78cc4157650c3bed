package grep

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/tokens"
)

// language has the patterns by which an agent recognizes declarations of a
// language.
type language struct {
	flag     string   // ripgrep's option that selects its files
	endings  []string // endings of the language's files
	declares string   // pattern of a declaration of NAME
	method   string   // pattern of the method NAME of OWNER; "" if such a line does not name the owner
	any      string   // pattern of any declaration with a body
	exports  string   // pattern of an exported declaration
	keywords []string // words before a parenthesis that are no callee, such as if
}

var languages = []language{
	{
		flag: "-tgo", endings: []string{".go"},
		declares: `(func|type|var|const) (\(.*\) )?NAME\b|^\tNAME\b`,
		method:   `func \([^)]*\bOWNER\b[^)]*\) NAME\b|^\tNAME\(`,
		any:      `^(func|type|var|const) |^\t[A-Z]\w+ +=`,
		exports:  `^(func (\([^)]*\) )?|type |var |const |\t)[A-Z]`,
		keywords: []string{"func", "if", "for", "switch", "return", "make", "len", "cap", "append", "panic", "string",
			"int", "uint64", "int64", "byte", "copy", "new", "delete", "error", "close", "recover", "min", "max"},
	},
	{
		flag: "-tpy", endings: []string{".py"},
		declares: `(def|class) NAME\b|^NAME\s*[:=]`,
		any:      `^\s*(async )?(def|class) `,
		exports:  `^(async def|def|class) [^_]`,
		keywords: []string{"if", "for", "while", "return", "print", "len", "isinstance", "super",
			"str", "int", "dict", "list",
			"tuple", "set", "getattr", "setattr", "hasattr", "type", "and", "or", "not", "in",
			"def", "class", "property"},
	},
	{
		flag: "-tjava", endings: []string{".java"},
		declares: `(class|interface|enum|record) NAME\b|^\s+[\w.<>\[\], ?@]+ NAME\(|^\s+NAME\(.*[,{]$`,
		any:      `(class|interface|enum|record) \w+|^\s+[\w.<>\[\], ?@]+ \w+\([^;]*$`,
		exports:  `^\s*public `,
		keywords: []string{"if", "for", "while", "switch", "catch", "return", "synchronized",
			"super", "this", "new", "try"},
	},
	{
		flag: "-tts", endings: []string{".ts", ".tsx", ".mts", ".cts"},
		declares: `(function\*?|class|interface|type|enum|const|let|var|namespace) NAME\b|^\s+((public|private|protected|static|async|get|set|readonly|override|abstract) )*\*?NAME\s*[(<=:?]`,
		any:      `^\s*(export )?(default )?(abstract )?(async )?(function|class|interface) |^\s+((public|private|protected|static|async|get|set|override) )*\w+\(.*\{$`,
		exports:  `^export |^\s+(public |async |static |get )*\w+\(.*\{$`,
		keywords: []string{"if", "for", "while", "switch", "catch", "return", "function", "super", "require", "import",
			"typeof", "await", "push", "map", "filter", "forEach", "join", "Error", "String", "Number"},
	},
}

// languageOf returns the language of the task's file. A task without a file has the language of its
// first target, since a question such as "where is the function …" shows it.
func languageOf(t *tokens.Task) *language {
	name := t.File
	if name == "" {
		name = t.Targets[0][0].File
	}
	for i := range languages {
		if slices.Contains(languages[i].endings, path.Ext(name)) {
			return &languages[i]
		}
	}
	return &language{declares: `\bNAME\b`, any: `^\w`, exports: `^\w`}
}

func (l *language) has(name string) bool {
	return len(l.endings) == 0 || slices.Contains(l.endings, path.Ext(name))
}

// declared is a search for declarations. text is its pattern, for the command line.
type declared struct {
	search
	text string
}

// declaration returns the search for the declarations of names.
func (l *language) declaration(names ...string) declared {
	alternatives := names[0]
	if len(names) > 1 {
		alternatives = "(" + strings.Join(names, "|") + ")"
	}
	pattern := strings.ReplaceAll(l.declares, "NAME", alternatives)
	return declared{search{words: names, pattern: regexp.MustCompile(pattern), files: l.has}, pattern}
}

// declarations returns the searches for the declaration of a symbol, the
// narrowest first: by owner and name if a line of the language contains both,
// then by name.
func (l *language) declarations(name, symbol string) (out []declared) {
	owner := strings.TrimSuffix(strings.TrimSuffix(symbol, name), ".")
	if l.method != "" && owner != "" {
		pattern := strings.NewReplacer("NAME", name, "OWNER", owner).Replace(l.method)
		out = append(out, declared{search{words: []string{name}, pattern: regexp.MustCompile(pattern), files: l.has},
			pattern})
	}
	return append(out, l.declaration(name))
}
