package typescript_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// own declares the names of the library's members, so that only the type of the receiver makes a
// call external.
const own = `export class Own {
  add() {} join() {} map() {} get() {} then() {} text() {} click() {} close() {} push() {} test() {}
  toString() { return "" } trim() {} run() {} set() {} has() {} focus() {} forEach() {} entries() {} preventDefault() {} next() {}
}
`

// TestLibraryMembers checks one call site per line, whose callee only library types have.
func TestLibraryMembers(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{`Object.entries(o).map(([k, v]) => k + v).join(",")`, "join external"},
		{`Object.values({} as Record<string, Own>).forEach((x) => x.run())`, "run = own.ts:3"},
		{`xs.map((x) => x.run).filter(Boolean).forEach(f)`, "forEach external"},
		{"xs.map((x) => { const y = x; return `${y}` }).join()", "join external"},
		{"xs.map((x) => `${x}`)[0].trim()", "trim external"},
		{`new Map(xs.map((x) => [1, x])).get(1).run()`, "run = own.ts:3"},
		{`fetch("/").then((r) => r.text())`, "text external"},
		{`fetch("/").then((r) => new Own()).then((x) => x.run())`, "run = own.ts:3"},
		{`/a[/]b/g.test("a")`, "test external"},
		{`document.querySelector("button").click()`, "click external"},
		{`document.addEventListener("click", (e) => e.preventDefault())`, "preventDefault external"},
		{`new ReadableStream({ start(controller) { controller.close() } })`, "close external"},
		{`xs.reduce((all, x) => all.add(x), new Set<Own>())`, "add external"},
		{`xs.reduce((all, x) => { x.run(); return all }, 0)`, "run = own.ts:3"},
		{`new Set<Own["run"]>().add(f)`, "add external"},
		{`("a" + o).trim()`, "trim external"},
		{`String(o).trim()`, "trim external"},
		{`import("./own").then((m) => 1)`, "then external"},
		{`const m: Map<string, Own> & { mark: true } = o; m.get("").run()`, "run = own.ts:3"},
		{`class Names extends Map<string, Own> { first() { return this.get("") } }; new Names().first().run()`,
			"run = own.ts:3"},
		{`Promise.all([fetch("/"), Promise.resolve(new Own())]).then(([r, x]) => x.run())`, "run = own.ts:3"},
		{`(o as unknown as string).trim()`, "trim external"},
		{`(o as Readonly<{ [key: string]: Own }>)["a b"].run()`, "run = own.ts:3"},
		{`xs.map(function (x) { return "` + long + `" }).map((x) => "` + long + `").join()`, "join external"},
	} {
		languagetest.Settles(t, map[string]string{"own.ts": own,
			"use.ts": "import { Own } from './own';\nfunction use(xs: Own[], o: any, f: any) { " + c.code + " }"},
			"use.ts", c.want)
	}
}

const long = "a text that makes the expression longer than is kept of one, if it stands there often enough, and " +
	"once more, and again; " +
	"a text that makes the expression longer than is kept of one, if it stands there often enough, and once more, " +
	"and again"

// TestLibraryShadowed checks that declarations of the workspace come before the table.
func TestLibraryShadowed(t *testing.T) {
	for _, c := range []struct{ code, other, want string }{
		{`import { Response } from "./other"; function use(r: Response) { r.text() }`,
			"export class Response { text() {} }", "text = other.ts:1"},
		{`function use() { class Map { get() {} }; new Map().get() }`, "export {}", "get = use.ts:1"},
		{`import type { Set as S } from "./other"; function use(s: S) { s.add() }`,
			"export interface Set { add(): void }", "add = other.ts:1"},
		{`function use(xs: number[]) { xs.last().run() }`,
			"import { Own } from './own';\ndeclare global { interface Array<T> { last(): Own } }", "run = own.ts:3"},
		{`function use(xs: number[]) { xs.push() }`,
			"Array.prototype.push = function () {}; export {}", "push external"},
		{`function use(xs: number[]) { xs.click() }`,
			"Array.prototype.click = function () {}; export {}", "click open"},
		{`function use() { fetch("/").text() }`,
			"declare function fetch(u: string): Own; declare class Own { text(): void }", "text open"},
		{`function use() { new Blob([]).text() }`, "interface Blob { mark: true }", "text external"},
		{`function use(x: Own) { x.toString() }; class Own { run() {} }`, "export {}", "toString external"},
		{`function use(x: Own) { x.toString() }; class Own { toString() { return "" } }`, "export {}",
			"toString = use.ts:1"},
	} {
		languagetest.Settles(t, map[string]string{"own.ts": own, "other.ts": c.other, "use.ts": c.code + "\nexport {}"},
			"use.ts", c.want)
	}
}

// TestElementType checks that an element has the type that the workspace declares for it.
func TestElementType(t *testing.T) {
	files := map[string]string{
		"own.ts": own,
		"jsx.ts": "export namespace JSX { export type Element = string | Promise<string> }",
		"use.tsx": `import { Own } from "./own";
const direct = <p>text</p>;
export const page = () => <div>{direct}</div>;
page().toString();
direct.toString();
`,
	}
	languagetest.Settles(t, files, "use.tsx", "toString external")
	files["jsx.ts"] = "import { Own } from './own';\nexport namespace JSX { export type Element = Own }"
	languagetest.Settles(t, files, "use.tsx", "toString = own.ts:3")
}

// TestLiteralScope checks that the parameters and variables of a function literal hide outer names.
func TestLiteralScope(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{`xs.map((x) => x)[0].run()`, "run = own.ts:3"},
		{`xs.map((other) => x)[0].trim()`, "trim external"},
		{`xs.map(({ part: x }) => x)[0].trim()`, "trim open"},
		{`xs.map((y) => { const x = y; return x })[0].trim()`, "trim open"},
		{`xs.map((y) => { if (y) return x; return 1 })[0].trim()`, "trim open"},
		{`xs.map((y): string => y.part)[0].trim()`, "trim external"},
		{`xs.map(async (y) => x)[0].then()`, "then external"},
	} {
		languagetest.Settles(t, map[string]string{"own.ts": own,
			"use.ts": "import { Own } from './own';\nfunction use(xs: Own[], x: string) { " + c.code + " }"},
			"use.ts", c.want)
	}
}

// TestBoundOfParameter checks that the bound of a type parameter does not type an object literal's
// own properties.
func TestBoundOfParameter(t *testing.T) {
	languagetest.Settles(t, map[string]string{"use.ts": `interface Action { name: string; perform: () => void }
const register = <T extends Action>(action: T) => action;
const save = register({ name: "save", perform: () => {} });
save.perform();
`}, "use.ts", "perform open")
}

// TestConditionalType checks that a conditional type is resolved as the union of its branches.
func TestConditionalType(t *testing.T) {
	languagetest.Settles(t,
		map[string]string{"use.ts": `interface Check { also<C>(c: C): C extends (x: any) => x is infer R ? this & Named<R> : this; run(): void }
interface Named<R> { name: R }
declare const check: Check;
check.also(() => true).run();
`}, "use.ts", "run = use.ts:1")
}
