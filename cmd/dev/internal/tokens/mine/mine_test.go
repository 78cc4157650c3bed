package mine

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"sextant/cmd/dev/internal/accuracy"
	"sextant/cmd/dev/internal/tokens"
)

const source = `package db

// Open opens the database of a path, which it creates if need be.
func Open(path string) *DB {
	check(path)
	return &DB{}
}

func check(path string) {
	log(path, "no file of that name")
}

func log(args ...string) {}

// DB is a database.
type DB struct{}

// Close waits until all of its transactions are over.
func (d *DB) Close() { check("") }

var (
	// Size is in bytes.
	Size = 4096
	other int
)
`

const suite = `package db

func TestOpen(t *testing.T) {
	Open("x").Close()
}
`

// write makes a repository of files and returns its directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("sh", "-c", "cd "+dir+" && git init -q && git add .").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

func mined(t *testing.T) *miner {
	t.Helper()
	dir := write(t, map[string]string{"db.go": source, "db_test.go": suite})
	declared, err := Declarations(t.Context(), "go", dir)
	if err != nil {
		t.Fatal(err)
	}
	call := func(file string, line int, name string, target int) accuracy.Truth {
		return accuracy.Truth{File: file, Line: line, Column: 1, Name: name, Class: accuracy.ClassStatic,
			Targets: []accuracy.Place{{File: "db.go", Line: target}}}
	}
	truth := []accuracy.Truth{call("db.go", 5, "check", 9), call("db.go", 10, "log", 13), call("db.go", 19, "check", 9),
		call("db_test.go", 4, "Open", 4), call("db_test.go", 4, "Close", 19)}
	text, err := wholeText(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := &miner{Source: &Source{Name: "r", Dir: dir, Declarations: declared, Truth: truth},
		graph: newGraph(declared, truth), named: map[string][]int{}, text: text}
	return m
}

// TestGoDeclarations checks names, lines and comments.
func TestGoDeclarations(t *testing.T) {
	type row struct {
		name                 string
		line, from, end, doc int
		exported, isType     bool
	}
	var got []row
	for _, d := range mined(t).declared {
		got = append(got, row{d.Qualified, d.Line, d.From, d.End, d.DocFrom, d.Exported, d.Type})
	}
	want := []row{{"Open", 4, 3, 7, 3, true, false}, {"check", 9, 9, 11, 0, false, false},
		{"log", 13, 13, 13, 0, false, false}, {"DB", 16, 15, 16, 15, true, true}, {"DB.Close", 19, 18, 19, 18, true, false},
		{"Size", 23, 22, 23, 22, true, true}, {"other", 24, 24, 24, 0, false, true}, {"TestOpen", 3, 3, 5, 0, true, false}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// TestTasks checks the answers of tasks of each kind.
func TestTasks(t *testing.T) {
	m := mined(t)
	at := func(name string) int {
		if len(m.named) == 0 {
			for i, d := range m.declared {
				m.named[d.Qualified] = append(m.named[d.Qualified], i)
			}
		}
		return m.named[name][0]
	}
	place := func(file string, line, from int) tokens.Place {
		return tokens.Place{File: file, Line: line, From: from}
	}
	for _, c := range []struct {
		kind tokens.Kind
		name string
		want []tokens.Target
	}{
		{tokens.Locate, "DB.Close", []tokens.Target{{place("db.go", 19, 18)}}},
		{tokens.Recall, "DB.Close", []tokens.Target{{place("db.go", 19, 18)}}},
		{tokens.Callers, "check", []tokens.Target{{place("db.go", 5, 0)}, {place("db.go", 19, 0)}}},
		{tokens.Impact, "check", []tokens.Target{{place("db_test.go", 3, 3), place("db_test.go", 4, 0), place("db_test.go", 4, 0)}}},
		{tokens.Literal, "check", []tokens.Target{{place("db.go", 10, 0)}}},
		{tokens.Literal, "Open", nil},   // it holds no literal
		{tokens.Callers, "Open", nil},   // too few
		{tokens.Outline, "Open", nil},   // too few
		{tokens.Describe, "check", nil}, // no comment
	} {
		task := m.task(c.kind, at(c.name))
		var got []tokens.Target
		if task != nil {
			got = task.Targets
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: %+v", c.kind, c.name, got)
		}
	}
	targets, direct := m.trace(at("Open"))
	if want := []tokens.Target{{place("db.go", 9, 9), place("db.go", 5, 0)}, {place("db.go", 13, 13), place("db.go", 10, 0)}}; direct != 1 || !reflect.DeepEqual(targets, want) {
		t.Errorf("trace: %+v, %d direct", targets, direct)
	}
	task := m.task(tokens.Recall, at("Open"))
	if keys := m.task(tokens.Describe, at("Open")); keys == nil || keys.Blank != nil ||
		keys.Text != "opens database path creates need" {
		t.Errorf("%+v", keys)
	}
	if task == nil || task.Text != "opens the database of a path, which it creates if need be" ||
		*task.Blank != (tokens.Lines{File: "db.go", From: 3, To: 3}) {
		t.Errorf("%+v", task)
	}
}

// TestParsers checks the parsers that run as programs, on one class each.
func TestParsers(t *testing.T) {
	t.Chdir("../../../../..") // their paths are those of the project
	for language, files := range map[string]map[string]string{
		"python": {"a.py": "class Store:\n    @property\n    def size(self):\n        \"\"\"How much it holds.\"\"\"\n        return 1\n"},
		"typescript": {"a.ts": "export class Store {\n  @cached\n  /** How much it holds. */\n" +
			"  get(): number { return 1; }\n  private size(): number {\n    return 1;\n  }\n}\n"},
		"java": {"a.java": "public class Store {\n  /** How much it holds. */\n  @Deprecated\n  public int size() {\n    return 1;\n  }\n}\n"},
	} {
		program := map[string]string{"python": "python3", "typescript": "node", "java": "ctags"}[language]
		if _, err := exec.LookPath(program); err != nil {
			t.Logf("missing: %s", program)
			continue
		}
		got, err := Declarations(t.Context(), language, write(t, files))
		if err != nil {
			t.Errorf("%s: %v", language, err)
			continue
		}
		if len(got) < 2 || got[0].Qualified != "Store" || !got[0].Type {
			t.Errorf("%s: %+v", language, got)
			continue
		}
		d := got[len(got)-1]
		if d.Qualified != "Store.size" || d.Type || d.Exported == (language == "typescript") || d.From >= d.Line == (language != "typescript") {
			t.Errorf("%s: %+v", language, d)
		}
		if language != "typescript" && d.Doc != "How much it holds." {
			t.Errorf("%s: doc %q", language, d.Doc)
		}
	}
}
