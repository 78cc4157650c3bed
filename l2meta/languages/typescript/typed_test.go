package typescript_test

import (
	"strings"
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// TestTypedValues checks the verdict of one call site in each body.
func TestTypedValues(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		// A type argument that is no key of the map excludes the overloads by key.
		{`document.querySelector<HTMLElement>("#a").focus()`, "focus external"},
		{`[...document.querySelectorAll<HTMLElement>("a")].map(f)`, "map external"},
		{`Array.from(document.querySelectorAll<HTMLElement>("a"))[0].focus()`, "focus external"},
		// A string argument selects the overload.
		{`document.createElement("canvas").getContext("2d").save()`, "save external"},
		{`document.createElement("canvas").getContext(f).run()`, "run open"},
		{`document.createElementNS("http://www.w3.org/2000/svg", f).focus()`, "focus external"},
		// Rest elements and keys of a pattern.
		{`const [a, ...rest] = "a b".split(" "); rest.join()`, "join external"},
		{`const [a, ...rest] = own; rest[0].run()`, "run = own.ts:3"},
		{`const { a, ...rest } = pair; rest.left.run()`, "run = own.ts:3"},
		// Templates, increments and assignments.
		{"tag`a${f}b`.run()", "run = own.ts:3"},
		{`let i = 0; (i++).toString()`, "toString external"},
		{`(-f).toString()`, "toString external"},
		{`(o[f] ||= []).push(f)`, "push external"},
		{`(o = new Own()).run()`, "run = own.ts:3"},
		{`(typeof f).trim()`, "trim external"},
		// Unions with and without agreeing parts.
		{`either(f).then(f)`, "then open"},
		{`(await either(f)).run()`, "run = own.ts:3"},
		{`lists(f).map(f)`, "map external"},
		{`lists(f)[0].toString()`, "toString open"},
		{`for (const x of owns(f)) x.run()`, "run = own.ts:3"},
		{`results(f).forEach(f)`, "forEach external"},
		{`mixed(f).forEach(f)`, "forEach open"},
		{`mixed(f).run()`, "run = own.ts:3"},
		{`for (const [k] of Object.entries(o as Record<string, unknown>)) k.trim()`, "trim external"},
		{`Object.entries(o as Record<string, unknown>).map(([k]) => k.trim())`, "trim external"},
		{`const xs = "c".match(/d/) || []; xs[0].trim()`, "trim external"},
		{`async function g() { const { value } = await new Response("").body.getReader().read(); value.join() }`,
			"join external"},
		// A mapped type has the members of the type that it maps.
		{`const m: Mutable<Own> = f; m.run()`, "run = own.ts:3"},
		{`const m: Mutable<readonly string[]> = f; m.push(f)`, "push external"},
		{`const m: Boxed<Own> = f; m.run()`, "run open"},
		// Overloads by the number of type arguments.
		{`branded<Own>(f).run()`, "run = own.ts:3"},
		{`branded<string, Own>(f).trim()`, "trim external"},
		// A condition inside the expression.
		{`(Array.isArray(f) ? f : [f]).map(f)`, "map external"},
		{`const x = Array.isArray(f.x) ? f.x : [f.x]; x.forEach(f)`, "forEach external"},
		{`const x = typeof pair.a === "string" && pair.a; x.trim()`, "trim external"},
		{`const x = sown instanceof Own ? sown : new Own(); x.run()`, "run = own.ts:3"},
		{`const x = typeof sown !== "string" ? sown : new Own(); x.trim()`, "trim = own.ts:3"},
		{`const x = !(sown instanceof Own) ? sown : "a"; x.trim()`, "trim external"},
		{`const x = typeof sown === "string" || f ? sown : f; x.trim()`, "trim open"},
		{`const x = Array.isArray(f.x) ? f.y : [f.y]; x.forEach(f)`, "forEach open"},
		// Long literals and comments.
		{"[" + strings.Repeat(`"a long text of one element",`, 30) + "].map(f)", "map external"},
		{"pair.a.split(f) // by lines\n  .map(f)", "map external"},
		{"const x = pair.a /* text */ .split(f) // by lines\n  .slice(1); x.map(f)", "map external"},
		{"pair.a.split('//').map(f)", "map external"},
		// Async functions and generators, whatever they return.
		{`const later = async () => { f() }; later().then(f)`, "then external"},
		{`const later = async () => f; later().then(f)`, "then external"},
		{`function* each() { yield f }; each().next()`, "next external"},
		{`const later = () => f; later().then(f)`, "then open"},
		// An event handler receives an event.
		{`document.onclick = (e) => { e.preventDefault() }`, "preventDefault external"},
		{`pair.onclick = (e) => { e.preventDefault() }`, "preventDefault = own.ts:3"},
	} {
		languagetest.Settles(t, map[string]string{"own.ts": own, "use.ts": `import { Own } from "./own";
function tag(texts: TemplateStringsArray, ...rest: any[]): Own { return new Own() }
function either(f: any): Own | Promise<Own> { return f }
function lists(f: any): string[] | Own[] { return f }
function owns(f: any): Own[] | Set<Own> { return f }
function results(f: any) { if (f) return new Map<string, string>(); return new Set<number>() }
function mixed(f: any) { if (f) return new Map<string, string>(); return new Own() }
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Boxed<T> = { [K in keyof T]: Box<T[K]> };
function branded<B>(v: any): B;
function branded<B, C>(v: C): B;
function branded(v: any) { return v }
interface Pair { x: Own; a: string; left: Own; onclick: ((e: Own) => void) | null }
async function use(own: Own[], o: any, f: any, pair: Pair, sown: string | Own) { ` + c.body + "\n}"}, "use.ts", c.want)
	}
}
