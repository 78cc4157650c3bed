// Lists what TypeScript and JavaScript files declare, as the TypeScript
// compiler's own parser reads them.
//
// The path of the typescript package is the first argument; paths of files
// come on standard input, one a line. Each answer is one line of JSON:
// {"path": ..., "symbols": ["kind qualified.name first-last", ...], "calls":
// ["kind name arguments", ...], "imports": ["module name alias", ...]}, without
// "symbols" where the compiler itself finds syntax errors.
"use strict";
const fs = require("fs");
const ts = require(process.argv[2]);
const K = ts.SyntaxKind;

const isFunction = (n) => n && (ts.isArrowFunction(n) || ts.isFunctionExpression(n));
const isClass = (n) => n && ts.isClassExpression(n);
const has = (n, kind) => !!(n.modifiers && n.modifiers.some((m) => m.kind === kind));

function unwrap(n) {
  while (n && (ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isSatisfiesExpression(n) || ts.isNonNullExpression(n) || ts.isTypeAssertionExpression(n))) {
    n = n.expression;
  }
  return n;
}

function hasJSX(n) {
  return ts.isJsxElement(n) || ts.isJsxSelfClosingElement(n) || ts.isJsxFragment(n) || !!ts.forEachChild(n, (c) => hasJSX(c) || undefined);
}

function functionKind(name, fn) {
  if (/^use[A-Z0-9]/.test(name)) return "hook";
  if (/^\p{Lu}/u.test(name) && hasJSX(fn)) return "component";
  return "function";
}

function isRequire(n) {
  return n && ts.isCallExpression(n) && ts.isIdentifier(n.expression) && n.expression.text === "require" && n.arguments.length > 0 && ts.isStringLiteral(n.arguments[0]);
}

// calleeName is the last name of a callee.
function calleeName(fn) {
  fn = unwrap(fn);
  if (ts.isIdentifier(fn)) return fn.text;
  return ts.isPropertyAccessExpression(fn) ? fn.name.text : "";
}

function wrapped(n) {
  if (!n || !ts.isCallExpression(n) || !["memo", "forwardRef", "observer"].includes(calleeName(n.expression))) return undefined;
  const arg = unwrap(n.arguments[0]);
  return isFunction(arg) ? arg : wrapped(arg);
}

// dotted is the path that a chain a.b.c spells; undefined if it is computed.
function dotted(n) {
  if (ts.isIdentifier(n)) return [n.text];
  if (n.kind === K.ThisKeyword) return [];
  if (!ts.isPropertyAccessExpression(n)) return undefined;
  const path = dotted(n.expression);
  if (path && n.name.text !== "prototype") path.push(n.name.text);
  return path;
}

class Reader {
  constructor(file, sf) {
    const lower = "/" + file.toLowerCase();
    this.sf = sf;
    this.js = /(js|jsx)$/.test(lower);
    this.test = [".test.", ".spec.", "__tests__/", "/test/", "/tests/", ".e2e-"].some((p) => lower.includes(p));
    this.symbols = [];
    this.exportsSeen = new Set();
    this.scope = { owner: [], kind: "file", local: false, path: [], params: false, parent: null, fields: new Set() };
  }

  add(kind, name, node, owner = this.scope.owner, end = node) {
    const line = (pos) => this.sf.getLineAndCharacterOfPosition(pos).line + 1;
    const full = [...owner, name];
    this.symbols.push(`${kind} ${full.join(".")} ${line(node.getStart(this.sf))}-${line(end.getEnd())}`);
    return full;
  }

  // within runs visit for nodes in a changed scope.
  within(change, ...nodes) {
    const outer = this.scope;
    this.scope = { ...outer, ...change };
    for (const n of nodes) if (n) this.visit(n);
    this.scope = outer;
  }

  below(owner, kind, local, ...nodes) {
    this.within({ owner, kind, local, path: [], params: false, parent: this.scope, fields: new Set() }, ...nodes);
  }

  children(n) {
    ts.forEachChild(n, (c) => this.visit(c));
  }

  name(n) {
    if ((ts.isStringLiteral(n) || ts.isNoSubstitutionTemplateLiteral(n)) && n.text) return n.text;
    return n.getText(this.sf).split(/\s+/).join(" ");
  }

  callable(kind, name, node, fn, owner = this.scope.owner) {
    kind = kind || functionKind(name, fn);
    const full = this.add(kind, name, node, owner);
    if (kind === "constructor") {
      for (const p of fn.parameters) {
        const property = (p.modifiers || []).some((m) => [K.PublicKeyword, K.PrivateKeyword, K.ProtectedKeyword, K.ReadonlyKeyword, K.OverrideKeyword].includes(m.kind));
        if (property && ts.isIdentifier(p.name)) this.add("field", p.name.text, p, this.scope.owner);
      }
    }
    this.below(full, kind, true, ...(fn.typeParameters || []), ...fn.parameters, fn.type, fn.body);
    this.decorators(full, kind, node);
  }

  klass(name, node, n, owner = this.scope.owner) {
    const full = this.add("class", name, node, owner);
    this.below(full, "class", false, ...(n.typeParameters || []), ...(n.heritageClauses || []), ...n.members);
    this.decorators(full, "class", n);
  }

  decorators(full, kind, n) {
    for (const m of n.modifiers || []) if (ts.isDecorator(m)) this.below(full, kind, this.scope.local, m.expression);
  }

  members() {
    return !this.scope.params && (["interface", "type", "field"].includes(this.scope.kind) || (this.scope.kind === "property" && !this.scope.local));
  }

  visit(n) {
    const s = this.scope;
    switch (n.kind) {
      case K.FunctionDeclaration:
        if (n.name) this.callable("", n.name.text, n, n);
        else this.callable("function", "default", n, n);
        return;
      case K.FunctionExpression:
      case K.ArrowFunction:
        return this.functionValue(n);
      case K.ClassDeclaration:
      case K.ClassExpression:
        return this.anyClass(n);
      case K.ClassStaticBlockDeclaration:
        return this.within({ local: true }, n.body);
      case K.InterfaceDeclaration:
        return this.below(this.add("interface", n.name.text, n), "interface", false, ...(n.typeParameters || []), ...(n.heritageClauses || []), ...n.members);
      case K.TypeAliasDeclaration:
        return this.below(this.add("type", n.name.text, n), "type", false, ...(n.typeParameters || []), n.type);
      case K.EnumDeclaration: {
        const full = this.add("enum", n.name.text, n);
        for (const m of n.members) this.below(this.add("constant", this.name(m.name), m, full), "constant", s.local, m.initializer);
        return;
      }
      case K.ModuleDeclaration:
        return this.module(n);
      case K.Constructor:
      case K.MethodDeclaration:
      case K.GetAccessor:
      case K.SetAccessor:
      case K.MethodSignature:
        return this.method(n);
      case K.PropertyDeclaration:
      case K.PropertySignature:
        return this.property(n);
      case K.ObjectLiteralExpression:
        return this.object(n);
      case K.VariableDeclaration:
        return this.variable(n);
      case K.BinaryExpression:
        if (n.operatorToken.kind === K.EqualsToken) return this.assignment(n);
        return this.children(n);
      case K.Parameter:
        return this.within({ params: true }, ...(n.modifiers || []), n.name, n.type, n.initializer);
      case K.CallExpression:
        return this.call(n);
      case K.ExportAssignment: {
        const inner = unwrap(n.expression);
        const named = ts.isObjectLiteralExpression(inner) || ts.isCallExpression(inner);
        if (!n.isExportEquals && (isFunction(n.expression) || isClass(n.expression)) && !n.expression.name) {
          if (isClass(n.expression)) return this.klass("default", n, n.expression);
          return this.callable("function", "default", n, n.expression);
        }
        return this.within(named && !n.isExportEquals ? { path: [...s.path, "default"] } : {}, n.expression);
      }
      case K.ImportDeclaration:
      case K.ExportDeclaration:
      case K.ImportEqualsDeclaration:
        return;
    }
    this.children(n);
  }

  functionValue(n) {
    if (n.name && n !== this.inner) return this.callable("", n.name.text, n, n);
    this.within({ local: true }, ...(n.typeParameters || []), ...n.parameters, n.type, n.body);
  }

  anyClass(n) {
    if (n.name) return this.klass(n.name.text, n, n);
    if (ts.isClassDeclaration(n)) return this.klass("default", n, n);
    this.within({ local: false }, ...(n.typeParameters || []), ...(n.heritageClauses || []), ...n.members);
  }

  module(n) {
    const steps = [];
    let body = n;
    for (; body && ts.isModuleDeclaration(body); body = body.body) steps.push(this.name(body.name));
    const kind = ts.isStringLiteral(n.name) ? "module" : "namespace";
    this.below(this.add(kind, steps.join("."), n), kind, false, ...(body ? body.statements : []));
  }

  method(n) {
    const accessor = ts.isGetAccessor(n) || ts.isSetAccessor(n);
    const inObject = ts.isObjectLiteralExpression(n.parent);
    const inClass = ts.isClassLike(n.parent);
    let kind = accessor ? "property" : "method";
    const name = ts.isConstructorDeclaration(n) ? "constructor" : this.name(n.name);
    if (n.name && ts.isComputedPropertyName(n.name)) this.visit(n.name.expression);
    if (inObject) return this.callable(kind, name, n, n, [...this.scope.owner, ...this.scope.path]);
    if (!inClass && !this.members()) return this.within({ local: true }, ...n.parameters, n.type);
    if (ts.isConstructorDeclaration(n)) kind = "constructor";
    this.callable(kind, name, n, n);
  }

  property(n) {
    const s = this.scope;
    if (ts.isPropertySignature(n) && !this.members()) return this.children(n);
    const name = this.name(n.name);
    const value = unwrap(n.initializer);
    s.fields.add(name);
    if (ts.isComputedPropertyName(n.name)) this.visit(n.name.expression);
    if (isFunction(value)) return this.callable("method", name, n, value);
    if (isClass(value)) return this.klass(name, n, value);
    const kind = ts.isPropertySignature(n) ? "property" : "field";
    const full = this.add(kind, name, n);
    this.below(full, kind, s.local, n.type, n.initializer);
    this.decorators(full, kind, n);
  }

  object(n) {
    const s = this.scope;
    for (const p of n.properties) {
      if (!ts.isPropertyAssignment(p)) {
        this.visit(p);
        continue;
      }
      const name = this.name(p.name);
      const value = unwrap(p.initializer);
      if (ts.isComputedPropertyName(p.name)) this.visit(p.name.expression);
      if (isFunction(value)) this.callable("method", name, p, value, [...s.owner, ...s.path]);
      else if (isClass(value)) this.klass(name, p, value, [...s.owner, ...s.path]);
      else this.within({ path: [...s.path, name] }, p.initializer);
    }
  }

  // top tells a variable of a file or a namespace from a local one.
  top(n) {
    const list = n.parent;
    if (!ts.isVariableDeclarationList(list) || !ts.isVariableStatement(list.parent) || this.scope.local) return false;
    const block = list.parent.parent;
    return ts.isSourceFile(block) || ts.isModuleBlock(block) || !(list.flags & ts.NodeFlags.BlockScoped);
  }

  variable(n) {
    const s = this.scope;
    const value = unwrap(n.initializer);
    if (this.required(n, value)) return;
    const whole = n.parent && n.parent.declarations && n.parent.declarations.length === 1 && ts.isVariableStatement(n.parent.parent) ? n.parent.parent : n;
    const kind = n.parent.flags & ts.NodeFlags.Const ? "constant" : "variable";
    if (!ts.isIdentifier(n.name)) {
      let first;
      if (this.top(n)) {
        this.bound(n.name, (name) => {
          const full = this.add(kind, name, whole);
          first = first || full;
        });
      }
      if (first) this.below(first, kind, s.local, n.name, n.type, n.initializer);
      else for (const c of [n.name, n.type, n.initializer]) c && this.visit(c);
      return;
    }
    const name = n.name.text;
    if (isFunction(value)) {
      return this.callable("", name, whole, value);
    }
    if (isClass(value)) return this.klass(name, whole, value);
    const inner = wrapped(value);
    if (inner && functionKind(name, inner) === "component") {
      this.inner = inner;
      return this.below(this.add("component", name, whole), "component", true, value);
    }
    if (!this.top(n)) {
      if (n.type) this.visit(n.type);
      if (n.initializer) this.within({ path: [...s.path, name] }, n.initializer);
      return;
    }
    this.below(this.add(kind, name, whole), kind, s.local, n.type, n.initializer);
  }

  bound(pattern, each) {
    for (const e of pattern.elements) {
      if (ts.isOmittedExpression(e)) continue;
      if (ts.isIdentifier(e.name)) each(e.name.text);
      else this.bound(e.name, each);
    }
  }

  // required tells a variable that is an import: const x = require("m").
  required(n, value) {
    if (isRequire(value)) return ts.isIdentifier(n.name) || ts.isObjectBindingPattern(n.name);
    return !!value && ts.isPropertyAccessExpression(value) && isRequire(value.expression) && ts.isIdentifier(n.name);
  }

  assignment(n) {
    const s = this.scope;
    const value = unwrap(n.right);
    if (ts.isIdentifier(n.left)) {
      if (isFunction(value)) return this.callable("", n.left.text, n, value);
      return this.within({ path: [...s.path, n.left.text] }, n.right);
    }
    if (!ts.isPropertyAccessExpression(n.left)) return this.children(n);
    const object = n.left.expression.getText(this.sf);
    const name = n.left.name.text;
    if (s.owner.length === 0 && object === "module" && name === "exports") return this.exports("", n, value);
    if (s.owner.length === 0 && (object === "exports" || object === "module.exports")) return this.exports(name, n, value);
    this.visit(n.left.expression);
    const inMethod = ["constructor", "method"].includes(s.kind) && s.parent && s.parent.kind === "class";
    if (n.left.expression.kind === K.ThisKeyword && inMethod) return this.thisProperty(name, n, value);
    const path = dotted(n.left.expression);
    if (!path) return this.visit(n.right);
    const owner = [...s.owner, ...s.path, ...path];
    if (isFunction(value)) return this.callable("method", name, n, value, owner);
    if (isClass(value)) return this.klass(name, n, value, owner);
    if (name !== "prototype") path.push(name);
    this.within({ path: [...s.path, ...path] }, n.right);
  }

  thisProperty(name, n, value) {
    const parent = this.scope.parent;
    const known = parent.fields.has(name);
    parent.fields.add(name);
    if (isFunction(value)) {
      const outer = this.scope;
      this.scope = parent;
      this.callable("method", name, n, value);
      this.scope = outer;
      return;
    }
    if (this.js && !known) this.add("field", name, n, parent.owner);
    this.within({ path: [...this.scope.path, name] }, n.right);
  }

  exports(name, n, value) {
    const s = this.scope;
    const own = (value.name && value.name.text) || "default";
    if (isFunction(value)) return this.callable("", name || own, n, value);
    if (isClass(value)) return this.klass(name || own, n, value);
    if (isRequire(value)) return;
    const plain = [K.StringLiteral, K.NumericLiteral, K.TemplateExpression, K.NoSubstitutionTemplateLiteral, K.ObjectLiteralExpression, K.ArrayLiteralExpression, K.NewExpression, K.TrueKeyword, K.FalseKeyword, K.RegularExpressionLiteral];
    if (name && plain.includes(value.kind) && !this.exportsSeen.has(name)) {
      this.exportsSeen.add(name);
      return this.below(this.add("variable", name, n), "variable", s.local, value);
    }
    this.within({ path: name ? [...s.path, name] : s.path }, value);
  }

  call(n) {
    let fn = n.expression;
    while (ts.isPropertyAccessExpression(fn) || ts.isCallExpression(fn) || ts.isTaggedTemplateExpression(fn)) fn = fn.expression || fn.tag;
    const title = n.arguments[0];
    const body = [...n.arguments].reverse().find((a) => isFunction(a));
    const titled = title && (ts.isStringLiteral(title) || ts.isTemplateLiteral(title));
    if (this.test && ts.isIdentifier(fn) && ["it", "test", "describe", "context", "suite", "specify"].includes(fn.text) && titled && body) {
      const text = title.getText(this.sf).split(/\s+/).join(" ").replace(/^["'`]+|["'`]+$/g, "");
      if (text) {
        this.visit(n.expression);
        const full = this.add("test", text, n);
        for (const a of n.arguments) if (a !== body) this.visit(a);
        return this.below(full, "test", true, ...body.parameters, body.body);
      }
    }
    this.children(n);
  }
}

// lastName is the name that a callee ends in, "" where it has none.
function lastName(fn) {
  for (;;) {
    fn = unwrap(fn);
    if (ts.isIdentifier(fn)) return fn.text;
    if (fn.kind === K.SuperKeyword) return "super";
    if (ts.isPropertyAccessExpression(fn)) return fn.name.text;
    if (ts.isElementAccessExpression(fn) && ts.isStringLiteral(fn.argumentExpression)) return fn.argumentExpression.text;
    if (ts.isExpressionWithTypeArguments(fn)) fn = fn.expression;
    else if (ts.isBinaryExpression(fn) && fn.operatorToken.kind === K.CommaToken) fn = fn.right;
    else return "";
  }
}

function countArguments(n) {
  const args = n.arguments || [];
  return args.some((a) => ts.isSpreadElement(a)) ? -1 : args.length;
}

function oneCall(n) {
  if (ts.isDecorator(n)) {
    const call = ts.isCallExpression(n.expression);
    return ["decorator", lastName(call ? n.expression.expression : n.expression), call ? countArguments(n.expression) : 0];
  }
  if (ts.isCallExpression(n)) {
    if (n.expression.kind === K.ImportKeyword || isRequire(n) || (n.parent && ts.isDecorator(n.parent))) return undefined;
    const fn = unwrap(n.expression);
    const isSuper = fn.kind === K.SuperKeyword || (ts.isPropertyAccessExpression(fn) && fn.expression.kind === K.SuperKeyword);
    return [isSuper ? "super" : "plain", lastName(n.expression), countArguments(n)];
  }
  if (ts.isTaggedTemplateExpression(n)) {
    return ["plain", lastName(n.tag), 1 + (n.template.templateSpans ? n.template.templateSpans.length : 0)];
  }
  if (ts.isNewExpression(n)) return ["new", lastName(n.expression), countArguments(n)];
  if (ts.isJsxOpeningElement(n) || ts.isJsxSelfClosingElement(n)) {
    const simple = ts.isIdentifier(n.tagName) && /^[a-z]/.test(n.tagName.text);
    if (!simple && !ts.isJsxNamespacedName(n.tagName)) return ["plain", lastName(n.tagName), 1];
  }
  return undefined;
}

function calls(n, out = []) {
  const call = oneCall(n);
  if (call && call[1]) out.push(call.join(" "));
  ts.forEachChild(n, (c) => void calls(c, out));
  return out;
}

function importDeclaration(s) {
  const module = s.moduleSpecifier.text;
  const c = s.importClause;
  if (!c) return [`${module}  `];
  const out = [];
  if (c.name) out.push(`${module} default ${c.name.text}`);
  const b = c.namedBindings;
  if (b && ts.isNamespaceImport(b)) out.push(`${module} * ${b.name.text}`);
  if (b && ts.isNamedImports(b)) for (const e of b.elements) out.push(`${module} ${(e.propertyName || e.name).text} ${e.propertyName ? e.name.text : ""}`);
  return out;
}

// required is what a call require("m") or import("m") imports: the names that
// a variable gets of it, or the module.
function required(call) {
  const module = call.arguments[0].text;
  let p = call.parent;
  let name = "";
  if (ts.isPropertyAccessExpression(p) && isRequire(call)) {
    name = p.name.text;
    p = p.parent;
  }
  while (p && unwrap(p) !== p) p = p.parent;
  if (!ts.isVariableDeclaration(p) || !isRequire(call)) return [`${module}  `];
  if (ts.isIdentifier(p.name)) return [`${module} ${name} ${p.name.text}`];
  if (!ts.isObjectBindingPattern(p.name) || name) return [`${module}  `];
  return destructured(module, "", p.name);
}

function destructured(module, path, pattern) {
  const out = [];
  for (const e of pattern.elements) {
    const key = (e.propertyName || e.name).getText();
    const full = path ? `${path}.${key}` : key;
    if (!ts.isIdentifier(e.name)) out.push(...destructured(module, full, e.name));
    else if (e.dotDotDotToken) out.push(`${module} * ${key}`);
    else out.push(`${module} ${full} ${e.propertyName || path ? e.name.text : ""}`);
  }
  return out;
}

function imports(n, out = []) {
  if (ts.isImportDeclaration(n)) {
    out.push(...importDeclaration(n));
  } else if (ts.isImportEqualsDeclaration(n) && ts.isExternalModuleReference(n.moduleReference)) {
    out.push(`${n.moduleReference.expression.text}  ${n.name.text}`);
  } else if (ts.isImportTypeNode(n) && n.argument.literal) {
    out.push(`${n.argument.literal.text}  `);
  } else if (ts.isCallExpression(n) && (isRequire(n) || (n.expression.kind === K.ImportKeyword && n.arguments.length > 0 && ts.isStringLiteral(n.arguments[0])))) {
    out.push(...required(n));
  }
  ts.forEachChild(n, (c) => void imports(c, out));
  return out;
}

for (const file of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const answer = { path: file };
  const text = fs.readFileSync(file, "utf8");
  const kind = /\.tsx$/.test(file) ? ts.ScriptKind.TSX : /\.[cm]?ts$/.test(file) ? ts.ScriptKind.TS : ts.ScriptKind.JSX;
  const sf = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const bad = (sf.parseDiagnostics || []).filter((d) => d.code !== 18026 && d.category === ts.DiagnosticCategory.Error && !(d.code >= 8000 && d.code < 9000));
  if (bad.length === 0) {
    const reader = new Reader(file, sf);
    reader.children(sf);
    answer.symbols = reader.symbols;
    answer.calls = calls(sf);
    answer.imports = imports(sf);
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
