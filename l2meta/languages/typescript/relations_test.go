package typescript_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/languages/typescript"
)

// relatedFiles declare types with members that override each other, and imports of all forms.
var relatedFiles = map[string]string{
	"package.json": `{"name": "app"}`,
	"src/a.ts": `import def, { Other as Renamed } from './b';
import * as all from './b';
import type { Runs as R } from './c';
import './side';
import x = require('./b');
import { Gone } from './gone';
import { Lib } from 'lib';
export { deep } from './deep';
export * from './c';
export interface Runs { run(): void; size: number; opt?(): void; }
export interface More extends Runs { more(): void; }
export abstract class Base implements Runs { constructor(a: number) {} run() {} abstract must(): void;
size = 1; get got() { return 1; } static make() {} private hidden() {} field = () => 1; }
export class Sub extends Base { run() {} must() {} get got() { return 2; } static make() {} field = () => 2; }
export class Low extends Sub implements More { constructor() { super(1); } run() {} more() {} size = 2; }
export class Other { run() {} }
class Far extends Lib { run() {} }
class Both extends Renamed implements R { run() {} own() {} }
export const literal: Runs = { run() {}, size: 1 };
export function run() {}
type Alias = Base;
class Through extends all.Other { run() {} own() {} }
`,
	"src/b.ts":          "export default class Def {}\nexport class Other { run() {} own() {} }\n",
	"src/c.ts":          "export interface Runs { own(): void }\n",
	"src/side.ts":       "console.log(1);\n",
	"src/deep/index.ts": "export const deep = 1;\n",
}

func TestRelations(t *testing.T) {
	got := languagetest.Relations(t, typescript.Language{}, relatedFiles, "src/a.ts")
	languagetest.CheckRelations(t, got, `
Runs heirs Base, Low, More, Sub
Runs.run below Base.run, Low.run, Sub.run
More heirs Low
More.more below Low.more
Base calls Base, super heirs Low, Sub
Base.constructor calls Base, super
Base.run below Low.run, Sub.run above Runs.run
Base.must below Sub.must
Base.size above Runs.size
Base.got below Sub.got
Base.make below Sub.make
Base.field below Sub.field
Sub calls Sub, super heirs Low new Base.constructor
Sub.run below Low.run above Base.run, Runs.run
Sub.must above Base.must
Sub.got above Base.got
Sub.make above Base.make
Sub.field above Base.field
Low calls Low, super
Low.constructor calls Low, super
Low.run above Base.run, Runs.run, Sub.run
Low.more above More.more
Low.size above Runs.size
Other calls Other, super
Far calls Far, super
Both calls Both, super
Both.run above Other.run
Both.own above Other.own, Runs.own
Through calls Through, super
Through.run above Other.run
Through.own above Other.own
import ./b default src/b.ts
import ./b Other src/b.ts
import ./b * src/b.ts
import ./c Runs src/c.ts
import ./side src/side.ts
import ./b src/b.ts
import ./gone Gone
import lib Lib
`)
}
