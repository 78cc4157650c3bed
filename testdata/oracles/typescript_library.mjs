// Writes the table of the global types and values of JavaScript, of browsers and
// of Node: of each type its members, in the form that l2meta/library reads.
//
//   node typescript_library.mjs > ../../l2meta/languages/typescript/library.txt
//
// The authority is lib.*.d.ts of the compiler and @types/node. The type
// "globalThis" has the values as its members; that of a value without a type of
// its own is "typeof Name". Beside the members by name a type has
//
//   new     what constructs it
//   ()      what a call of it does
//   #each   the type of an element, as for…of gives it
//   #await  as for await…of gives it
//   #index  the type of x[0]
//   #key    the type of x["any name"]
//
// "#awaited<T>" is the tuple T, each of its promises awaited. A function is a function type; its parameters have types only where those
// hold a function, a type parameter or one text. Overloads are an intersection.
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "../node/node_modules/typescript/lib/typescript.js";

const K = ts.SyntaxKind;
const here = path.dirname(fileURLToPath(import.meta.url));
const modules = path.join(here, "../node/node_modules");

// Families of the platform that few programs name. Their types stay unknown.
const LEFT_OUT = /^(GPU|WebGL|WEBGL_|OES_|EXT_|ANGLE_|KHR_|OVR_|RTC|XR|MIDI|SVGFE|SVGAnimated|SVGPath|SVGFilter|SVG\w+List$|SVG\w+Gradient|IDB|Payment|PublicKey|Authenticat|Credential|Presentation|Speech|MediaKey|MediaSource|SourceBuffer|Encoded|VideoDecoder|VideoEncoder|AudioDecoder|AudioEncoder|Video(Color|Frame)|AudioData|Audio\w*(Node|Options|Param|Worklet)|\w+(Node|Processor)Options$|Gamepad|Remote|PictureInPicture|TextTrack|VTT|Push|Lock|WakeLock|Wasm|StorageManager|StylePropertyMap|CSSNumeric|CSSMath|CSSUnit|CSSTransform|CSSSkew|CSSRotate|CSSScale|CSSTranslate|CSSMatrix|CSSPersp|CSSKeyword|CSSVariable|CSSUnparsed|CSSImage|CSS\w+Rule|CSSStyleDeclaration|XPath|XSLT|Reporting|Report|Deprecat|Contact|Bluetooth|USB|HID|Serial|Ink|Launch|Layout|Navigation\w|Oscillator|Panner|Periodic|Script|Stereo|WaveShaper|Biquad|Channel(Merger|Splitter)|Convolver|Delay|Dynamics|Gain|IIR|Constant|Analyser|HTML(Frame|Marquee|Font|Dir|Param|Directory|Unknown|Mod|Time|Track|Base|Data|Quote|Meter|Legend|HR|BR|Head|Html|Title|UList|DList|OList|LI|Pre|Span|Paragraph|Heading|Picture|Source|Map|Menu|Meta|Object|Embed|TableCaption|TableCol|Image|Area)\w*EventMap)/;

const program = ts.createProgram([path.join(modules, "@types/node/index.d.ts")], {
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"], types: [], target: ts.ScriptTarget.ESNext, strict: true,
});
const checker = program.getTypeChecker();
const isLibrary = (d) => /node_modules\/(typescript\/lib\/lib\.|@types\/node\/)/.test(d.getSourceFile().fileName);

// types are the lines of the table by name: { params, bases, members }.
const types = new Map();

const nameOf = (symbol) => checker.getFullyQualifiedName(symbol).replace(/^global\.|^globalThis\./, "");
const resolved = (symbol) => (symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

// print writes a type as the table does; env holds the texts of the parameters
// of an alias that is written out.
function print(n, env) {
  const all = (list) => list.map((t) => print(t, env));
  switch (n.kind) {
    case K.ParenthesizedType: return `(${print(n.type, env)})`;
    case K.ArrayType: return `${operand(n.elementType, env)}[]`;
    case K.TypeOperator: return n.operator === K.ReadonlyKeyword ? print(n.type, env) : n.operator === K.KeyOfKeyword ? `keyof ${print(n.type, env)}` : "symbol";
    case K.UnionType: return union(all(n.types));
    case K.IntersectionType: return all(n.types).join(" & ");
    case K.FunctionType: return signature(n, env, true);
    case K.TupleType: return `[${n.elements.map((e) => print(ts.isNamedTupleMember(e) ? e.type : e, env)).join(", ")}]`;
    case K.OptionalType: case K.RestType: return print(n.type, env);
    case K.TypePredicate: return n.type && !n.assertsModifier ? `_ is ${print(n.type, env)}` : "boolean";
    case K.LiteralType: return n.literal.kind === K.NullKeyword ? "null" : n.literal.kind === K.StringLiteral ? "string" : /True|False/.test(K[n.literal.kind]) ? "boolean" : "number";
    case K.TemplateLiteralType: return "string";
    case K.IndexedAccessType: return ts.isTypeReferenceNode(n.objectType) && ts.isTypeReferenceNode(n.indexType) ? `${print(n.objectType, env)}[${print(n.indexType, env)}]` : "unknown";
    case K.TypeReference: return reference(n, env);
    case K.ExpressionWithTypeArguments: return reference({ typeName: n.expression, typeArguments: n.typeArguments }, env);
    case K.ThisType: return "this";
    case K.TypeLiteral: return literal(n, env);
    case K.TypeQuery: return n.exprName.getText() === "globalThis" ? "globalThis" : "unknown";
    case K.MappedType: return /^Awaited</.test(n.type?.getText() ?? "") ? `#awaited<${n.typeParameter.constraint.type.getText()}>` : "unknown";
    case K.StringKeyword: case K.NumberKeyword: case K.BooleanKeyword: case K.VoidKeyword: case K.UndefinedKeyword: case K.SymbolKeyword: case K.BigIntKeyword: case K.NeverKeyword:
      return ts.tokenToString(n.kind);
  }
  return "unknown";
}

const operand = (n, env) => {
  const text = print(n, env);
  return /[|&]|=>|^keyof/.test(text) && !/^\(.*\)$/.test(text) ? `(${text})` : text;
};

// union drops what says nothing beside the others.
function union(parts) {
  const own = [...new Set(parts)].filter((p) => p !== "undefined" && p !== "null");
  if (own.includes("unknown")) return "unknown";
  return own.length ? own.join(" | ") : "undefined";
}

function literal(n, env) {
  const index = n.members.find(ts.isIndexSignatureDeclaration);
  if (index) return `Record<string, ${print(index.type, env)}>`;
  const members = n.members.filter((m) => m.name && !ts.isComputedPropertyName(m.name));
  if (!members.length || members.length > 12) return "unknown";
  return `{ ${members.map((m) => `${m.name.getText()}: ${ts.isMethodSignature(m) ? signature(m, env, true) : m.type ? print(m.type, env) : "unknown"}`).join("; ")} }`;
}

// reference writes Name<Args>; an alias of the library is written out.
function reference(n, env) {
  const symbol = resolved(checker.getSymbolAtLocation(n.typeName));
  const args = (n.typeArguments ?? []).map((a) => print(a, env));
  if (!symbol) return "unknown";
  if (symbol.flags & ts.SymbolFlags.TypeParameter) return env?.get(symbol) ?? symbol.name;
  const name = nameOf(symbol);
  if (name === "BuiltinIteratorReturn" || name === "BufferSource" || LEFT_OUT.test(name)) return "unknown";
  const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration);
  if (alias && isLibrary(alias) && !/^(Partial|Required|Readonly|Pick|Record|Exclude|Extract|Omit|NonNullable|Parameters|ReturnType|InstanceType|Awaited|NoInfer|ThisType)$/.test(name)) {
    if (ts.isConditionalTypeNode(alias.type) || ts.isMappedTypeNode(alias.type) || (env?.depth ?? 0) > 3) return "unknown";
    const inner = new Map((alias.typeParameters ?? []).map((p, i) => [p.symbol, args[i] ?? (p.default ? print(p.default, env) : "unknown")]));
    inner.depth = (env?.depth ?? 0) + 1;
    const text = print(alias.type, inner);
    return /[|&]|=>/.test(text) && !/^[({[]/.test(text) ? `(${text})` : text;
  }
  if (/[{"]/.test(name)) return "unknown";
  return name.replace(/^NodeJS\./, "NodeJS.") + trimmed(args);
}

// trimmed is the arguments of a type, save those at the end that say nothing.
function trimmed(args) {
  while (args.length && /^(unknown|undefined|ArrayBufferLike|void)$/.test(args.at(-1))) args.pop();
  return args.length ? `<${args.join(", ")}>` : "";
}

// tells reports whether the type of a parameter says something of the call:
// what a function gets, or what a type parameter is.
function tells(text, names) {
  return /=>|^"/.test(text) || names.some((p) => new RegExp(`\\b${p}\\b`).test(text)) || /^Underlying|^QueuingStrategy|Init$|^Transformer\b/.test(text) && types.has(text.replace(/<.*/, "")) || /^(EventListener|Underlying|Transformer|MutationCallback|TimerHandler)/.test(text);
}

// signature writes a function. Only what tells is kept of its parameters, and
// their number where all must.
function signature(n, env, bare, outer = [], arity = false) {
  const own = (n.typeParameters ?? []).map((p) => p.name.text);
  const names = [...own, ...outer];
  const parameters = n.parameters.filter((p) => p.name.getText() !== "this").map((p) => {
    const text = !p.type ? "unknown" : !bare && p.type.literal?.kind === K.StringLiteral ? JSON.stringify(p.type.literal.text) : print(p.type, env);
    const type = bare || tells(text, names) ? text : "";
    return `${p.dotDotDotToken ? "..." : ""}_${p.questionToken ? "?" : ""}${type && type !== "unknown" ? `: ${type}` : ""}`;
  });
  while (!arity && parameters.length && /^(\.\.\.)?_\??$/.test(parameters.at(-1))) parameters.pop();
  const generics = (n.typeParameters ?? []).map((p) => p.name.text + (p.constraint && ts.isTypeOperatorNode(p.constraint) ? ` extends ${print(p.constraint, env)}` : "") + (p.default ? ` = ${print(p.default, env)}` : ""));
  const result = n.type ? print(n.type, env) : "unknown";
  return `${generics.length ? `<${generics.join(", ")}>` : ""}(${parameters.join(", ")}) => ${result}`;
}

// overloads writes the signatures of one function.
function overloads(list, outer) {
  const short = [...new Set(list.map((n) => signature(n, undefined, false, outer)))];
  if (short.length === 1) return short[0];
  const long = [...new Set(list.map((n) => signature(n, undefined, false, outer, true)))];
  return long.map((s) => `(${s})`).join(" & ");
}

// add collects the members of one declaration into a type.
function add(name, members, params) {
  const t = types.get(name) ?? { params, bases: new Set(), members: new Map() };
  types.set(name, t);
  const put = (key, value) => t.members.set(key, [...(t.members.get(key) ?? []), value]);
  for (const m of members) {
    if (ts.isConstructSignatureDeclaration(m) || ts.isConstructorDeclaration(m)) put("new", m);
    else if (ts.isCallSignatureDeclaration(m)) put("()", m);
    else if (ts.isIndexSignatureDeclaration(m)) put(m.parameters[0].type.kind === K.NumberKeyword ? "#index" : "#key", m.type);
    else if (m.name && ts.isComputedPropertyName(m.name)) {
      const key = { "Symbol.iterator": "#each", "Symbol.asyncIterator": "#await" }[m.name.expression.getText()];
      if (key && m.type?.typeArguments?.length) put(key, m.type.typeArguments[0]);
    } else if (m.name && !/^[A-Z][A-Z0-9]*_[A-Z0-9_]+$|^prototype$/.test(m.name.text)) put(m.name.text, m);
  }
  return t;
}

function text(list, outer) {
  const functions = list.filter((m) => ts.isMethodSignature(m) || ts.isMethodDeclaration(m) || ts.isConstructSignatureDeclaration(m) || ts.isConstructorDeclaration(m) || ts.isCallSignatureDeclaration(m) || ts.isFunctionDeclaration(m));
  if (functions.length) return overloads(functions, outer);
  const m = list[0];
  if (ts.isTypeNode(m)) return print(m);
  return m.type ? print(m.type) : "";
}

const typeParameters = (d) => (d.typeParameters ?? []).map((p) => p.name.text);

// declare enters what a symbol declares, as a type and as a value; it gives the
// text of the value's type.
function declare(symbol, name) {
  let value = "";
  const declarations = (symbol.declarations ?? []).filter(isLibrary);
  const functions = declarations.filter(ts.isFunctionDeclaration);
  for (const d of declarations) {
    if (ts.isInterfaceDeclaration(d) || ts.isClassDeclaration(d)) {
      const statics = ts.isClassDeclaration(d) ? d.members.filter((m) => ts.isConstructorDeclaration(m) || m.modifiers?.some((x) => x.kind === K.StaticKeyword)) : [];
      const t = add(name, d.members.filter((m) => !statics.includes(m)), typeParameters(d));
      for (const clause of d.heritageClauses ?? []) for (const b of clause.types) t.bases.add(print(b));
      if (ts.isClassDeclaration(d)) {
        const made = `${name}${t.params.length ? `<${t.params.join(", ")}>` : ""}`;
        add(`typeof ${name}`, statics, []).made = made;
        value = `typeof ${name}`;
      }
    } else if (ts.isVariableDeclaration(d) && d.type) {
      if (ts.isTypeLiteralNode(d.type)) {
        add(`typeof ${name}`, d.type.members, []);
        value = `typeof ${name}`;
      } else value ||= print(d.type).replace(/^\((.*)\)$/, "$1");
    } else if (ts.isModuleDeclaration(d) && d.body && ts.isModuleBlock(d.body)) value ||= namespace(symbol, name);
  }
  if (functions.length) value = overloads(functions, []);
  return value;
}

function namespace(symbol, name) {
  const own = {};
  symbol.exports?.forEach((s, key) => {
    const value = declare(s, `${name}.${key}`);
    if (value) own[key] = value;
  });
  if (Object.keys(own).length === 0) return "";
  const t = add(`typeof ${name}`, [], []);
  t.values = own;
  return `typeof ${name}`;
}

const globals = {};
for (const s of checker.getSymbolsInScope(program.getSourceFiles().find((f) => f.fileName.endsWith("lib.es5.d.ts")), ts.SymbolFlags.All)) {
  if (!s.declarations?.some(isLibrary) || LEFT_OUT.test(s.name) || s.flags & ts.SymbolFlags.Alias || /"/.test(s.name)) continue;
  const value = declare(s, s.name);
  if (value) globals[s.name] = value;
}
types.set("globalThis", { params: [], bases: new Set(), members: new Map(), values: globals });

// lines of a type, in the order of names; a member that a base has alike is left out.
const inherited = (t, key, value) => [...t.bases].some((b) => {
  const base = types.get(b.replace(/<.*/, ""));
  return base && (base.lines?.get(key) === value || inherited(base, key, value));
});
for (const [name, t] of types) {
  t.lines = new Map(Object.entries(t.values ?? {}));
  for (const [key, list] of t.members) t.lines.set(key, text(list, t.params));
  if (t.made) t.lines.set("new", (t.lines.get("new") ?? "() => unknown").replace(/=> unknown/g, `=> ${t.made}`));
  if (t.made && /</.test(t.made)) t.lines.set("new", `${t.made.replace(/^[^<]*/, "")}() => ${t.made}`);
}
const version = (p) => `${p} ${ts.sys.readFile(path.join(modules, p, "package.json")).match(/"version": "(.*)"/)[1]}`;
const out = [`# ${version("typescript")}, ${version("@types/node")}; written by testdata/oracles/typescript_library.mjs`];
for (const name of [...types.keys()].sort()) {
  const t = types.get(name);
  const lines = [...t.lines].filter(([key, value]) => /^(new|\(\)|#\w+|[\w$]+)$/.test(key) && !inherited(t, key, value)).sort(([a], [b]) => (a < b ? -1 : 1));
  const bases = [...t.bases].sort().filter((b) => b !== "unknown");
  if (!lines.length && !bases.length) continue;
  out.push(`${name}${t.params.length ? `<${t.params.join(", ")}>` : ""}${bases.length ? `: ${bases.join(", ")}` : ""}`);
  for (const [key, value] of lines) out.push(`\t${key}${value && value !== "unknown" ? ` ${value}` : ""}`);
}
process.stdout.write(out.join("\n") + "\n");
