package typescript_test

import (
	"slices"
	"strings"
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/languages/typescript"
	"sextant/l2meta/resolve"
)

// members has types whose members override others: by inheritance over a file, through merged interfaces and
// accessors, and static ones; and types that only have members of the same name.
var members = map[string]string{
	"base.ts": `export interface Named { name: string; tell(): void }
export interface Named { more(): void }
export abstract class Base implements Named {
  name = "";
  tell(): void {}
  more(): void {}
  get total(): number { return 1; }
  set total(n: number) {}
  static make(): Base { return null; }
  private hidden() {}
  #secret() {}
  constructor(n: number) {}
}
export class Apart { tell() {} }
export function tell() {}
`,
	"sub.ts": `import { Base } from "./base";
export class Sub extends Base {
  tell(): void {}
  get total(): number { return 2; }
  set total(n: number) {}
  static make(): Sub { return null; }
  own() {}
}
export class Deep extends Sub {
  tell(): void {}
  more(): void {}
  make() {}
}
`,
}

// TestOverriddenMembers checks that a member overrides those of its bases, near ones first, and no static or
// unrelated one.
func TestOverriddenMembers(t *testing.T) {
	want := map[string][]string{
		"base.ts Base.tell": {"Named.tell"}, "base.ts Base.more": {"Named.more"},
		"sub.ts Sub.tell":  {"Base.tell", "Named.tell"},
		"sub.ts Deep.tell": {"Sub.tell", "Base.tell", "Named.tell"}, "sub.ts Deep.more": {"Base.more", "Named.more"},
		"sub.ts Sub.make": {"Base.make"}, "sub.ts Deep.make": nil, "sub.ts Sub.own": nil, "base.ts Apart.tell": nil,
		"base.ts tell": nil, "sub.ts Sub.total": {"Base.total"},
	}
	languagetest.World(t, members, func(r *resolve.Resolver) {
		for place, bases := range want {
			var got []string
			for _, o := range (typescript.Language{}).Overridden(r.World(), symbol(t, r, place)) {
				if name := o.Symbol().QualifiedName; !slices.Contains(got, name) {
					got = append(got, name)
				}
			}
			if !slices.Equal(got, bases) {
				t.Errorf("%s overrides %q, want %q", place, got, bases)
			}
		}
	})
}

// TestImplementations checks which members of subtypes override or implement a member.
func TestImplementations(t *testing.T) {
	want := map[string][]string{
		"base.ts Named.tell": {"Base.tell", "Deep.tell", "Sub.tell"}, "base.ts Base.tell": {"Deep.tell", "Sub.tell"},
		"base.ts Base.more": {"Deep.more"}, "base.ts Base.make": {"Sub.make"}, "base.ts Base.total": {"Sub.total"},
		"base.ts Base.hidden": nil, "base.ts Apart.tell": nil, "base.ts tell": nil, "sub.ts Deep.tell": nil,
	}
	languagetest.World(t, members, func(r *resolve.Resolver) {
		for place, subs := range want {
			var got []string
			for _, o := range (typescript.Language{}).Implementations(r.World(), symbol(t, r, place)) {
				if name := o.Symbol().QualifiedName; !slices.Contains(got, name) {
					got = append(got, name)
				}
			}
			if slices.Sort(got); !slices.Equal(got, subs) {
				t.Errorf("%s is implemented by %q, want %q", place, got, subs)
			}
		}
	})
}

// TestNamesOfCalls checks under which names calls of a declaration are written.
func TestNamesOfCalls(t *testing.T) {
	want := map[string][]string{"base.ts Base": {"Base", "super"}, "base.ts Base.constructor": {"Base", "super"},
		"base.ts Base.tell": {"tell"}, "base.ts tell": {"tell"}, "base.ts Named": {"Named"}}
	languagetest.World(t, members, func(r *resolve.Resolver) {
		for place, names := range want {
			if got := (typescript.Language{}).CallNames(r.World(), symbol(t, r, place)); !slices.Equal(got, names) {
				t.Errorf("calls of %s: %q, want %q", place, got, names)
			}
		}
	})
}

// symbol returns the first symbol at a place, "a.ts A.b".
func symbol(t *testing.T, r *resolve.Resolver, place string) resolve.Ref {
	t.Helper()
	path, name, _ := strings.Cut(place, " ")
	f := r.World().File(path)
	symbols := f.Qualified(name)
	if len(symbols) == 0 {
		t.Fatalf("nothing is called %s", place)
	}
	return f.Ref(symbols[0])
}
