#!/usr/bin/python3
"""Truth of Rust call sites, from rust-analyzer.

Usage: rust.py REPOSITORY

Prints one JSON line for each call site of the work tree at REPOSITORY, sorted
by file, line and column. Call sites come from rust-analyzer's parser
(rust-analyzer parse), their targets from its index (rust-analyzer lsif) over a
project description that is made here from cargo metadata: the crates of the
work tree with all their features, the standard library, and no dependency.
What rests on a dependency is therefore class "unknown".

Needs Debian's rust-web-analyzer and rust-web-src, and cargo. Nothing of the
work tree is run: no build script, no procedural macro.
"""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ANALYZER = "/usr/bin/rust-analyzer"
SYSROOT = "/usr/lib/rustlib/src/rust/library"
LIBRARY = {"lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"}


def main(root):
    root = os.path.realpath(root)
    files = [f for f in tracked(root) if f.endswith(".rs")]
    with tempfile.TemporaryDirectory() as scratch:
        project = os.path.join(scratch, "rust-project.json")
        with open(project, "w") as f:
            json.dump({"sysroot_src": library(scratch), "crates": crates(root)}, f)
        index = Index(root, project)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        trees = dict(zip(files, pool.map(lambda f: Tree(os.path.join(root, f)), files)))
    for f in sorted(files):
        for site in sorted(trees[f].sites()):
            print(json.dumps(judge(index, trees, f, *site), ensure_ascii=False))


def library(scratch):
    """A copy of the standard library's source without its manifests: with them
    rust-analyzer asks cargo, which needs the library's own dependencies."""
    to = os.path.join(scratch, "library")
    for crate in ("alloc", "backtrace", "core", "panic_abort", "panic_unwind", "portable-simd", "proc_macro", "std", "stdarch", "test"):
        shutil.copytree(os.path.join(SYSROOT, crate), os.path.join(to, crate), ignore=shutil.ignore_patterns("Cargo.*", "tests", "benches"))
    return to


def tracked(root):
    out = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True).stdout
    return [f for f in out.decode("utf-8", "replace").split("\0") if f and os.path.isfile(os.path.join(root, f))]


def crates(root):
    """The crates of rust-project.json: every target of every package."""
    packages, seen = [], set()
    for manifest in sorted((f for f in tracked(root) if os.path.basename(f) == "Cargo.toml"), key=lambda f: (f.count("/"), f)):
        if os.path.join(root, manifest) in seen:
            continue
        for p in metadata(os.path.join(root, manifest)):
            if p["manifest_path"] not in seen and p["manifest_path"].startswith(root + os.sep):
                seen.add(p["manifest_path"])
                packages.append(p)
    cfg = subprocess.run(["rustc", "--print", "cfg"], check=True, capture_output=True, text=True).stdout.split()
    out, library = [], {}
    for p in packages:
        for t in p["targets"]:
            if LIBRARY & set(t["kind"]):
                library[os.path.dirname(p["manifest_path"])] = len(out)
            out.append({
                "display_name": t["name"].replace("-", "_"),
                "root_module": t["src_path"],
                "edition": t["edition"],
                "cfg": cfg + ["test", "debug_assertions"] + ['feature="%s"' % f for f in p["features"]],
                "deps": [],
                "is_workspace_member": True,
                "is_proc_macro": "proc-macro" in t["kind"],
                "env": {"CARGO_MANIFEST_DIR": os.path.dirname(p["manifest_path"]), "CARGO_PKG_NAME": p["name"], "CARGO_PKG_VERSION": p["version"]},
                "source": {"include_dirs": [os.path.dirname(p["manifest_path"]), os.path.dirname(t["src_path"])], "exclude_dirs": []},
            })
    at = 0
    for p in packages:
        for t in p["targets"]:
            depend(out, at, p, t, library)
            at += 1
    return out


def depend(out, at, package, target, library):
    """Ties crate at to the libraries of the work tree that it depends on."""
    names = {}
    own = library.get(os.path.dirname(package["manifest_path"]))
    if own is not None and own != at:
        names[out[own]["display_name"]] = own
    for d in package["dependencies"]:
        to = library.get(d.get("path") or "")
        # A dev dependency may lead back to the library itself: a cycle that
        # only its tests see.
        if to is None or to == at or d["kind"] == "dev" and LIBRARY & set(target["kind"]):
            continue
        names[(d["rename"] or out[to]["display_name"]).replace("-", "_")] = to
    out[at]["deps"] = [{"crate": i, "name": n} for n, i in sorted(names.items())]


def metadata(manifest):
    command = ["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path", manifest]
    run = subprocess.run(command, capture_output=True, cwd="/")
    return json.loads(run.stdout)["packages"] if run.returncode == 0 else []


class Index:
    """What rust-analyzer's LSIF says: the definition of the token at a place."""

    def __init__(self, root, project):
        self.root = root
        self.documents, self.ranges, self.inside = {}, {}, {}
        self.next, self.definition, self.items = {}, {}, {}
        command = [ANALYZER, "lsif", project]
        env = dict(os.environ, RUSTUP_TOOLCHAIN="stable", RUST_LOG="off")
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env) as run:
            for line in run.stdout:
                self.read(json.loads(line))
        self.at = {}
        for r, d in self.inside.items():
            s, result = self.ranges[r], self.next.get(r)
            if self.definition.get(result) in self.items:
                self.at[(self.documents[d], s["line"], s["character"])] = result

    def read(self, o):
        label = o["label"]
        if o["type"] == "vertex":
            if label == "document":
                self.documents[o["id"]] = o["uri"].removeprefix("file://")
            elif label == "range":
                self.ranges[o["id"]] = o["start"]
        elif label == "next":
            self.next[o["outV"]] = o["inV"]
        elif label == "contains" and o["outV"] in self.documents:
            for v in o["inVs"]:
                self.inside[v] = o["outV"]
        elif label == "textDocument/definition":
            self.definition[o["outV"]] = o["inV"]
        elif label == "item" and "property" not in o:
            for v in o["inVs"]:
                self.items.setdefault(o["outV"], []).append(v)
                self.inside.setdefault(v, o.get("document", o.get("shard")))

    def definitions(self, path, line, character):
        """Places (file, line, character), 0-based, in UTF-16 units."""
        result = self.at.get((os.path.join(self.root, path), line, character))
        for v in self.items.get(self.definition.get(result), []):
            s = self.ranges[v]
            yield self.documents[self.inside[v]], s["line"], s["character"]


NODE = re.compile(r'^( *)([A-Z_0-9]+|[^ @]+)@(\d+)\.\.(\d+)(?: "(.*)")?$')


class Tree:
    """One file as rust-analyzer parses it: nodes (kind, start, end, parent)."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.text = f.read()
        out = subprocess.run([ANALYZER, "parse"], input=self.text, capture_output=True, env=dict(os.environ, RUST_LOG="off")).stdout
        self.nodes, self.children, stack = [], [], []
        for line in out.decode("utf-8", "replace").split("\n"):
            m = NODE.match(line)
            if not m:
                continue
            depth = len(m[1]) // 2
            del stack[depth:]
            parent = stack[-1] if stack else -1
            self.nodes.append((m[2], int(m[3]), int(m[4]), parent))
            self.children.append([])
            if parent >= 0:
                self.children[parent].append(len(self.nodes) - 1)
            stack.append(len(self.nodes) - 1)
        self.lines = [0]
        for i, b in enumerate(self.text):
            if b == 10:
                self.lines.append(i + 1)
        self.names = {n[1]: i for i, n in enumerate(self.nodes) if n[0] == "NAME"}

    def child(self, n, *kinds):
        return next((c for c in self.children[n] if self.nodes[c][0] in kinds), None)

    def sites(self):
        """Offsets of the callees' names, and whether a macro's tokens hold them."""
        for i, (kind, _, _, parent) in enumerate(self.nodes):
            name = None
            if kind == "CALL_EXPR":
                name = self.callee(self.children[i][0])
            elif kind == "METHOD_CALL_EXPR":
                name = self.child(i, "NAME_REF")
            elif kind in ("MACRO_CALL", "RECORD_EXPR"):
                name = self.last(self.child(i, "PATH"))
            elif kind == "IDENT" and self.nodes[parent][0] == "TOKEN_TREE" and self.called(i, parent):
                yield self.nodes[i][1], self.nodes[i][2], True
            if name is not None:
                yield self.nodes[name][1], self.nodes[name][2], False

    def callee(self, fn):
        kind = self.nodes[fn][0]
        if kind == "PATH_EXPR":
            return self.last(self.child(fn, "PATH"))
        if kind == "PAREN_EXPR":
            inner = [c for c in self.children[fn] if self.nodes[c][0].endswith("_EXPR")]
            return self.callee(inner[0]) if inner else None
        return self.child(fn, "NAME_REF") if kind == "FIELD_EXPR" else None

    def last(self, path):
        """The name of a path's last segment."""
        segment = path is not None and self.child(path, "PATH_SEGMENT")
        return self.child(segment, "NAME_REF") if segment else None

    def called(self, i, tree):
        """Whether a name within a macro's tokens is followed by arguments, and
        stands in the arguments of a macro, not in its rules."""
        if self.ruled(tree):
            return False
        after = [c for c in self.children[tree] if c > i and self.nodes[c][0] not in ("WHITESPACE", "COMMENT")]
        if not after:
            return False
        first = self.text[self.nodes[after[0]][1]:][:1]
        return first == b"(" or first == b"!" and len(after) > 1 and self.nodes[after[1]][0] == "TOKEN_TREE"

    def ruled(self, n):
        while n >= 0:
            if self.nodes[n][0] in ("MACRO_RULES", "MACRO_DEF", "ATTR"):
                return True
            n = self.nodes[n][3]
        return False

    def place(self, offset):
        """Line and byte column, 0-based, and the column in UTF-16 units."""
        low, high = 0, len(self.lines)
        while high - low > 1:
            mid = (low + high) // 2
            low, high = (mid, high) if self.lines[mid] <= offset else (low, mid)
        before = self.text[self.lines[low]:offset].decode("utf-8", "replace")
        return low, offset - self.lines[low], len(before.encode("utf-16-le")) // 2

    def declared(self, line, character):
        """What is declared at a place: the kind of node, and whether in a trait."""
        if line >= len(self.lines):
            return None, False
        text = self.text[self.lines[line]:].split(b"\n", 1)[0].decode("utf-8", "replace")
        offset = self.lines[line] + len(text.encode("utf-16-le")[:2 * character].decode("utf-16-le", "replace").encode())
        name = self.names.get(offset)
        if name is None:
            return None, False
        owner = self.nodes[name][3]
        list_ = self.nodes[owner][3]
        return self.nodes[owner][0], list_ >= 0 and self.nodes[self.nodes[list_][3]][0] == "TRAIT"


CALLED = {"FN", "MACRO_RULES", "MACRO_DEF", "STRUCT", "UNION", "ENUM", "VARIANT", "TYPE_ALIAS"}
HOLDER = {"IDENT_PAT", "RECORD_FIELD", "TUPLE_FIELD", "STATIC", "CONST", "PARAM", "CONST_PARAM"}


def judge(index, trees, file, start, end, tokens):
    tree = trees[file]
    line, column, character = tree.place(start)
    site = {"file": file, "line": line + 1, "column": column + 1, "name": tree.text[start:end].decode("utf-8", "replace").removeprefix("r#"), "class": "unknown"}
    targets, classes = [], set()
    for path, at, char in index.definitions(file, line, character):
        if not path.startswith(index.root + os.sep):
            classes.add("external")
            site["module"] = module(path)
            continue
        relative = os.path.relpath(path, index.root)
        if relative not in trees:
            return site
        kind, of_trait = trees[relative].declared(at, char)
        if tokens and kind not in ("FN", "MACRO_RULES", "MACRO_DEF"):
            return site  # within tokens a variant may as well be a pattern
        if kind in CALLED:
            classes.add("interface" if of_trait and kind == "FN" else "static")
            targets.append({"file": relative, "line": at + 1})
        elif kind == "RECORD_FIELD" and not tokens:  # (job.done)(1), of a field that holds a function
            classes.add("interface")
            targets.append({"file": relative, "line": at + 1})
        elif kind in HOLDER or kind == "SELF_PARAM":
            classes.add("value")
    if len(classes) != 1:
        site.pop("module", None)
        return site
    site["class"] = classes.pop()
    if targets:
        site["targets"] = targets
    return site


def module(path):
    """The crate of the standard library that a file belongs to."""
    return path.split("/library/", 1)[-1].split("/", 1)[0] if "/library/" in path else ""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
