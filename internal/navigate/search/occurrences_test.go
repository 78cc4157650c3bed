package search_test

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/internal/navigate/search"
	"sextant/internal/navigate/symbols"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// crowded returns a workspace with many functions that are similar, in meaning and words, to a
// function that contains a literal.
func crowded() map[string]string {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("tenant/header%d.go", i)] = fmt.Sprintf(`package tenant

// RequestTenant%d reads the id of the tenant from the header of a request.
func RequestTenant%d(header map[string]string) string {
	tenant := header["tenant"]
	if tenant == "" {
		return "request without tenant id"
	}
	return tenant
}
`, i, i)
	}
	files["odd/wire.go"] = "package odd\n\nfunc send(m map[string]string) {\n\tm[\"a\"] = \"b\"\n" +
		"\tm[\"X-Request-Tenant-Id\"] = \"1\"\n}\n"
	files["deploy.yaml"] = "env:\n  - name: REQUEST_TENANT_HEADER\n    value: x\n"
	files["pom.xml"] = "<project>\n<artifactId>request-tenant-starter</artifactId>\n</project>\n"
	files["odd/wire_test.go"] = "package odd\n\nvar tenants = []string{\"acmetenants\"}\n"
	return files
}

// TestRareLiteralComesFirst checks that a text which occurs on one line is the first result, with
// and without an embedder.
func TestRareLiteralComesFirst(t *testing.T) {
	off := navigatetest.Of(t, crowded())
	on := off.With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}})
	for query, want := range map[string]string{
		"X-Request-Tenant-Id": "odd/wire.go", "x-request-tenant-id": "odd/wire.go",
		"REQUEST_TENANT_HEADER": "deploy.yaml", "request-tenant-starter": "pom.xml", "acmetenants": "odd/wire_test.go",
		"who sets X-Request-Tenant-Id in the header of a request": "odd/wire.go",
		"what reads REQUEST_TENANT_HEADER from the environment":   "deploy.yaml",
	} {
		for name, b := range map[string]*navigatetest.Bench{"off": off, "on": on} {
			a := b.Search(contract.SearchRequest{Query: query})
			g := a.Results[0].(*contract.Group)
			literal := search.FirstLiteral(query)
			if g.File != want || !strings.Contains(strings.ToLower(g.Preview), strings.ToLower(literal)) {
				t.Errorf("%s, embedder %s: first is %s, showing %q; want %s", query, name, g.File, g.Preview, want)
			}
			if g.MatchedBy[0] != "exact" || len(strings.Fields(query)) == 1 && a.Confidence != contract.High {
				t.Errorf("%s, embedder %s: by %q, confidence %s", query, name, g.MatchedBy, a.Confidence)
			}
		}
	}
}

// TestMentionedNameLiftsNothing checks that a question which mentions a symbol is answered by the code that it
// describes, not by other lines with the symbol's name.
func TestMentionedNameLiftsNothing(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"link/matcher.go": "package link\n\n// LinkMatcher finds links.\ntype LinkMatcher func(text string) int\n",
		"link/regexp.go": `package link

func matcherOfExpression(pattern string) func(string) int {
	compiled := compileRegularExpression(pattern)
	return func(text string) int {
		found := compiled.match(text)
		return found.start()
	}
}
`,
		"view/editor.go": `package view

func register(all []link.LinkMatcher) {
	for _, m := range all {
		listeners = append(listeners, m)
		redraw(m)
	}
}
`,
	}).With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}})
	a := b.Search(contract.SearchRequest{Query: "how is a LinkMatcher made from a pattern of a regular expression"})
	place := map[string]int{}
	for i, result := range a.Results {
		if g, ok := result.(*contract.Group); ok {
			place[g.SymbolLabel] = i + 1
		}
	}
	if of := place["matcherOfExpression"]; of == 0 || of > 2 || place["register"] > 0 && place["register"] < of {
		t.Errorf("results %v", place)
	}
}

// TestCommonLiteralLiftsNothing checks that a literal on many lines does not rank above words and
// meaning.
func TestCommonLiteralLiftsNothing(t *testing.T) {
	b := navigatetest.Of(t, crowded())
	for _, r := range b.Search(contract.SearchRequest{Query: "where is RequestTenant given a Tenant_id",
		Limit: 50}).Results {
		if g := r.(*contract.Group); g.Score >= search.FoundFirst {
			t.Errorf("%s has the score %v", g.SymbolLabel, g.Score)
		}
	}
}

// TestCommonIdentifierBeforeWhatIsNear checks that the lines with a common identifier rank above
// code that is only similar, its declaration first.
func TestCommonIdentifierBeforeWhatIsNear(t *testing.T) {
	files := map[string]string{"queue.ts": "export function job0000024z(): number {\n  return 1;\n}\n"}
	for i := range 30 {
		files[fmt.Sprintf("use/a%d.ts",
			i)] = fmt.Sprintf("export function Sym%07d(): number {\n  return 1; // uq0000024z\n}\n"+
			"export function Use%07d(): number {\n  return job0000024z(%d);\n}\n", i, i, i)
		files[fmt.Sprintf("notes/b%d.txt",
			i)] = fmt.Sprintf("A line with uq%07dz in it.\nA line with job%07dz in it.\n", 300+i, 64+i)
	}
	b := navigatetest.Of(t, files).With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}})
	for query, first := range map[string]string{"uq0000024z": "use/", "job0000024z": "queue.ts"} {
		a := b.Search(contract.SearchRequest{Query: query, Scope: contract.ScopeMixed, Limit: 20})
		for i, found := range a.Results {
			g := found.(*contract.Group)
			if !strings.Contains(g.Preview, query) || i == 0 && !strings.HasPrefix(g.File, first) {
				t.Errorf("%s, result %d is %s, showing %q", query, i+1, g.File, g.Preview)
			}
		}
	}
}

// TestDeclarationBeforeMentions checks that the declaration of a name comes first.
func TestDeclarationBeforeMentions(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"a.go": "package a\n\nfunc use() {\n\tdrainQueue()\n\tdrainQueue()\n}\n\n" +
			"// drainQueue is mentioned.\nvar note = \"drainQueue\"\n",
		"b.go": "package a\n\nfunc drainQueue() {\n\tprintln()\n}\n",
	})
	a := b.Search(contract.SearchRequest{Query: "drainQueue"})
	if g := a.Results[0].(*contract.Group); g.SymbolLabel != "drainQueue" || len(a.Results) < 3 {
		t.Errorf("first of %d is %s", len(a.Results), g.SymbolLabel)
	}
}

// TestCommentInAnotherScript checks that a sentence of ideographs finds the method that it documents,
// with and without an embedder, which knows none of its words.
func TestCommentInAnotherScript(t *testing.T) {
	files := map[string]string{}
	for i, does := range []string{"关闭数据源连接池", "读取订单的配置文件", "清除过期的缓存数据", "发送短信验证码"} {
		files[fmt.Sprintf("shop/Service%d.java",
			i)] = fmt.Sprintf("package shop;\n\nclass Service%d {\n    int size;\n\n    /**\n     * %s\n     */\n"+
			"    void act%d() {\n        size = %d;\n    }\n\n    void other() {\n        size = 0;\n    }\n}\n", i,
			does, i, i)
	}
	off := navigatetest.Of(t, files)
	on := off.With(navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}})
	for query, want := range map[string]string{
		"清除过期的缓存数据": "Service2.act2", "如何关闭连接池": "Service0.act0", "订单配置在哪里读取": "Service1.act1",
		"短信 验证码": "Service3.act3",
	} {
		for name, b := range map[string]*navigatetest.Bench{"off": off, "on": on} {
			a := b.Search(contract.SearchRequest{Query: query})
			if len(a.Results) == 0 || a.Results[0].(*contract.Group).SymbolLabel != want {
				t.Errorf("%s, embedder %s: %+v", query, name, a.Results)
			}
			if a.Confidence == contract.Low {
				t.Errorf("%s, embedder %s: low confidence", query, name)
			}
		}
	}
}

// TestDeclarationOnALineOfItsMembers checks that a name leads to its declaration first, although
// the innermost symbol on that line is another one, and that a use of the name comes after it.
func TestDeclarationOnALineOfItsMembers(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"app/Dialog.kt": "package app\n\nclass Dialog {\n    data class Filter(val query: String, val open: " +
			"Boolean)\n}\n",
		"app/Window.kt": "package app\n\n/** Wraps another callback. */\n" +
			"open class SimpleCallback(private val base: Runnable) :\n    Runnable by base {\n" +
			"    override fun run() {\n        base.run()\n    }\n}\n",
		"app/Overlay.kt": "package app\n\nfun overlay(r: Runnable) {\n    // Keys go to the callback.\n" +
			"    install(SimpleCallback(r))\n}\n\n" +
			"// Filter the list.\nfun getFilteredStreams(list: List<String>) = list.filter { it != \"\" }\n",
		"app/point.ts":  "export class Vertex { constructor(readonly abscissa: number) {} }\n",
		"app/point.py":  "class Segment: length = 1\n",
		"app/Pair.java": "package app;\n\nrecord Couple(int left, int right) {}\n",
		"app/enum.rs":   "pub enum Shade { Dark, Light }\n",
	})
	for _, name := range []string{"Filter", "SimpleCallback", "Vertex", "Segment", "Couple", "Shade"} {
		a := b.Search(contract.SearchRequest{Query: name})
		if len(a.Results) == 0 {
			t.Fatalf("%s: nothing", name)
		}
		g, ok := a.Results[0].(*contract.Group)
		if !ok || symbols.LastName(g.SymbolLabel) != name {
			t.Errorf("%s: %+v comes first", name, a.Results[0])
		}
	}
}

// TestTypeBeforeItsConstructor checks that the name of a class leads to the class, also where its short
// constructor matches better.
func TestTypeBeforeItsConstructor(t *testing.T) {
	fields := ""
	for i := range 12 {
		fields += fmt.Sprintf("    public static final int SIZE_%d = %d;\n", i, i)
	}
	b := navigatetest.Of(t, map[string]string{
		"app/DataReader.java": "package app;\n\npublic class DataReader {\n" + fields +
			"\n    public DataReader(Stream stream) {\n        this.stream = stream;\n    }\n\n" +
			"    void skip(int amount) {}\n}\n",
	})
	a := b.Search(contract.SearchRequest{Query: "DataReader"})
	var got []string
	for _, r := range a.Results {
		got = append(got, r.(*contract.Group).SymbolKind)
	}
	if len(got) < 2 || got[0] != "class" || got[1] != "constructor" {
		t.Errorf("the results are %v", got)
	}
}

// TestMessageComesFirst checks that a query which a string of the source contains as a whole finds that line first,
// although names and other texts have its words; that a comment and a question are ranked by words; and that no quotes
// are needed, as agents paste messages without.
func TestMessageComesFirst(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("recipe/recipe%d.py", i)] = fmt.Sprintf("# Recipe %d: a recipe that exists already.\n"+
			"class Recipe%d:\n    def recipe_exists(self, recipe):\n        already = self.exists(recipe)\n"+
			"        return already or recipe.exists\n", i, i)
	}
	files["routes/crud.py"] = "class Routes:\n    def handle(self, ex):\n        if ex.kind == 7:\n" +
		"            raise Http(400, detail=Error.respond(message=\"Recipe already exists\"))\n        raise ex\n"
	b := navigatetest.Of(t, files)
	for query, want := range map[string]bool{
		"Recipe already exists": true, "recipe already exists.": true,
		"why recipe already exists": false, "a recipe that exists already": false,
	} {
		g := b.Search(contract.SearchRequest{Query: query}).Results[0].(*contract.Group)
		if got := g.File == "routes/crud.py" && strings.Contains(g.Preview, "Recipe already exists"); got != want {
			t.Errorf("%s: first is %s, showing %q", query, g.File, g.Preview)
		}
	}
}

// TestSourceOfAMessageBeforeItsTests checks that the line that prints a message comes before the tests that expect it,
// and that these are found where no source has it.
func TestSourceOfAMessageBeforeItsTests(t *testing.T) {
	files := map[string]string{
		"auth/errors.go": "package auth\n\nvar errKey = Errorf(1, \"the key of the API is invalid\")\n"}
	for i := range 5 {
		files[fmt.Sprintf("auth/api%d_test.go", i)] = fmt.Sprintf("package auth\n\n"+
			"// TestInvalidKey%d checks that the invalid key of an API is refused.\n"+
			"func TestInvalidKey%d(t T) {\n\twant(t, \"the key of the API is invalid\")\n}\n", i, i)
	}
	files["auth/only_test.go"] = "package auth\n\nfunc TestOnly(t T) {\n\twant(t, \"no such key anywhere\")\n}\n"
	b := navigatetest.Of(t, files)
	for query, want := range map[string]string{
		`"the key of the API is invalid"`: "auth/errors.go", "The key of the API is invalid": "auth/errors.go",
		`"no such key anywhere"`: "auth/only_test.go",
	} {
		if g := b.Search(contract.SearchRequest{Query: query}).Results[0].(*contract.Group); g.File != want {
			t.Errorf("%s: first is %s", query, g.File)
		}
	}
}
