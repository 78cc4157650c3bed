// The truth about accesses in a TypeScript or JavaScript work tree, from the TypeScript compiler's
// checker: one line of JSON on standard output for each member that is read or assigned, and that
// has a getter or setter of the work tree.
//
//   node accesses.mjs ROOT
//
// {"file","line","column","name","class","write","targets":[{"file","line"}]}
// Classes: static; value for a property of an interface or an abstract one, which has no code itself.
// Columns are 1-based bytes of the name. The class is unknown where the type of the receiver is not
// known and a getter or setter of the work tree bears the name. A file that was read has a first line
// of class unknown at 1:1 without a name. The names of callees are left out: they are call sites.
import fs from "node:fs";
import path from "node:path";
import ts from "../node/node_modules/typescript/lib/typescript.js";
import { Workspace } from "./typescript_projects.mjs";

const K = ts.SyntaxKind;

// computed is the names of the getters and setters of the work tree.
function computed(workspace) {
  const names = new Set();
  for (const f of workspace.sources) {
    const text = fs.readFileSync(f, "utf8");
    const visit = (n) => {
      if (ts.isAccessor(n)) names.add(n.name.getText());
      ts.forEachChild(n, visit);
    };
    if (/\b[gs]et\b/.test(text)) visit(ts.createSourceFile(f, text, ts.ScriptTarget.Latest, true));
  }
  return names;
}

// isCallee reports whether an access is the callee of a call, within parentheses and assertions too.
function isCallee(n) {
  while (ts.isParenthesizedExpression(n.parent) || ts.isNonNullExpression(n.parent) || ts.isAsExpression(n.parent)) n = n.parent;
  const p = n.parent;
  return ((ts.isCallExpression(p) || ts.isNewExpression(p)) && p.expression === n) || (ts.isTaggedTemplateExpression(p) && p.tag === n) || ts.isDecorator(p);
}

// uses is how a member is accessed: [false] read, [true] assigned, both by x.p += 1.
function uses(n) {
  const p = n.parent;
  if (ts.isBinaryExpression(p) && p.left === n) {
    const kind = p.operatorToken.kind;
    if (kind === K.EqualsToken) return [true];
    if (kind > K.EqualsToken && kind <= K.LastAssignment) return [false, true];
  }
  if ((ts.isPrefixUnaryExpression(p) || ts.isPostfixUnaryExpression(p)) && [K.PlusPlusToken, K.MinusMinusToken].includes(p.operator)) return [false, true];
  if (ts.isDeleteExpression(p)) return [];
  return [ts.isAssignmentTarget?.(n) ?? false];
}

// member is the symbol and name node of an access at n, undefined where there is none.
function member(checker, n) {
  if (ts.isPropertyAccessExpression(n)) return isCallee(n) ? undefined : { name: n.name, symbol: checker.getSymbolAtLocation(n.name), type: () => checker.getTypeAtLocation(n.expression), uses: uses(n) };
  if (!ts.isBindingElement(n) || !ts.isObjectBindingPattern(n.parent) || n.dotDotDotToken) return undefined;
  const name = n.propertyName ?? n.name;
  if (!ts.isIdentifier(name)) return undefined;
  const type = checker.getTypeAtLocation(n.parent);
  return { name, symbol: type.getProperty(name.text), type: () => type, uses: [false] };
}

// accessor is a test for the declarations that an access runs.
const accessor = (write) => (d) => d.kind === (write ? K.SetAccessor : K.GetAccessor);

// open is a test for the properties without code that others implement.
const open = (d) => (ts.isPropertySignature(d) && ts.isInterfaceDeclaration(d.parent)) || (ts.isPropertyDeclaration(d) && d.modifiers?.some((m) => m.kind === K.AbstractKeyword));

// places is where a symbol's declarations are that pass a test.
function places(workspace, symbol, runs) {
  return (symbol?.declarations ?? [])
    .filter((d) => runs(d) && workspace.files.has(d.getSourceFile().fileName))
    .map((d) => ({ file: path.relative(workspace.root, d.getSourceFile().fileName), line: d.getSourceFile().getLineAndCharacterOfPosition(d.name.getStart()).line + 1 }));
}

function accesses(workspace, checker, names, file, out) {
  const relative = path.relative(workspace.root, file.fileName);
  out.push({ file: relative, line: 1, column: 1, name: "", class: "unknown" });
  const visit = (n) => {
    const m = member(checker, n);
    if (m && names.has(m.name.text)) {
      const start = m.name.getStart(file);
      const { line } = file.getLineAndCharacterOfPosition(start);
      const at = { file: relative, line: line + 1, column: Buffer.byteLength(file.text.slice(file.getLineStarts()[line], start)) + 1, name: m.name.text };
      for (const write of m.uses) {
        const targets = places(workspace, m.symbol, accessor(write));
        const implemented = places(workspace, m.symbol, open);
        if (targets.length) out.push({ ...at, class: "static", write, targets });
        else if (implemented.length) out.push({ ...at, class: "value", write, targets: implemented });
        else if (!m.symbol && m.type().flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) out.push({ ...at, class: "unknown", write });
      }
    }
    ts.forEachChild(n, visit);
  };
  visit(file);
}

function main(root) {
  const workspace = new Workspace(root);
  const names = computed(workspace);
  const out = [];
  for (const [program, files] of workspace.projects())
    for (const f of files) {
      const file = program.getSourceFile(f);
      if (file) accesses(workspace, program.getTypeChecker(), names, file, out);
    }
  for (const a of out) process.stdout.write(JSON.stringify(a) + "\n");
}

main(process.argv[2]);
