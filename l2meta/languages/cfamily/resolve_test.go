package cfamily_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

func TestCSettlesOnDefinitionsInSight(t *testing.T) {
	languagetest.World(t, map[string]string{
		"include/api.h": "int shared(int);\nint twice(void);\n#define WRAP(x) shared(x)\n",
		"src/api.c":     "#include \"api.h\"\nint shared(int x) { return x; }\nstatic int hidden(void) { return 1; }\n",
		"src/one.c":     "int twice(void) { return 1; }\n",
		"src/two.c":     "int twice(void) { return 2; }\n",
		"src/use.c": "#include \"api.h\"\nstatic int own(void) { return 0; }\nint use(int (*given)(void)) {\n" +
			"  own(); shared(1); WRAP(2); twice(); hidden(); given(); return printf(\"\");\n}\n",
	}, func(r *resolve.Resolver) {
		languagetest.Expect(t, r, "src/use.c", map[string]string{
			"own": "src/use.c own", "shared": "src/api.c shared", "WRAP": "include/api.h WRAP", "twice": "",
			"hidden": "", "given": "", "printf": "",
		})
	})
}

func TestCPPSettlesMembersByType(t *testing.T) {
	languagetest.World(t, map[string]string{
		"base.h": "namespace db {\nclass Base { public: virtual ~Base(); void Close(); virtual int Size() const = " +
			"0; };\n}\n",
		"table.h": "#include \"base.h\"\n#include <memory>\n#include <vector>\nnamespace db {\n" +
			"class Row { public: int Width() const { return 1; } };\nclass Table : public Base {\n public:\n" +
			"  explicit Table(int n);\n  int Size() const override;\n  Row* First();\n  int Get(int a);\n" +
			"  int Get(int a, int b);\n private:\n  std::vector<Row> rows_;\n};\n}\n",
		"table.cc": "#include \"table.h\"\nnamespace db {\nTable::Table(int n) {}\n" +
			"int Table::Size() const { return 0; }\nRow* Table::First() { for (auto& row : rows_) { row.Width(); } " +
			"Close(); return nullptr; }\nint Table::Get(int a) { return a; }\n" +
			"int Table::Get(int a, int b) { return b; }\n}\n",
		"main.cc": "#include \"table.h\"\nint main() {\n  auto t = std::make_unique<db::Table>(1);\n" +
			"  t->First()->Width();\n  db::Table other(2);\n  other.Get(1, 2);\n  other.Close();\n" +
			"  db::Base* b = t.get();\n  b->Size();\n  return 0;\n}\n",
	}, func(r *resolve.Resolver) {
		languagetest.Expect(t, r, "table.cc",
			map[string]string{"Width": "table.h db.Row.Width", "Close": "base.h db.Base.Close"})
		languagetest.Expect(t, r, "main.cc", map[string]string{
			"First": "table.cc db.Table.First", "Width": "table.h db.Row.Width", "Table": "table.cc db.Table.Table",
			"Get":   "table.cc db.Table.Get",
			"Close": "base.h db.Base.Close", "Size": "base.h db.Base.Size", "make_unique": "",
		})
		got := languagetest.Sites(t, r, "main.cc")["Get"]
		if n := len(got.Target.Symbol().Parameters); n != 2 {
			t.Errorf("Get settles on the overload of %d parameters", n)
		}
		base := languagetest.Sites(t, r, "main.cc")["Size"].Target
		if out, err := r.Implementations(base, resolve.Ref{}); err != nil || len(out) != 1 ||
			out[0].Target.File.Path != "table.cc" {
			t.Errorf("implementations of Base::Size: %v, %v", out, err)
		}
	})
}

func TestCPPPicksMembersByConst(t *testing.T) {
	languagetest.World(t, map[string]string{
		"node.h": "class Node {\n public:\n  const Node* Next() const { return nullptr; }\n" +
			"  Node* Next() { return nullptr; }\n  void Edit() {}\n};\n",
		"use.cc": "#include \"node.h\"\nvoid a(const Node* n) { n->Next(); }\n",
		"mut.cc": "#include \"node.h\"\nvoid b(Node& n) { n.Next()->Edit(); }\n",
	}, func(r *resolve.Resolver) {
		for path, line := range map[string]int{"use.cc": 3, "mut.cc": 4} {
			if s := languagetest.Sites(t, r, path)["Next"]; s.Outcome != resolve.Settled ||
				s.Target.Symbol().NameSpan.StartLine != line {
				t.Errorf("%s: %+v", path, s.Verdict)
			}
		}
		languagetest.Expect(t, r, "mut.cc", map[string]string{"Edit": "node.h Node.Edit"})
	})
}
