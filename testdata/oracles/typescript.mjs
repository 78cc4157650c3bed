// The truth about calls in a TypeScript or JavaScript work tree, from the
// TypeScript compiler's checker: one line of JSON a call site on standard
// output, sorted by file, line and column.
//
//   node typescript.mjs ROOT
//
// {"file","line","column","name","class","targets":[{"file","line"}],"module"}
// Columns are 1-based bytes of the callee's last name. Classes: static,
// interface (also a property of one, or of a class, that holds a function), value (with the
// function that a variable is seen to hold as its target, where the compiler
// sees one), external, unknown.
import path from "node:path";
import ts from "../node/node_modules/typescript/lib/typescript.js";
import { Workspace } from "./typescript_projects.mjs";

const K = ts.SyntaxKind;

// unwrap is the expression within parentheses, assertions and (0, f).
function unwrap(n) {
  for (;;) {
    if (ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isSatisfiesExpression(n) || ts.isNonNullExpression(n) || ts.isTypeAssertionExpression(n) || ts.isExpressionWithTypeArguments(n)) n = n.expression;
    else if (ts.isBinaryExpression(n) && n.operatorToken.kind === K.CommaToken) n = n.right;
    else return n;
  }
}

const isFunction = (n) => ts.isArrowFunction(n) || ts.isFunctionExpression(n);

// calleeName is the node of the last name of a callee.
function calleeName(fn) {
  fn = unwrap(fn);
  if (ts.isIdentifier(fn) || fn.kind === K.SuperKeyword) return fn;
  if (ts.isPropertyAccessExpression(fn)) return fn.name;
  if (ts.isElementAccessExpression(fn) && ts.isStringLiteralLike(fn.argumentExpression)) return fn.argumentExpression;
  return undefined;
}

// site is the callee of a node that calls, undefined for one that does not.
function site(n) {
  if (ts.isCallExpression(n)) {
    if (n.expression.kind === K.ImportKeyword) return undefined;
    const loads = ts.isIdentifier(n.expression) && n.expression.text === "require" && n.arguments.length > 0 && ts.isStringLiteral(n.arguments[0]);
    return loads ? undefined : n.expression;
  }
  if (ts.isNewExpression(n)) return n.expression;
  if (ts.isTaggedTemplateExpression(n)) return n.tag;
  if (ts.isDecorator(n)) return ts.isCallExpression(n.expression) ? undefined : n.expression;
  if (ts.isJsxOpeningElement(n) || ts.isJsxSelfClosingElement(n)) {
    const plain = ts.isIdentifier(n.tagName) && /^[a-z]/.test(n.tagName.text);
    return plain || ts.isJsxNamespacedName(n.tagName) ? undefined : n.tagName;
  }
  return undefined;
}

class Judge {
  constructor(workspace, program) {
    this.workspace = workspace;
    this.program = program;
    this.checker = program.getTypeChecker();
  }

  // verdict is {class, targets, module} of the call at node by its last name.
  verdict(node, name) {
    const symbol = this.checker.getSymbolAtLocation(name);
    if (!symbol) return this.#unresolved(name);
    const v = this.#follow(symbol, 0);
    if (v.class === "unknown") return this.#unresolved(name);
    if (v.mixed) return this.#bySignature(node, v);
    return v;
  }

  // unresolved is external for names that lead to a module which is not of the
  // workspace, though nothing is known of it.
  #unresolved(name) {
    let root = name;
    for (let p = name.parent; ts.isPropertyAccessExpression(p) && p.name === root; ) {
      root = unwrap(p.expression);
      if (ts.isPropertyAccessExpression(root)) (p = root), (root = root.name);
      else break;
    }
    const symbol = ts.isIdentifier(root) ? this.checker.getSymbolAtLocation(root) : undefined;
    for (const d of symbol?.declarations ?? []) {
      const spec = moduleOf(d);
      if (spec && !spec.startsWith(".") && !spec.startsWith("#") && !this.workspace.packages.has(packageName(spec)) && this.#absent(d, spec)) {
        return { class: "external", targets: [], module: packageName(spec) };
      }
    }
    return { class: "unknown", targets: [] };
  }

  #absent(declaration, spec) {
    const { resolvedModule } = this.program.getResolvedModuleFromModuleSpecifier?.(specifierOf(declaration)) ?? {};
    return !resolvedModule && !Object.keys(this.program.getCompilerOptions().paths ?? {}).some((p) => p !== "*" && spec.startsWith(p.split("*")[0]));
  }

  // bySignature settles a name that is declared both here and outside.
  #bySignature(node, v) {
    const declaration = this.checker.getResolvedSignature(ts.isDecorator(node) ? node : node)?.declaration;
    if (declaration && !this.#inside(declaration)) return { class: "external", targets: [] };
    return v;
  }

  #inside(declaration) {
    return this.workspace.files.has(declaration.getSourceFile().fileName);
  }

  #follow(symbol, depth) {
    if (symbol.flags & ts.SymbolFlags.Alias) symbol = this.checker.getAliasedSymbol(symbol);
    const declarations = (symbol.declarations ?? []).filter((d) => !ts.isInterfaceDeclaration(d) && !ts.isTypeAliasDeclaration(d) && !ts.isModuleDeclaration(d) && !ts.isJSDocTypedefTag(d));
    if (!declarations.length || depth > 8) return { class: "unknown", targets: [] };
    const named = declarations.filter((d) => ts.isFunctionLike(d) || ts.isClassLike(d) || ts.isVariableDeclaration(d)); // not the a in a.b = …
    const all = (named.length ? named : declarations).map((d) => this.#declaration(d, depth));
    const here = all.filter((v) => v.class !== "external");
    if (!here.length) return all[0];
    const targets = unique(here.flatMap((v) => v.targets));
    const classes = new Set(here.map((v) => v.class));
    let verdict = here[0].class;
    if (classes.size > 1) verdict = ["unknown", "value", "interface"].find((c) => classes.has(c));
    if (verdict === "static" && declarations.every((d) => ts.isMethodDeclaration(d)) && new Set(declarations.map((d) => d.parent)).size > 1) verdict = "interface"; // a union's member
    return { class: verdict, targets, mixed: here.length < all.length, property: here.every((v) => v.property) };
  }

  #declaration(d, depth) {
    if (!this.#inside(d)) return this.#outside(d);
    if (ts.isClassLike(d)) return { class: "static", targets: this.#construction(d) };
    if (ts.isMethodSignature(d)) return { class: "interface", targets: [this.#at(d)], property: true };
    if (ts.isMethodDeclaration(d)) return { class: d.modifiers?.some((m) => m.kind === K.AbstractKeyword) ? "interface" : "static", targets: [this.#at(d)] };
    if (ts.isFunctionLike(d) && !ts.isAccessor(d)) return { class: "static", targets: [this.#at(d)] };
    if (ts.isVariableDeclaration(d) && !this.#typedLike(d)) return this.#held(d, d.initializer, this.#constant(d), depth);
    const same = this.#typedLike(d);
    if (same) return this.#same(d, same, depth);
    if (ts.isPropertySignature(d) && this.#callable(d)) return { class: "interface", targets: [this.#at(d)], property: true };
    if (ts.isPropertyDeclaration(d)) return this.#field(d, this.#held(d, d.initializer && isFunction(unwrap(d.initializer)) ? d.initializer : undefined, true, depth), depth);
    if (ts.isParameterPropertyDeclaration(d, d.parent)) return this.#field(d, { class: "value", targets: [] }, depth);
    if (ts.isPropertyAssignment(d)) return this.#held(d, d.initializer, true, depth);
    if (ts.isExportAssignment(d)) return this.#held(d, d.expression, true, depth);
    if (ts.isShorthandPropertyAssignment(d)) return this.#same(d, this.checker.getShorthandAssignmentValueSymbol(d), depth);
    if (ts.isBindingElement(d)) return this.#bound(d, depth);
    const assigned = assignment(d);
    if (assigned) return this.#ofClass(assigned.left, this.#held(assigned.left, assigned.right, true, depth));
    return { class: "value", targets: [] };
  }

  // field is a field of a class that holds a function, as a property of an
  // interface may; verdict is what it is otherwise.
  #field(d, verdict, depth) {
    if (verdict.class !== "value" || ts.hasStaticModifier(d)) return verdict; // that it is called says that it holds a function
    const value = d.initializer && ts.isPropertyDeclaration(d) ? this.#held(d, d.initializer, true, depth).targets : [];
    return { class: "interface", targets: unique([this.#at(d), ...value]), property: true };
  }

  // ofClass is a value that a class of JavaScript declares by this.name = value.
  #ofClass(left, verdict) {
    const own = ts.isPropertyAccessExpression(left) && left.expression.kind === K.ThisKeyword && ts.isClassLike(ts.getThisContainer(left, false, false).parent);
    return own && verdict.class === "value" ? { class: "interface", targets: unique([this.#at(left), ...verdict.targets]), property: true } : verdict;
  }

  // callable reports whether a property of an interface, or of the object type
  // that an alias names, holds a function.
  #callable(d) {
    if (!ts.isInterfaceDeclaration(d.parent) && !ts.isTypeAliasDeclaration(d.parent.parent)) return false;
    const type = this.checker.getNonNullableType(this.checker.getTypeAtLocation(d));
    return this.checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0;
  }

  // typedLike is the symbol of which a declaration is by its type: x in typeof x,
  // the member in T["member"].
  #typedLike(d) {
    const typed = ts.isVariableDeclaration(d) || ts.isPropertyDeclaration(d) || ts.isPropertySignature(d);
    if (!typed || !d.type || (d.initializer && isFunction(unwrap(d.initializer)))) return undefined;
    const type = this.#unaliased(d.type);
    if (ts.isTypeQueryNode(type)) return this.checker.getSymbolAtLocation(type.exprName);
    const key = ts.isIndexedAccessTypeNode(type) && ts.isLiteralTypeNode(type.indexType) && ts.isStringLiteral(type.indexType.literal);
    return key ? this.checker.getTypeFromTypeNode(type.objectType).getProperty(type.indexType.literal.text) : undefined;
  }

  // unaliased is the type that an alias without arguments stands for.
  #unaliased(type) {
    for (let i = 0; i < 4 && ts.isTypeReferenceNode(type) && !type.typeArguments; i++) {
      const named = this.checker.getSymbolAtLocation(type.typeName);
      const target = named && named.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(named) : named;
      const alias = target?.declarations?.find(ts.isTypeAliasDeclaration);
      if (!alias || alias.typeParameters) break;
      type = alias.type;
    }
    return type;
  }

  #outside(d) {
    const file = d.getSourceFile();
    const dependency = /.*\/node_modules\/((@[^/]+\/)?[^/]+)/.exec(file.fileName);
    if (this.program.isSourceFileDefaultLibrary(file)) return { class: "external", targets: [] };
    return dependency ? { class: "external", targets: [], module: dependency[1].replace(/^@types\//, "") } : { class: "unknown", targets: [] };
  }

  // held is a name that stands for the value of an expression, for good or
  // until it is assigned anew.
  #held(d, value, constant, depth) {
    const here = { class: "value", targets: [this.#at(d)] };
    if (!value) return { class: "value", targets: [] };
    const v = unwrap(value);
    if (isFunction(v)) return { class: constant ? "static" : "value", targets: here.targets };
    if (ts.isClassLike(v)) return { class: constant ? "static" : "value", targets: unique([...here.targets, ...this.#construction(v)]) };
    const loaded = required(v);
    if (loaded && constant) return this.#same(d, this.#module(loaded), depth);
    if (wrapsFunction(v)) return { class: constant ? "static" : "value", targets: here.targets };
    if (ts.isBinaryExpression(v) && v.operatorToken.kind === K.EqualsToken) return this.#held(d, v.right, constant, depth);
    if (constant && (ts.isIdentifier(v) || ts.isPropertyAccessExpression(v))) return this.#same(d, this.checker.getSymbolAtLocation(ts.isIdentifier(v) ? v : v.name), depth);
    return here;
  }

  // module is what require("m") gives: what m exports as a whole.
  #module(literal) {
    const symbol = this.checker.getSymbolAtLocation(literal);
    return symbol?.exports?.get("export=") ?? symbol;
  }

  // same is a second name for what symbol stands for.
  #same(d, symbol, depth) {
    const v = symbol ? this.#follow(symbol, depth + 1) : { class: "unknown", targets: [] };
    if (v.class === "external" || v.class === "unknown") return { class: v.class === "external" ? "external" : "value", targets: [], module: v.module };
    return { ...v, targets: unique([...v.targets, this.#at(d)]) };
  }

  // constant reports whether a variable is never assigned after its declaration.
  #constant(d) {
    if (ts.getCombinedNodeFlags(d) & ts.NodeFlags.Const) return true;
    return ts.isIdentifier(d.name) && !assigned(d.getSourceFile()).has(d.name.text);
  }

  // bound is a name of a destructuring pattern: of a variable, another name for
  // the property; of a parameter, a value.
  #bound(d, depth) {
    const property = d.propertyName ?? d.name;
    if (!ts.isIdentifier(property) || !ts.isObjectBindingPattern(d.parent)) return { class: "value", targets: [] };
    const type = this.checker.getTypeAtLocation(d.parent);
    const symbol = type.getProperty(property.text);
    if (!symbol && type.flags & ts.TypeFlags.Any) return { class: "unknown", targets: [] }; // the props of an absent library's component
    const v = symbol ? this.#follow(symbol, depth + 1) : { class: "value", targets: [] };
    const variable = ts.walkUpBindingElementsAndPatterns(d);
    if (v.class === "external" || v.property || (ts.isVariableDeclaration(variable) && this.#constant(d))) return v.class === "unknown" ? { class: "value", targets: [] } : v;
    return { class: "value", targets: v.targets };
  }

  // construction is what "new C" may be said to call: the class, its
  // constructor, or the written constructor that it inherits.
  #construction(c, depth = 0) {
    const own = c.members.filter(ts.isConstructorDeclaration);
    const out = [this.#at(c), ...own.map((m) => this.#at(m))];
    const base = ts.getClassExtendsHeritageClause?.(c) ?? c.heritageClauses?.find((h) => h.token === K.ExtendsKeyword);
    if (own.length || !base || depth > 20) return out;
    let symbol = this.checker.getSymbolAtLocation(base.types[0].expression);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = this.checker.getAliasedSymbol(symbol);
    const parent = symbol?.declarations?.find(ts.isClassLike);
    return parent && this.#inside(parent) ? unique([...out, ...this.#construction(parent, depth + 1).slice(1)]) : out;
  }

  // at is the place of a declaration's name.
  #at(d) {
    const file = d.getSourceFile();
    let name = ts.getNameOfDeclaration(d);
    if (ts.isPropertyAccessExpression(d)) name = d.name;
    if (!name && ts.isConstructorDeclaration(d)) name = d.getChildren(file).find((c) => c.kind === K.ConstructorKeyword);
    const start = (name ?? d).getStart(file);
    return { file: path.relative(this.workspace.root, file.fileName), line: file.getLineAndCharacterOfPosition(start).line + 1 };
  }
}

// required is the module name in require("m").
function required(n) {
  const loads = ts.isCallExpression(n) && ts.isIdentifier(n.expression) && n.expression.text === "require" && n.arguments.length === 1;
  return loads && ts.isStringLiteral(n.arguments[0]) ? n.arguments[0] : undefined;
}

// wrapsFunction reports whether a call makes a component of a function, memo((props) => …), React.forwardRef(…),
// or returns the function itself: useCallback((x) => …, []).
function wrapsFunction(n) {
  const name = ts.isCallExpression(n) && calleeName(n.expression)?.text;
  if (!["memo", "forwardRef", "observer", "useCallback"].includes(name) || !n.arguments.length) return false;
  const inner = unwrap(n.arguments[0]);
  return isFunction(inner) || wrapsFunction(inner);
}

// assignment is the a.b = value that declares a member in JavaScript.
function assignment(d) {
  const n = ts.isBinaryExpression(d) ? d : d.parent;
  const assigns = n && ts.isBinaryExpression(n) && n.operatorToken.kind === K.EqualsToken && (n === d || n.left === d);
  return assigns ? n : undefined;
}

const assignments = new WeakMap();

// assigned is the names that statements of a file assign to.
function assigned(file) {
  if (assignments.has(file)) return assignments.get(file);
  const names = new Set();
  const visit = (n) => {
    if (ts.isBinaryExpression(n) && n.operatorToken.kind >= K.FirstAssignment && n.operatorToken.kind <= K.LastAssignment) targetNames(n.left, names);
    if ((ts.isPrefixUnaryExpression(n) || ts.isPostfixUnaryExpression(n)) && ts.isIdentifier(n.operand)) names.add(n.operand.text);
    if ((ts.isForOfStatement(n) || ts.isForInStatement(n)) && !ts.isVariableDeclarationList(n.initializer)) targetNames(n.initializer, names);
    ts.forEachChild(n, visit);
  };
  visit(file);
  assignments.set(file, names);
  return names;
}

// targetNames adds the names in the target of an assignment, a pattern perhaps.
function targetNames(n, names) {
  if (ts.isIdentifier(n)) names.add(n.text);
  else if (ts.isObjectLiteralExpression(n) || ts.isArrayLiteralExpression(n) || ts.isPropertyAssignment(n) || ts.isSpreadElement(n)) ts.forEachChild(n, (c) => targetNames(c, names));
  else if (ts.isShorthandPropertyAssignment(n)) names.add(n.name.text);
}

// specifierOf is the string literal that an import's declaration names its
// module with.
function specifierOf(d) {
  for (let n = d; n; n = n.parent) {
    if (ts.isImportDeclaration(n)) return n.moduleSpecifier;
    if (ts.isImportEqualsDeclaration(n)) return ts.isExternalModuleReference(n.moduleReference) ? n.moduleReference.expression : undefined;
    if (ts.isVariableDeclaration(n)) {
      let call = n.initializer;
      while (call && ts.isPropertyAccessExpression(call)) call = call.expression;
      const loads = call && ts.isCallExpression(call) && ts.isIdentifier(call.expression) && call.expression.text === "require" && call.arguments.length === 1;
      return loads && ts.isStringLiteral(call.arguments[0]) ? call.arguments[0] : undefined;
    }
  }
  return undefined;
}

const moduleOf = (d) => specifierOf(d)?.text;
const packageName = (spec) => spec.split("/").slice(0, spec.startsWith("@") ? 2 : 1).join("/");

function unique(targets) {
  const seen = new Set();
  return targets.filter((t) => !seen.has(t.file + ":" + t.line) && seen.add(t.file + ":" + t.line));
}

// sites lists the judged calls of one file.
function sites(judge, file, relative) {
  const out = [];
  const text = file.text;
  const visit = (n) => {
    const fn = site(n);
    const name = fn && calleeName(fn);
    if (name) {
      const start = name.getStart(file) + (ts.isStringLiteralLike(name) ? 1 : 0);
      const { line } = file.getLineAndCharacterOfPosition(start);
      const column = Buffer.byteLength(text.slice(file.getLineStarts()[line], start)) + 1;
      const { class: verdict, targets, module } = judge.verdict(n, name);
      out.push({ file: relative, line: line + 1, column, name: ts.isStringLiteralLike(name) ? name.text : name.getText(file), class: verdict, targets, module });
    }
    ts.forEachChild(n, visit);
  };
  visit(file);
  return out;
}

function main(root) {
  const workspace = new Workspace(root);
  const out = [];
  for (const [program, files] of workspace.projects()) {
    const judge = new Judge(workspace, program);
    for (const f of files) {
      const file = program.getSourceFile(f);
      if (file) out.push(...sites(judge, file, path.relative(workspace.root, f)));
    }
  }
  out.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column));
  for (const s of out) process.stdout.write(JSON.stringify(s) + "\n");
}

main(process.argv[2]);
