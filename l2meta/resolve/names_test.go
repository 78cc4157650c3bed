package resolve_test

import (
	"fmt"
	"slices"
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestCallersByManyNames finds the callers of a function that other files call by other names,
// among many default exports and many names.
func TestCallersByManyNames(t *testing.T) {
	files := map[string]string{
		"save.ts":   "const save = () => {};\nexport default save;\n",
		"passed.ts": "export { default } from './save';\n",
		"barrel.ts": "export { default as Kept } from './passed';\n",
		"store.js":  "module.exports = function keep() {};\n",
		"handed.js": "module.exports = require('./store');\n",
		"bundle.js": "exports.bundled = require('./handed');\n",
		"use/a.ts": "import zKeeper from '../save';\nimport { Kept } from '../barrel';\nMenu.Trigger = zKeeper;\n" +
			"export function a() { zKeeper(); Kept(); }\nfunction Menu() {}\n",
		"use/b.ts": "import Again from '../passed';\nexport const b = () => Again();\n",
		"use/c.js": "const other = require('../store'), all = require('../bundle');\n" +
			"const third = require('../handed');\nfunction c() { other(); third(); all.bundled(); }\n",
		"use/ns.ts":  "import * as saved from '../save';\nexport const d = () => saved.default();\n",
		"alone.ts":   "export default function () {}\n",
		"use/own.ts": "import named from '../alone';\nexport const own = () => named();\n",
	}
	files["held.js"] = "const store = require('./names');\nmodule.exports = function make() {\n" +
		"  const app = { kept: store.exist };\n  return app;\n};\n"
	files["names.js"] = "function has() {}\nmodule.exports = { exist: has };\n"
	files["use/held.js"] = "const make = require('../held');\nfunction h() { make().kept(); }\n"
	for i := range 250 {
		files[fmt.Sprintf("many/y%d.ts", i)] = fmt.Sprintf("export default function y%d() {}\n", i)
		files[fmt.Sprintf("many/x%d.ts",
			i)] = fmt.Sprintf("import x%d from './y%d';\nexport const z%d = () => x%d();\n", i, i, i, i)
		files[fmt.Sprintf("some/s%d.ts",
			i%99)] = fmt.Sprintf("import { many as m%d } from '../named';\nexport const s%d = () => m%d();\n", i%99,
			i%99, i%99)
	}
	files["named.ts"] = "export function many() {}\n"
	languagetest.World(t, files, func(r *resolve.Resolver) {
		for _, c := range []struct {
			path, name string
			calls      int
		}{{"save.ts", "save", 4}, {"store.js", "keep", 3}, {"alone.ts", "default", 1}, {"many/y7.ts", "y7", 1},
			{"named.ts", "many", 99}, {"names.js", "has", 1}} {
			f := r.World().File(c.path)
			in, err := r.Callers(f.Ref(f.Named(c.name)[0]), 1000)
			if err != nil || len(in.Callers) != c.calls {
				t.Errorf("%s of %s is called %d times, want %d: %+v, %v", c.name, c.path, len(in.Callers),
					c.calls, in.Callers, err)
			}
			if in.Files > c.calls+3 {
				t.Errorf("%d files may call %s of %s", in.Files, c.name, c.path)
			}
		}
	})
}

// TestImportersByEveryName finds the importers of files that modules import by all forms of names, those of default
// exports as callers, too, without a ledger.
func TestImportersByEveryName(t *testing.T) {
	files := map[string]string{
		"package.json": `{"name": "shop"}`,
		"tsconfig.json": `{"compilerOptions": {"baseUrl": ".", "paths": {
			"backend": ["src/http/client.ts"], "@/*": ["src/*"], "~*": ["src/*"],
			"@lib-*": ["libs/*-lib/src/index.ts"], "conf.*": ["src/conf/*.config.ts"]}}}`,
		"libs/shared/package.json": `{"name": "@shop/common", "main": "dist/main.js", "exports": {
			".": "./dist/main.js", "./tools": "./dist/inner.js", "./parts/*": "./src/part-*.js"}}`,
		"libs/shared/src/main.ts":   "export default function whole() {}\n",
		"libs/shared/src/inner.ts":  "export default function tools() {}\n",
		"libs/shared/src/part-a.ts": "export default function part() {}\n",
		"libs/a-lib/src/index.ts":   "export default function lib() {}\n",
		"src/http/client.ts":        "export default function send() {}\n",
		"src/views/index.ts":        "export default function view() {}\n",
		"src/views/a.service.ts":    "export default function serve() {}\n",
		"src/conf/app.config.ts":    "export default function conf() {}\n",
		"src/views/users/list.ts":   "import up from '..';\nimport beside from '../a.service';\nup(); beside();\n",
		"src/one.ts": "import a from 'backend';\nimport b from '@/views';\nimport c from '~http/client';\n" +
			"a(); b(); c();\n",
		"src/two.ts": "import a from '@lib-a';\nimport b from 'conf.app';\nimport c from 'src/views/a.service';\n" +
			"a(); b(); c();\n",
		"src/three.ts": "import a from '@shop/common';\nimport b from '@shop/common/tools';\n" +
			"import c from '@shop/common/parts/a';\na(); b(); c();\n",
		"src/four.js": "const a = require('./views/'), b = require('./http/client.js');\na(); b();\n",
	}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		for path, want := range map[string]int{"libs/shared/src/main.ts": 1, "libs/shared/src/inner.ts": 1,
			"libs/shared/src/part-a.ts": 1, "libs/a-lib/src/index.ts": 1, "src/http/client.ts": 3, "src/views/index.ts": 3,
			"src/views/a.service.ts": 2, "src/conf/app.config.ts": 1} {
			f := r.World().File(path)
			found, err := r.Importers(f)
			if err != nil || len(found) != want {
				t.Errorf("%s is imported by %d files, want %d; %v", path, len(found), want, err)
			}
			in, err := r.Callers(f.Ref(0), 1000)
			if err != nil || len(in.Callers) != want {
				t.Errorf("the function of %s is called by %d files, want %d; %v", path, len(in.Callers), want, err)
			}
		}
	})
}

// TestNamesOfOneLanguage checks that a file gives another name to declarations of its own language alone.
func TestNamesOfOneLanguage(t *testing.T) {
	files := map[string]string{
		"get.go": "package get\n\nfunc Get() {}\n\nfunc init() { Get() }\n",
		"get.ts": "export function Get() {}\nexport default Get;\n",
		"use.ts": "import { Get as fetch } from './get';\nimport load from './get';\nfetch(); load();\n",
	}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		for path, want := range map[string][]string{"get.go": {"Get"}, "get.ts": {"Get", "default", "fetch", "load"}} {
			f := r.World().File(path)
			names := r.CallNames(f.Ref(f.Named("Get")[0]))
			slices.Sort(names)
			if !slices.Equal(names, want) {
				t.Errorf("Get of %s is called by the names %q, want %q", path, names, want)
			}
		}
		f := r.World().File("get.go")
		if names := r.CallNames(f.Ref(f.Named("init")[0])); len(names) > 0 {
			t.Errorf("init of Go is called by the names %q", names)
		}
	})
}
