// Finds the TypeScript and JavaScript projects of a work tree and makes a
// compiler program of each.
//
// A source file belongs to the nearest tsconfig.json that claims it; files that
// none claims are read in the options of the nearest one above them, with
// JavaScript allowed. Imports of a package of the same workspace lead to its
// sources, not to what a build would leave in dist.
import fs from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";
import ts from "../node/node_modules/typescript/lib/typescript.js";

const SOURCE = /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/;
const DECLARATION = /\.d\.([\w-]+\.)?[mc]?ts$/;
const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

export class Workspace {
  constructor(root) {
    this.root = fs.realpathSync(root);
    const listed = execFileSync("git", ["-C", this.root, "ls-files", "-z"], { maxBuffer: 1 << 28 }).toString().split("\0");
    this.files = new Set(listed.filter(Boolean).map((f) => path.join(this.root, f)).filter((f) => fs.existsSync(f)));
    this.sources = [...this.files].filter((f) => SOURCE.test(f) && !DECLARATION.test(f));
    this.packages = new Map();
    for (const f of this.files) {
      if (path.basename(f) !== "package.json") continue;
      const manifest = readJSON(f);
      if (manifest?.name && !this.packages.has(manifest.name)) this.packages.set(manifest.name, { dir: path.dirname(f), manifest });
    }
    this.parsed = new Map();
  }

  // projects yields [program, files of the work tree that it speaks for].
  *projects() {
    const configs = [...this.files].filter((f) => /^(ts|js)config(\..*)?\.json$/.test(path.basename(f))).map((f) => this.#config(f)).filter(Boolean);
    const owned = new Map(configs.map((c) => [c, []]));
    const loose = new Map();
    const claims = new Map();
    for (const c of configs) for (const f of c.fileNames) claims.set(f, [...(claims.get(f) ?? []), c]);
    for (const f of this.sources) {
      const best = (claims.get(f) ?? []).sort(nearerTo(f))[0];
      if (best) {
        owned.get(best).push(f);
        continue;
      }
      const above = configs.filter((c) => f.startsWith(c.dir + path.sep)).sort(nearerTo(f))[0];
      loose.set(above, [...(loose.get(above) ?? []), f]);
    }
    for (const [c, files] of owned) if (files.length) yield [this.#program(c.fileNames, c.options), files];
    for (const [c, files] of loose) yield [this.#program(files, c?.options ?? { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.Preserve, jsx: ts.JsxEmit.Preserve, strict: true }), files];
  }

  #config(file) {
    const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
    const parsed = ts.getParsedCommandLineOfConfigFile(file, {}, host);
    return parsed && { file, dir: path.dirname(file), fileNames: parsed.fileNames.filter((f) => this.files.has(f)), options: parsed.options };
  }

  #program(rootNames, given) {
    const options = { ...given, allowJs: true, noEmit: true, skipLibCheck: true, composite: false, incremental: false, traceResolution: false };
    delete options.ignoreDeprecations;
    const host = ts.createCompilerHost(options);
    const cache = ts.createModuleResolutionCache(this.root, (x) => x, options);
    const key = JSON.stringify([options.target, options.module, options.moduleResolution, options.moduleDetection, options.jsx, options.strict, options.alwaysStrict, options.lib]);
    host.getSourceFile = (name, version, onError) => this.#source(key, name, version, onError);
    host.resolveModuleNameLiterals = (literals, from, redirected, opts, file) =>
      literals.map((l) => ({ resolvedModule: this.#resolve(l.text, from, opts, { host, cache, redirected, mode: ts.getModeForUsageLocation(file, l, opts) }) }));
    return ts.createProgram({ rootNames, options, host });
  }

  // Files outside of the work tree are parsed once for all programs of equal options.
  #source(key, name, version, onError) {
    const id = key + name + JSON.stringify(version);
    if (this.parsed.has(id)) return this.parsed.get(id);
    const text = ts.sys.readFile(name);
    if (text === undefined) return onError?.("unreadable"), undefined;
    const parsed = ts.createSourceFile(name, text, version, true);
    if (!this.files.has(name)) this.parsed.set(id, parsed);
    return parsed;
  }

  #resolve(name, from, options, { host, cache, redirected, mode }) {
    const found = ts.resolveModuleName(name, from, options, host, cache, redirected, mode).resolvedModule;
    const script = /\.[mc]?jsx?$/.test(from);
    const file = found && fs.existsSync(found.resolvedFileName) ? fs.realpathSync(found.resolvedFileName) : undefined;
    if (file && this.files.has(file) && !(script && DECLARATION.test(file))) return { ...found, resolvedFileName: file, isExternalLibraryImport: false };
    let source = this.#workspacePackage(name, script);
    if (!source && script && file && this.files.has(file)) source = this.#beside(file.replace(DECLARATION, ""));
    if (!source && script && name.startsWith(".")) source = this.#implementation(path.resolve(path.dirname(from), name));
    if (!source && !found && name.startsWith(".")) source = this.#exact(path.resolve(path.dirname(from), name)); // as bundlers do
    if (source) return { resolvedFileName: source, extension: DECLARATION.test(source) ? ".d.ts" : path.extname(source), isExternalLibraryImport: false };
    return found;
  }

  // implementation is what require(dir) runs where the compiler prefers the
  // declarations that the package.json names.
  #implementation(dir) {
    const manifest = this.files.has(path.join(dir, "package.json")) && readJSON(path.join(dir, "package.json"));
    return manifest && manifest.main ? this.#exact(path.join(dir, manifest.main)) : undefined;
  }

  #workspacePackage(name, script) {
    const parts = name.split("/");
    const own = parts.slice(0, name.startsWith("@") ? 2 : 1).join("/");
    const found = this.packages.get(own);
    if (!found) return undefined;
    const sub = "." + name.slice(own.length);
    for (const target of targets(found.manifest, sub)) {
      for (const candidate of sourcesOf(target)) {
        const at = path.join(found.dir, candidate);
        const hit = !script && DECLARATION.test(at) && this.files.has(at) ? at : this.#exact(at);
        if (hit) return hit;
      }
    }
    return undefined;
  }

  #exact(file) {
    if (this.files.has(file) && SOURCE.test(file) && !DECLARATION.test(file)) return file;
    return this.#beside(file.replace(DECLARATION, "").replace(SOURCE, "")) ?? this.#beside(path.join(file, "index"));
  }

  #beside(stem) {
    const ext = EXTENSIONS.find((e) => this.files.has(stem + e));
    return ext && stem + ext;
  }
}

// nearerTo orders configurations by how near they stand above a file, a
// tsconfig.json before its variants.
function nearerTo(file) {
  const far = (c) => (file.startsWith(c.dir + path.sep) ? file.length - c.dir.length : Infinity);
  const variant = (c) => (path.basename(c.file) === "tsconfig.json" ? 0 : 1);
  return (a, b) => far(a) - far(b) || variant(a) - variant(b) || (a.file < b.file ? -1 : 1);
}

// targets are the files that a package names for a subpath, in order of
// preference.
function targets(manifest, sub) {
  const out = [];
  const leaves = (v, star) => {
    if (typeof v === "string") out.push(v.replaceAll("*", star));
    else if (v && typeof v === "object") for (const x of Object.values(v)) leaves(x, star);
  };
  const map = manifest.exports;
  if (sub === "." && (typeof map === "string" || (map && !Object.keys(map).some((k) => k.startsWith("."))))) leaves(map, "");
  for (const [k, v] of Object.entries(typeof map === "object" && map ? map : {})) {
    const [head, tail] = k.split("*");
    if (k === sub) leaves(v, "");
    else if (tail !== undefined && sub.startsWith(head) && sub.endsWith(tail)) leaves(v, sub.slice(head.length, sub.length - tail.length));
  }
  if (sub === ".") out.push(...[manifest.source, manifest.module, manifest.main, manifest.types].filter((x) => typeof x === "string"), "src/index.ts", "index.ts", "index.js");
  else out.push(sub);
  return out;
}

// sourcesOf are the places where the source of a built file may stand.
function* sourcesOf(target) {
  const parts = path.normalize(target).split("/");
  yield parts.join("/");
  for (let i = 1; i < parts.length; i++) {
    yield ["src", ...parts.slice(i)].join("/");
    yield parts.slice(i).join("/");
  }
}

function readJSON(file) {
  const { config } = ts.parseConfigFileTextToJson(file, fs.readFileSync(file, "utf8"));
  return config;
}
