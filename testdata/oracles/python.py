#!/usr/bin/env python3
"""Truth about the call sites of a Python work tree, from pyright.

    python.py ROOT [--sites N] > truth.jsonl

Call sites are found with Python's own ast module; pyright's language server
(testdata/node, "npm ci" installs it) is asked for the definition of each
callee. One JSON line a site, sorted by file, line, column:

    {"file": "a/b.py", "line": 12, "column": 5, "name": "close",
     "class": "static", "targets": [{"file": "x/y.py", "line": 30}], "module": "os"}

Lines are 1-based, columns 1-based in bytes, of the callee's last name; a
target's line is that of the declared name. class is
  static     a function, method or class of the work tree, also by a variable
             that is bound once, to it. For a class the targets are its own
             line and the __init__ and __new__ that its construction runs,
             inherited ones too; cls() in a class method constructs its class.
  interface  a method that is abstract or declared by a Protocol, or an attribute
             that holds a function; the targets of one are its places and what it
             is assigned there
  value      a variable, parameter, property, instance or an attribute that holds
             a class, that is called; its targets, where there are any, are what
             it was assigned
  external   declared outside the work tree, module says where
  unknown    pyright does not know, or the code is unreachable for it

--sites N judges whole files, in the order of a hash of their paths, until N
sites are asked (1500 if not given); 0 judges all of them.
"""

import argparse
import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from urllib.parse import quote, unquote, urlparse

HERE = Path(__file__).resolve().parent
SERVER = HERE.parent / "node" / "node_modules" / "pyright" / "langserver.index.js"
BATCH = 200  # requests in flight; the server answers in order
PATIENCE = 120  # seconds that a server may take for one answer


class Pyright:
    """A pyright language server over one work tree."""

    def __init__(self, root):
        self.root = root
        self.errors = tempfile.TemporaryFile()
        self.proc = subprocess.Popen(
            ["node", "--max-old-space-size=4000", str(SERVER), "--stdio"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.lock = threading.Lock()  # guards stdin: the reader answers the server too
        self.answers = {}  # id → result of a finished request
        self.ended = False  # whether the server closed its output
        self.arrived = threading.Condition()  # guards answers and ended
        self.last = 0
        threading.Thread(target=self._read, daemon=True).start()
        uri = to_uri(root)
        self.ask([("initialize", {
            "processId": os.getpid(), "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": "root"}],
            "capabilities": {"workspace": {"configuration": True, "workspaceFolders": True}},
        })])
        self._send({"method": "initialized", "params": {}})

    def ask(self, requests):
        """The results of (method, params) pairs, in order; None for an error."""
        ids = []
        for method, params in requests:
            self.last += 1
            ids.append(self.last)
            self._send({"id": self.last, "method": method, "params": params})
        with self.arrived:
            while left := sum(i not in self.answers for i in ids):
                moved = self.arrived.wait_for(
                    lambda: self.ended or sum(i not in self.answers for i in ids) < left, timeout=PATIENCE)
                if self.ended and any(i not in self.answers for i in ids):
                    raise RuntimeError(f"pyright ended: {self._last_words()}")
                if not moved:
                    raise RuntimeError(f"pyright has not answered for {PATIENCE} seconds")
            return [self.answers.pop(i) for i in ids]

    def _last_words(self):
        """The end of what the server wrote to its standard error."""
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace").strip()[-1000:]

    def open(self, path, text):
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": to_uri(path), "languageId": "python", "version": 1, "text": text}}})

    def close(self, path):
        self._send({"method": "textDocument/didClose",
                    "params": {"textDocument": {"uri": to_uri(path)}}})

    def stop(self):
        self.ask([("shutdown", None)])
        self._send({"method": "exit"})
        self.proc.wait(timeout=20)

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self.lock:
            self.proc.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.proc.stdin.flush()

    def _read(self):
        while True:
            length = 0
            while line := self.proc.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                with self.arrived:
                    self.ended = True
                    self.arrived.notify_all()
                return
            message = json.loads(self.proc.stdout.read(length))
            if "method" in message:
                if "id" in message:
                    self._send({"id": message["id"], "result": self._reply(message)})
                continue
            with self.arrived:
                self.answers[message["id"]] = message.get("result")
                self.arrived.notify_all()

    def _reply(self, message):
        """What the server asks of a client: nothing but its settings."""
        if message["method"] != "workspace/configuration":
            return None
        analysis = {"diagnosticMode": "openFilesOnly", "typeCheckingMode": "off",
                    "autoSearchPaths": True, "indexing": False,
                    "extraPaths": source_folders(self.root)}
        settings = {"python": {"pythonPath": "/usr/bin/python3", "analysis": analysis},
                    "python.analysis": analysis}
        return [settings.get(item.get("section"), {}) for item in message["params"]["items"]]


def source_folders(root):
    """Folders that packages lie in, beside "src", which pyright knows."""
    return [name for name in ("lib", "python") if any((root / name).glob("*/__init__.py"))]


def to_uri(path):
    return "file://" + quote(str(path))


class Source:
    """One parsed file and its declarations."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        self.text = self.bytes.decode("utf-8")
        self.lines = self.bytes.split(b"\n")
        self.tree = ast.parse(self.bytes)
        self.declared = {}  # name line → (node, class node or None, siblings)
        self.assigned = {}  # line → [(target name, value node, scope node)]
        self.attributes = set()  # (line, name) that declare "self.name" or a name of a class
        self.classes = {}   # line → (parameter, class line, class, None, None) of class methods
        self.imported = {}  # line → [(local name, module)]
        self._scan(self.tree, None, self.tree)

    def _scan(self, node, owner, scope):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.declared[self.name_line(child)] = (child, owner, scope)
                inner = child if isinstance(child, ast.ClassDef) else None
                if owner and not inner:
                    self._class_method(child, owner)
                self._scan(child, inner, child)
                continue
            if isinstance(child, (ast.Assign, ast.AnnAssign)):
                targets = child.targets if isinstance(child, ast.Assign) else [child.target]
                for t in targets:
                    if isinstance(t, (ast.Name, ast.Attribute)):
                        name = t.id if isinstance(t, ast.Name) else t.attr
                        self.assigned.setdefault(t.end_lineno, []).append((name, child.value, scope))
                        if owner if isinstance(t, ast.Name) else isinstance(t.value, ast.Name) and t.value.id == "self":
                            self.attributes.add((t.end_lineno, name))
            if isinstance(child, ast.Import):
                for a in child.names:
                    self.imported.setdefault(a.lineno, []).append(a.name)
            if isinstance(child, ast.ImportFrom):
                for a in child.names:
                    self.imported.setdefault(a.lineno, []).append("." * child.level + (child.module or ""))
            self._scan(child, owner, scope)

    def _class_method(self, method, owner):
        """Notes the parameter that is the class itself: to call it constructs."""
        marks = set(map(decorator_name, method.decorator_list))
        if ("classmethod" in marks or method.name == "__new__") and method.args.args:
            first = method.args.args[0]
            self.classes[first.lineno] = (first.arg, self.name_line(owner), owner, None, None)

    def name_line(self, node):
        """The line of a declared name: "def" and the name may stand on two."""
        for line in range(node.lineno, node.lineno + 3):
            if line <= len(self.lines) and node.name.encode() in self.lines[line - 1]:
                return line
        return node.lineno

    def is_name(self, line, character):
        """Whether the name declared on a line stands there: a parameter may
        stand on the same line."""
        text = self.lines[line - 1].decode("utf-8", "replace").encode("utf-16-le")[2 * character:]
        name = self.declared[line][0].name
        return re.match(r"\w*", text.decode("utf-16-le", "replace")).group() == name

    def utf16(self, line, column):
        """An LSP position from a 1-based line and a 0-based column in bytes."""
        before = self.lines[line - 1][:column].decode("utf-8", "replace")
        return {"line": line - 1, "character": len(before.encode("utf-16-le")) // 2}


def last_name(node):
    """(name, line, 0-based byte column) of the last name of a callee, or None."""
    if isinstance(node, ast.Name):
        return node.id, node.lineno, node.col_offset
    if isinstance(node, ast.Attribute):
        return node.attr, node.end_lineno, node.end_col_offset - len(node.attr.encode())
    return None


def stores(scope, name):
    """How often a scope binds a name, those within it left out."""
    count = 0
    for n in ast.iter_child_nodes(scope):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            count += n.name == name
        elif isinstance(n, (ast.Name, ast.Attribute)) and isinstance(n.ctx, ast.Store):
            count += last_name(n)[0] == name
        else:
            count += stores(n, name)
    return count


def call_sites(tree):
    """All (name, line, column) that are called or applied as decorators."""
    found = set()
    for node in ast.walk(tree):
        callees = [node.func] if isinstance(node, ast.Call) else getattr(node, "decorator_list", [])
        found.update(filter(None, map(last_name, callees)))
    return sorted(found, key=lambda s: s[1:])


class Oracle:
    def __init__(self, root):
        self.root = root
        self.server = Pyright(root)
        self.sources = {}  # path → Source or None
        self.lines = {}    # (path, class line) → linearised [(path, class line)] or None

    def source(self, path):
        if path not in self.sources:
            try:
                self.sources[path] = Source(path)
            except (OSError, SyntaxError, ValueError, RecursionError):
                self.sources[path] = None
        return self.sources[path]

    def definitions(self, path, positions):
        """For each (line, column) of a file the [(path, line, UTF-16 character)]
        that pyright names."""
        source = self.source(path)
        requests = [("textDocument/definition", {
            "textDocument": {"uri": to_uri(path)}, "position": source.utf16(line, column),
        }) for line, column in positions]
        results = []
        self.server.open(path, source.text)
        for i in range(0, len(requests), BATCH):
            results += self.server.ask(requests[i:i + BATCH])
        self.server.close(path)
        return [[(Path(unquote(urlparse(d["uri"]).path)), d["range"]["start"]["line"] + 1,
                  d["range"]["start"]["character"]) for d in r or []] for r in results]

    def judge(self, path):
        """The truth lines of one file."""
        source = self.source(path)
        sites = call_sites(source.tree) if source else []
        answers = self.definitions(path, [s[1:] for s in sites])
        for (name, line, column), places in zip(sites, answers):
            verdict = self.classify(name, places)
            yield {"file": str(path.relative_to(self.root)), "line": line,
                   "column": column + 1, "name": name, **verdict}

    def classify(self, name, places, depth=0):
        inside = [p for p in places if self.root in p[0].parents]
        if not places:
            return {"class": "unknown"}
        if not inside:
            return {"class": "external", "module": module_of(places[0][0])}
        verdicts = [self.declaration(name, depth, *place) for place in inside]
        kinds = {v["class"] for v in verdicts}
        for kind in ("unknown", "value", "external", "interface", "static"):
            if kind in kinds:  # the weakest of several declarations
                break
        if len(inside) < len(places) and kind in ("static", "interface"):
            kind = "value"  # one of several, some of them outside: which is not static
        targets = sorted({t for v in verdicts for t in v.get("targets", ())})
        out = {"class": kind}
        if targets and kind not in ("unknown", "external"):
            out["targets"] = targets
        if kind == "external":
            out["module"] = next(v["module"] for v in verdicts if "module" in v)
        return out

    def declaration(self, name, depth, path, line, character):
        """What one declaration in the work tree says of a site that calls it."""
        source = self.source(path)
        if source is None:
            return {"class": "unknown"}
        if line in source.declared and source.is_name(line, character):
            return self.declared(path, line, *source.declared[line])
        if line in source.imported:
            return self.unresolved(source.imported[line][0])
        if line in source.classes and source.classes[line][0] == name:
            return self.declared(path, *source.classes[line][1:])
        values = [a for a in source.assigned.get(line, ()) if a[0] == name]
        verdict = self.assigned(path, *values[0], depth) if len(values) == 1 else {"class": "value"}
        if (line, name) in source.attributes and len(values) == 1 and self.may_be_function(path, values[0][1], depth):
            return {"class": "interface", "targets": [(path, line), *verdict.get("targets", ())]}
        return verdict

    def may_be_function(self, path, value, depth):
        """Whether an attribute that is assigned a value may hold a function of
        the work tree: the value is no object, and nothing from outside."""
        if isinstance(value, ast.Call):
            return decorator_name(value) in ("partial", "staticmethod")
        callee = last_name(value) if value is not None else None
        if callee is None or depth > 3:
            return True
        [places] = self.definitions(path, [callee[1:]])
        return not any(self.is_class(*p[:2]) for p in places) and self.classify(callee[0], places, depth + 1)["class"] != "external"

    def declared(self, path, line, node, owner, scope):
        if isinstance(node, ast.ClassDef):
            return {"class": "static", "targets": [(path, line)] + self.constructors(path, line)}
        marks = {m[0] for m in map(last_name, map(undecorated, node.decorator_list)) if m}
        if marks & {"property", "cached_property", "setter", "getter"}:
            return {"class": "value"}
        targets = [(path, line)]
        if "overload" in marks or any("overload" in map(decorator_name, n.decorator_list)
                                      for n in self.named(scope, node.name)):
            source = self.source(path)
            targets = [(path, source.name_line(n)) for n in self.named(scope, node.name)]
        protocol = owner and any(decorator_name(b) == "Protocol" for b in owner.bases)
        return {"class": "interface" if protocol or "abstractmethod" in marks else "static",
                "targets": targets}

    @staticmethod
    def named(scope, name):
        return [n for n in ast.walk(scope)
                if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name == name]

    def assigned(self, path, name, value, scope, depth):
        """A name bound to another: static where it is bound once in its scope;
        else a value."""
        callee = last_name(value) if value is not None else None
        if callee is None or depth > 3:
            return {"class": "value"}
        [places] = self.definitions(path, [callee[1:]])
        verdict = self.classify(callee[0], places, depth + 1)
        if verdict["class"] in ("static", "interface"):
            if stores(scope, name) != 1:
                verdict["class"] = "value"
            return verdict
        return {"class": "value"}

    def unresolved(self, module):
        """An import that pyright could not follow: a dependency that is not
        installed, unless the work tree has something of that name."""
        top = module.split(".")[0]
        if not top or any(self.root.rglob(top + ".py")) or any(self.root.rglob(top + "/")):
            return {"class": "unknown"}
        return {"class": "external", "module": top}

    def constructors(self, path, line):
        """Where a construction of a class runs: the first __init__ and the
        first __new__ in the order of its linearisation."""
        order, found = self.linearise(path, line), {}
        for p, l in order or [(path, line)]:
            for n in self.source(p).declared[l][0].body:
                if isinstance(n, ast.FunctionDef) and n.name in ("__init__", "__new__"):
                    found.setdefault(n.name, []).append((p, self.source(p).name_line(n), l))
        # All of one class: overloads stand beside the implementation.
        return [(p, l) for places in found.values() for p, l, c in places if c == places[0][2]]

    def linearise(self, path, line):
        """The C3 order of a class, as far as it lies in the work tree; None
        where there is none."""
        key = (path, line)
        if key not in self.lines:
            self.lines[key] = [key]  # a cycle ends here
            node = self.source(path).declared[line][0]
            bases = [b.value if isinstance(b, ast.Subscript) else b for b in node.bases]
            names = [n for n in map(last_name, bases) if n]
            parents = [p[0][:2] for p in self.definitions(path, [n[1:] for n in names])
                       if p and self.is_class(*p[0][:2])]
            orders = [self.linearise(*p) for p in parents]
            merged = None if None in orders else c3([*orders, parents])
            self.lines[key] = None if merged is None else [key, *merged]
        return self.lines[key]

    def is_class(self, path, line):
        source = self.source(path) if self.root in path.parents else None
        return source and line in source.declared and isinstance(source.declared[line][0], ast.ClassDef)


def c3(orders):
    """The merge of Python's method resolution order; None where it fails."""
    orders, out = [list(o) for o in orders if o], []
    while orders:
        head = next((o[0] for o in orders if not any(o[0] in rest[1:] for rest in orders)), None)
        if head is None:
            return None
        out.append(head)
        orders = [rest for o in orders if (rest := [c for c in o if c != head])]
    return out


def undecorated(node):
    """A decorator without its arguments."""
    return node.func if isinstance(node, ast.Call) else node


def decorator_name(node):
    found = last_name(node.value if isinstance(node, ast.Subscript) else undecorated(node))
    return found and found[0]


def module_of(path):
    """The top-level module that a file outside the work tree belongs to."""
    parts = path.parts
    for mark in ("stdlib", "dist-packages", "site-packages", "stubs", "python3.11"):
        if mark in parts[:-1]:
            at = parts.index(mark) + (2 if mark == "stubs" else 1)
            return Path(parts[min(at, len(parts) - 1)]).name.split(".")[0]
    return path.stem


def tracked(root):
    """The Python files that git tracks."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "*.py"],
                            check=True, capture_output=True).stdout
    return [root / p.decode() for p in listed.split(b"\0") if p]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--sites", type=int, default=1500)
    args = parser.parse_args()
    if not SERVER.exists():
        sys.exit(f"{SERVER} is missing: run npm ci in testdata/node")
    root = args.root.resolve()
    files = sorted(tracked(root), key=lambda p: hashlib.sha1(
        str(p.relative_to(root)).encode()).hexdigest())
    oracle, truth = Oracle(root), []
    for path in files:
        if path.is_file() and not path.is_symlink():
            truth += oracle.judge(path)
        if args.sites and len(truth) >= args.sites:
            break
    oracle.server.stop()
    for line in sorted(truth, key=lambda t: (t["file"], t["line"], t["column"])):
        if "targets" in line:
            line["targets"] = [{"file": str(p.relative_to(root)), "line": l}
                               for p, l in line["targets"]]
        print(json.dumps(line))


if __name__ == "__main__":
    main()
