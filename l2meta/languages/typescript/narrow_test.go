package typescript_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// settlesIn checks the verdict of the call site in a function's body whose callee is in want.
func settlesIn(t *testing.T, body, want string) {
	t.Helper()
	languagetest.Settles(t, map[string]string{"own.ts": own, "use.ts": `import { Own } from "./own";
const isText = (v: unknown): v is string => typeof v === "string";
const isArray: typeof Array.isArray = Array.isArray;
function isOwn(v: unknown): v is Own { return v instanceof Own }
enum Kind { Own, Other }
interface A { kind: "a"; part: Own }
interface B { kind: "b"; part: Map<string, Own> }
interface C { type: Kind.Own; part: Own }
interface D { type: Kind.Other; part: Map<string, Own> }
class Fault extends Error { code: string }
function use(u: unknown, o: any, f: any, su: string | Own, sa: string | Own[], m: Own | Map<string, Own>, ab: A | B, cd: C | D) {
` + body + "\n}"}, "use.ts", want)
}

// TestNarrowing checks that a test narrows the type of a value where the test holds.
func TestNarrowing(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`if (typeof u === "string") { u.trim() }`, "trim external"},
		{`if ("string" == typeof u) u.trim()`, "trim external"},
		{`if (typeof u !== "string") return; u.trim()`, "trim external"},
		{`if (typeof u !== "string") { f(); throw u } u.trim()`, "trim external"},
		{`if (!(typeof u === "string")) return; u.trim()`, "trim external"},
		{`if (typeof u !== "string" || !u) return; u.trim()`, "trim external"},
		{`return typeof u === "string" && f && u.trim()`, "trim external"},
		{`return typeof u !== "string" || u.trim()`, "trim external"},
		{`return typeof u === "string" ? u.trim() : f`, "trim external"},
		{`return typeof u !== "string" ? f : u.trim()`, "trim external"},
		{`while (typeof u === "string") u.trim()`, "trim external"},
		{`for (const x of f) { if (typeof x !== "string") continue; x.trim() }`, "trim external"},
		{`switch (typeof u) { case "number": f(); break; case "string": u.trim() }`, "trim external"},
		{`const g = () => { if (typeof o.part !== "string") return; o.part.trim() }`, "trim external"},
		{`if (typeof o?.part === "string") { o.part.trim() }`, "trim external"},
		{`if (typeof u === "string") f(() => u.trim())`, "trim external"},
		{`if (typeof u === "string") { const v = u; v.trim() }`, "trim external"},
		{`if (Array.isArray(u)) u.map(f)`, "map external"},
		{`if (isArray(u)) u.map(f)`, "map external"},
		{`if (!isText(u)) return; u.trim()`, "trim external"},
		{`if (u instanceof Map) u.get(f)`, "get external"},
		{`if (u instanceof Error) u.toString()`, "toString external"},
		{`if (su instanceof Own) su.run()`, "run = own.ts:3"},
		{`if (typeof su !== "string") su.trim()`, "trim = own.ts:3"},
		{`if (typeof su === "string") su.trim()`, "trim external"},
		{`if (typeof su === "string") return; su.trim()`, "trim = own.ts:3"},
		{`if (typeof su === "string") { f() } else { su.trim() }`, "trim = own.ts:3"},
		{`if (isOwn(su)) su.trim()`, "trim = own.ts:3"},
		{`if (isOwn(u)) u.trim()`, "trim = own.ts:3"},
		{`if (Array.isArray(sa)) sa[0].trim()`, "trim = own.ts:3"},
		{`if (!Array.isArray(sa)) sa.trim()`, "trim external"},
		{`if (m instanceof Map) m.get("").run()`, "run = own.ts:3"},
		{`if (m instanceof Map) return; m.get()`, "get = own.ts:2"},
		{`if (ab.kind === "a") ab.part.get()`, "get = own.ts:2"},
		{`if (ab.kind !== "a") ab.part.get("")`, "get external"},
		{`if (cd.type === Kind.Own) cd.part.get()`, "get = own.ts:2"},
		{`switch (ab.kind) { case "a": f(); break; default: ab.part.get("") }`, "get external"},
		{`switch (cd.type) { case Kind.Own: cd.part.get() }`, "get = own.ts:2"},
		{`if (o instanceof Fault) o.toString()`, "toString external"},
	} {
		settlesIn(t, c.body, c.want)
	}
}

// TestNarrowingEnds checks that a test does not narrow another value, another name, or code that
// may run when the test does not hold.
func TestNarrowingEnds(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`if (typeof u === "string") { u = f; u.trim() }`, "trim open"},
		{`if (typeof u === "string") { f(u) } u.trim()`, "trim open"},
		{`if (typeof u === "string") { f(u) } else { u.trim() }`, "trim open"},
		{`if (typeof u === "string") { while (f()) { u.trim(); u = f() } }`, "trim open"},
		{`if (typeof u === "string") { for (u of f) { } u.trim() }`, "trim open"},
		{`if (typeof u === "string") { [u] = f; u.trim() }`, "trim open"},
		{`if (typeof u === "string") { f((u) => u.trim()) }`, "trim open"},
		{`if (typeof u === "string") { const g = (u: Own) => u.trim() }`, "trim = own.ts:3"},
		{`if (typeof u === "string") { let u = f(); u.trim() }`, "trim open"},
		{`if (typeof u === "string") { f(() => u.trim()) } u = f`, "trim open"},
		{`if (typeof u === "string") { f(later); function later() { u.trim() } }`, "trim open"},
		{`if (typeof u !== "string") { f() } u.trim()`, "trim open"},
		{`if (typeof u === "string" || f) u.trim()`, "trim open"},
		{`if (!(typeof u === "string" && f)) return u.trim()`, "trim open"},
		{`if (typeof u !== "string" && f) return; u.trim()`, "trim open"},
		{`for (const x of f) { if (typeof u !== "string") break } u.trim()`, "trim open"},
		{`if (typeof o.part === "string") { o.other.trim() }`, "trim open"},
		{`if (typeof o.part === "string") { o.part = f; o.part.trim() }`, "trim open"},
		{`if (typeof o.part === "string") { o = f; o.part.trim() }`, "trim open"},
		{`if (typeof o.part === "string") { f(() => o.part.trim()) }`, "trim open"},
		{`switch (typeof u) { case "number": f(); case "string": u.trim() }`, "trim open"},
		{`switch (typeof u) { case "string": break; default: u.trim() }`, "trim open"},
		{`if (isText(f)) u.trim()`, "trim open"},
		{`if (f.check(u)) u.trim()`, "trim open"},
	} {
		settlesIn(t, c.body, c.want)
	}
}
