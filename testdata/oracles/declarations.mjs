// The declarations of a TypeScript or JavaScript work tree, from the TypeScript
// compiler's parser: one line of JSON a declaration on standard output.
//
//   node declarations.mjs ROOT
//
// {"file","name","qualified","line","end","from","doc_from","doc_end","exported","type","doc"}
// Functions, classes, interfaces, enums, type aliases, variables of modules, and
// methods. line is that of the name; from is the first line of the comments and
// decorators above, doc the text of the
// comment, doc_from and doc_end its lines. exported says that the
// declaration, or the class of a method, is.
import fs from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";
import ts from "../node/node_modules/typescript/lib/typescript.js";

const root = fs.realpathSync(process.argv[2]);

function isExported(n) {
  return (ts.getCombinedModifierFlags(n) & ts.ModifierFlags.Export) !== 0;
}

function read(file) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const line = (at) => source.getLineAndCharacterOfPosition(at).line + 1;

  function tell(node, whole, name, qualified, exported) {
    const comments = ts.getLeadingCommentRanges(text, whole.getFullStart()) ?? [];
    const own = comments.filter((c) => text.slice(c.pos, c.pos + 3) === "/**").at(-1);
    const from = line(own ? own.pos : whole.getStart());
    const doc = own ? text.slice(own.pos, own.end).replace(/^\/\*\*+|\*+\/$/g, "").replace(/^\s*\* ?/gm, "").trim() : "";
    const type = ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node) || ts.isTypeAliasDeclaration(node);
    process.stdout.write(JSON.stringify({ file, name: name.text, qualified, line: line(name.getStart()), end: line(whole.getEnd()), from, doc_from: own ? from : 0, doc_end: own ? line(own.end) : 0, exported, type, doc }) + "\n");
  }

  for (const s of source.statements) {
    if (ts.isFunctionDeclaration(s) && s.name && s.body) tell(s, s, s.name, s.name.text, isExported(s));
    else if ((ts.isInterfaceDeclaration(s) || ts.isEnumDeclaration(s) || ts.isTypeAliasDeclaration(s)) && s.name) tell(s, s, s.name, s.name.text, isExported(s));
    else if (ts.isVariableStatement(s)) {
      for (const d of s.declarationList.declarations) if (ts.isIdentifier(d.name)) tell(d, s, d.name, d.name.text, isExported(s));
    } else if (ts.isClassDeclaration(s) && s.name) {
      tell(s, s, s.name, s.name.text, isExported(s));
      for (const m of s.members) {
        if (ts.isMethodDeclaration(m) && m.body && ts.isIdentifier(m.name)) {
          const hidden = (ts.getCombinedModifierFlags(m) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
          tell(m, m, m.name, s.name.text + "." + m.name.text, isExported(s) && !hidden);
        }
      }
    }
  }
}

const listed = execFileSync("git", ["-C", root, "ls-files", "-z"], { maxBuffer: 1 << 28 }).toString().split("\0");
for (const file of listed.sort()) {
  if (/\.(ts|tsx|mts|cts)$/.test(file) && !/\.d\.ts$/.test(file) && fs.existsSync(path.join(root, file))) read(file);
}
