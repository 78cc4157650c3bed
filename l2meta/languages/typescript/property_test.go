package typescript_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// TestTypeScriptFunctionProperties checks that calls resolve to the function-valued property of an
// interface, like to a method, also after destructuring.
func TestTypeScriptFunctionProperties(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"props.ts": `import { Handler } from "library";
export type Other = (x: number) => void;
export interface Base { onBase(): void; onOpen?: () => void }
export interface Props extends Base {
  onDone: (n: number) => void;
  onOther: Other;
  onForeign: Handler;
  size: number;
}
export type Alias = { onAlias: () => void };
`,
		"use.tsx": `import { Props, Alias } from "./props";
function use(p: Props, a: Alias, q: Partial<Props>) { p.onDone(1); p.onOpen?.(); a.onAlias(); p.onForeign(); q.onOther?.(2); p.onBase() }
`,
	}, "use.tsx", "onDone = props.ts:5", "onOpen = props.ts:3", "onAlias = props.ts:10", "onForeign = props.ts:7",
		"onOther = props.ts:6", "onBase = props.ts:3")
}

// TestTypeScriptFunctionPropertiesTakenApart checks that the calls of a property are found if
// destructuring renames it.
func TestTypeScriptFunctionPropertiesTakenApart(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"props.ts": "export interface Props { onDone: (n: number) => void; onOther: () => void; onOpen: () => void }\n",
		"parts.tsx": `import { Props } from "./props";
const Part = ({ onDone: done }: Props) => { done(3) };
function part(props: Props) { const { onOther } = props; onOther() }
function renamed(props: Props) { const { onOther: other } = props; other() }
function kept(props: Props) { let { onOpen } = props; onOpen = () => {}; onOpen() }
function passed(size: () => void) { size() }
`,
	}, "parts.tsx", "done = props.ts:1", "other = props.ts:1", "onOther = props.ts:1", "onOpen value", "size value")
}
