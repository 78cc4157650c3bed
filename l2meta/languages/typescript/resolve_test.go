package typescript_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

func TestTypeScriptModules(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"package.json":              `{"name": "root", "imports": {"#private": "./src/private.js"}}`,
		"tsconfig.json":             `{"compilerOptions": {"paths": {"@lib/*": ["./lib/*"]}}}`,
		"src/private.ts":            "export function hidden() {}",
		"lib/tool.ts":               "export const tool = () => 1;",
		"packages/one/package.json": `{"name": "@w/one", "exports": {".": {"import": "./dist/index.js"}, "./deep": "./dist/deep.js"}}`,
		"packages/one/src/index.ts": "export * from './inner.js';\nexport { secret as open } from './inner';",
		"packages/one/src/inner.ts": "export function direct() {}\nexport function secret() {}",
		"packages/one/src/deep.ts":  "export default function deepest() {}",
		"src/use.ts": `import { hidden } from "#private";
import { tool } from "@lib/tool";
import { direct, open as renamed } from "@w/one";
import deep from "@w/one/deep";
import * as ns from "@w/one";
import { readFile } from "node:fs";
hidden(); tool(); direct(); renamed(); deep(); ns.secret(); readFile();`,
	}, "src/use.ts", "hidden = src/private.ts:1", "tool = lib/tool.ts:1", "direct = packages/one/src/inner.ts:1",
		"renamed = packages/one/src/inner.ts:2", "deep = packages/one/src/deep.ts:1",
		"secret = packages/one/src/inner.ts:2", "readFile external")
}

func TestTypeScriptTypes(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"types.ts": `export class Box<T> {
  constructor(private value: T) {}
  get(): T { return this.value }
  static of<U>(u: U): Box<U> { return new Box(u) }
}
export interface Engine { start(): Promise<void> }
export class Car { engine: Engine; wheels = new Map<string, Wheel>(); drive() { return this } }
export class Wheel { turn() {} }
export type Cars = Omit<Car, "drive"> & { honk(): void }
`,
		"use.ts": `import { Box, Car, Wheel, type Cars } from "./types";
async function use(car: Car | undefined, cars: Cars, all: Promise<Car>[]) {
  Box.of(new Car()).get().drive();
  car!.engine.start();
  for (const [, wheel] of car!.wheels) wheel.turn();
  cars.drive();
  cars.honk();
  (await Promise.all(all)).forEach((c) => c.drive().drive());
}
`,
	}, "use.ts", "of = types.ts:4", "get = types.ts:3", "start = types.ts:6", "turn = types.ts:8", "honk = types.ts:9",
		"forEach external")
}

func TestJavaScriptObjects(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"lib.js": `function Reply() {}
Reply.prototype.send = function () { return this.end() };
Reply.prototype.end = function () {};
function helper() {}
module.exports = Reply;
module.exports.tools = { helper, own() {} };
`,
		"use.js": `const Reply = require("./lib");
const { helper } = Reply.tools;
const r = new Reply();
r.send();
helper();
Reply.tools.own();
let late = helper;
late = r.send;
late();
`,
	}, "use.js", "Reply = lib.js:1", "send = lib.js:2", "helper = lib.js:4", "own = lib.js:6", "late value")
}

// TestImportsInCircles checks that resolution ends if files re-export names from each other, or
// from themselves.
func TestImportsInCircles(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"self.ts":    "import { f } from './self';\nexport { f };\nf();\n",
		"ping.ts":    "import { g } from './pong';\nexport { g };\nexport function here() {}\n",
		"pong.ts":    "import { g, here } from './ping';\nexport { g, here };\ng();\n",
		"default.js": "import d from './default.js';\nexport default d;\nd();\n",
		"use.ts": "import { f } from './self';\nimport { g, here } from './pong';\n" +
			"import d from './default.js';\nf(); g(); d(); here();\n",
	}, "use.ts", "f open", "g open", "d open", "here = ping.ts:3")
}

// TestWrappedExports checks that a call of a default export in a wrapper reaches the function inside it, and that an
// export of what another call makes reaches none of that call's arguments.
func TestWrappedExports(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"row.tsx": "import { observer } from 'mobx-react';\nfunction Row(p) { return null }\nexport default observer(Row);\n",
		"save.ts": "import { traced } from 'trace';\nfunction save(x) {}\n" +
			"export default traced({ name: 'save' })(save);\n",
		"list.tsx": "import React from 'react';\nfunction List(p) { return null }\nfunction same(a, b) { return true }\n" +
			"export default React.memo(List, same);\n",
		"pick.ts": "import { select } from 'select';\nfunction first(x) {}\nfunction second(x) {}\n" +
			"export default select(first, second);\n",
		"use.tsx": `import Row from "./row";
import save from "./save";
import List from "./list";
import pick from "./pick";
export function use() {
  save(1);
  pick(2);
  return <p><Row a={1} /><List b={2} /></p>;
}
`,
	}, "use.tsx", "save = save.ts:2", "Row = row.tsx:2", "List = list.tsx:2", "pick external")
}
