#!/usr/bin/env python3
"""Caller–callee pairs of a real run, as truth about call sites.

    python_trace.py ROOT > truth.jsonl

Runs the suite that python_suites.tsv names for the work tree under
sys.setprofile, with Debian's interpreter and its packages, and tells the truth
(see python.py) about each call site of ROOT that called into ROOT. The site is
found by the position that the interpreter keeps for each instruction: a
function that was entered while its caller stood at a call, and not within a C
function that the call went to (sorted, map), was called there.

A target is the line of the callee's name. What ran is one implementation, so
the targets of a site are all that it may rightly be said to call: the method
that ran and those of the same name that it overrides in the receiver's classes,
the class that was constructed, and the functions that a decorator's wrapper
holds. Their class is static where the site is written with the name of one of
them; else, where an alias or a value was called, interface.
"""

import ast
import dis
import json
import os
import runpy
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent

PYTHON = "/usr/bin/python3"  # 3.11 or later: positions of instructions

MAX_PER_SITE = 50  # calls looked at: a site in a hot loop says nothing new

CALLS = {"CALL", "CALL_FUNCTION_EX", "PRECALL"}


def call_positions(code):
    """Offset → position of the call there. A function that was entered leaves
    its caller at the last cache entry behind the instruction."""
    out, call = {}, False
    for i in dis.get_instructions(code, show_caches=True):
        call = call if i.opname == "CACHE" else i.opname in CALLS
        if call:
            out[i.offset] = tuple(i.positions)
    return out


class Sites:
    """The call sites and declarations of one file."""

    def __init__(self, path):
        text = path.read_bytes()
        self.calls, self.names = {}, {}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                self._call(node, node.func)
            for d in getattr(node, "decorator_list", []):
                if not isinstance(d, ast.Call):
                    self._call(d, d)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                self.names[first, node.name] = node.lineno

    def _call(self, node, callee):
        if isinstance(callee, ast.Name):
            site = callee.lineno, callee.col_offset + 1, callee.id
        elif isinstance(callee, ast.Attribute):
            site = callee.end_lineno, callee.end_col_offset - len(callee.attr.encode()) + 1, callee.attr
        else:
            return
        self.calls[node.lineno, node.end_lineno, node.col_offset, node.end_col_offset] = site


class Tracer:
    def __init__(self, root):
        files = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "*.py"],
                               check=True, capture_output=True).stdout.split(b"\0")
        self.files = {str(root / f.decode()): f.decode() for f in files if f}
        self.root, self.sites, self.positions = root, {}, {}
        self.in_c = {}     # frame → how many C calls are under way in it
        self.seen = {}     # (code, instruction) → calls looked at
        self.found = {}    # (file, line, column, name) → {(file, line): matches the name}

    def profile(self, frame, event, arg):
        if event == "c_call":
            self.in_c[frame] = self.in_c.get(frame, 0) + 1
        elif event in ("c_return", "c_exception"):
            if (n := self.in_c.pop(frame, 1)) > 1:
                self.in_c[frame] = n - 1
        elif event == "call":
            caller = frame.f_back
            if caller and caller.f_code.co_filename in self.files and not self.in_c.get(caller):
                self.called(caller, frame)
        elif event == "return":
            self.in_c.pop(frame, None)

    def called(self, caller, frame):
        at = (caller.f_code, caller.f_lasti)
        self.seen[at] = self.seen.get(at, 0) + 1
        if self.seen[at] > MAX_PER_SITE or frame.f_lasti > 1 and frame.f_code.co_flags & 0x2A0:
            return  # a generator or coroutine that goes on
        site = self.site(*at)
        if site:
            targets = self.found.setdefault((self.files[caller.f_code.co_filename], *site), {})
            for place, by_name in self.targets(site[2], frame):
                targets[place] = targets.get(place, False) or by_name

    def site(self, code, instruction):
        if code not in self.positions:
            self.positions[code] = call_positions(code)
        where = self.positions[code].get(instruction)
        return where and self.file(code.co_filename).calls.get((where[0], where[1], where[2], where[3]))

    def file(self, path):
        if path not in self.sites:
            self.sites[path] = Sites(Path(path))
        return self.sites[path]

    def place(self, code_or_class_file, first, name):
        """(file, name line) of a declaration in the work tree, or None."""
        if code_or_class_file not in self.files:
            return None
        line = self.file(code_or_class_file).names.get((first, name))
        return line and (self.files[code_or_class_file], line)

    def targets(self, name, frame):
        """[(place, does the name at the site say so)] of a call that entered frame."""
        code = frame.f_code
        own = self.code_place(code)
        out = [(own, code.co_name == name)]
        self_ = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        kind = self_ if isinstance(self_, type) else type(self_)
        if own and code.co_name in ("__init__", "__new__"):
            # A subclass runs it too: which class is constructed the first argument says.
            built = code.co_name != name
            out = [(p, built or by) for p, by in out] + ([(self.class_place(kind), True)] if built else [])
        for c in kind.__mro__ if own and self_ is not None and "." in code.co_qualname else ():
            # By the name at the site, too: a decorator's wrapper has one of its own.
            for called in {code.co_name, name}:
                member = c.__dict__.get(called)
                member = getattr(member, "__func__", member)
                while hasattr(member, "__code__"):
                    if member.__code__.co_name == called:
                        out.append((self.code_place(member.__code__), called in (name, "__init__")))
                    member = getattr(member, "__wrapped__", None)
        for free in code.co_freevars:
            held = frame.f_locals.get(free)
            while getattr(held, "__name__", None) == name and hasattr(held, "__code__"):
                out.append((self.code_place(held.__code__), True))
                held = getattr(held, "__wrapped__", None)
        return [(p, by) for p, by in out if p]

    def code_place(self, code):
        return self.place(code.co_filename, code.co_firstlineno, code.co_name)

    def class_place(self, kind):
        module = sys.modules.get(kind.__module__)
        path = getattr(module, "__file__", None)
        if path not in self.files:
            return None
        lines = [l for (_, n), l in self.file(path).names.items() if n == kind.__name__]
        return (self.files[path], lines[0]) if len(lines) == 1 else None

    def truth(self):
        for (file, line, column, name), targets in sorted(self.found.items()):
            named = sorted(p for p, by_name in targets.items() if by_name)
            shown = named or sorted(targets)
            if shown:
                yield {"file": file, "line": line, "column": column, "name": name,
                       "class": "static" if named else "interface",
                       "targets": [{"file": f, "line": l} for f, l in shown]}


def trace(root, out, module, arguments):
    """Runs a module in this process and writes the truth of it to out."""
    tracer = Tracer(root)
    sys.argv = [module, *arguments]
    sys.path[0] = ""
    threading.setprofile(tracer.profile)
    sys.setprofile(tracer.profile)
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        print("the suite ended with", end.code, file=sys.stderr)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        with open(out, "w", encoding="utf-8") as f:
            for line in tracer.truth():
                f.write(json.dumps(line) + "\n")


def suite(root):
    """(folder of the sources, module and arguments) for a work tree, by its name."""
    for line in (HERE / "python_suites.tsv").read_text().splitlines():
        name, sources, command = line.split("\t")
        if name.replace("/", "+") == root.name:
            return sources, command.split()
    sys.exit(f"no suite for {root.name} in python_suites.tsv")


def main():
    if sys.argv[1] == "--run":
        out, root, module, *arguments = sys.argv[2:]
        return trace(Path(root), out, module, arguments)
    root = Path(sys.argv[1]).resolve()
    sources, command = suite(root)
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "truth.jsonl"
        environment = {**os.environ, "PYTHONPATH": str(root / sources), "PYTHONDONTWRITEBYTECODE": "1",
                       "HOME": scratch, "TMPDIR": scratch}
        subprocess.run([PYTHON, __file__, "--run", str(out), str(root), *command], cwd=root,
                       env=environment, stdout=sys.stderr, timeout=1800)
        sys.stdout.write(out.read_text())


if __name__ == "__main__":
    main()
