package typescript_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// TestTypeScriptHandedBack checks that a library may return a value that the workspace passed to
// it.
func TestTypeScriptHandedBack(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"service.ts": `export class Service { load() {} find() {} own() {} }
export interface Row { paint(): void; find(): void }`,
		"use.ts": `import { inject } from "@angular/core";
import { make, wrap, each, Table, Mocked, Plain } from "library";
import { Service, Row } from "./service";
class Page {
  private typed = inject(Service);
  private made = make(Service);
  run() { this.typed.load(); this.made.find(); this.made.subscribe(); }
}
const memo = wrap(() => new Service());
function signals() { memo().own(); const held = wrap(() => 1); held(); }
function mocked(m: Mocked<Service>, p: Plain) { m.paint(); p.load2().find3(); }
function rows(t: Table<Row>) { each(t, (row) => row.paint4()); new Table<Row>([]).rows.first(); }
`,
	}, "use.ts", "load = service.ts:1", "find open", "subscribe external", "own open", "held value", "paint open",
		"load2 external", "find3 external", "paint4 external")
}

// TestTypeScriptGivesItsOwn checks that a library call without workspace arguments has an external
// result, even if the workspace declares the names that are called on it.
func TestTypeScriptGivesItsOwn(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"service.ts": `export class Service { min() {} get() {} use() {} push() {} rows() {} close() {} }`,
		"use.ts": `import { z, useRouter, connect, Table, Base, Client } from "library";
import { Service } from "./service";
import * as ns from "library";
z.string().min(3);
ns.client("key", 5, [1, 2], null).get();
const app = connect<string>(); app.use(new Service());
const router = useRouter();
router.push(Service);
new Table<Service>().rows();
class Own extends Base<Service> { stop() { this.close(); this.value.get2() } }
`,
	}, "use.ts", "min external", "get external", "use external", "push external", "rows external",
		"close external", "get2 external")
}
