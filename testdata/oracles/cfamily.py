#!/usr/bin/python3
"""Truth of C and C++ call sites, from libclang.

Usage: cfamily.py REPOSITORY

Prints one JSON line for each call site of the work tree at REPOSITORY that the
compiler sees, sorted by file, line and column. Every C and C++ source file is
parsed as a translation unit of its own, with include paths that are inferred
from the #include lines themselves; headers that are missing (generated, or of a
dependency) are passed over, and what rests on them is class "unknown". What
preprocessor conditions leave out is not a site.

A call's targets are the definition and the declarations of the function in the
work tree. Where several translation units define a function of that name, the
definition counts whose unit sees the declaration that the caller sees; without
one such the site is "unknown". A field of the work tree that holds a function is the
target of its calls, as an interface's method is. Expansions of macros with parameters are calls
of the macro.

Needs Debian's python3-clang-19 and libclang-common-19-dev.
"""

import collections
import gc
import json
import os
import re
import subprocess
import sys

from clang import cindex
from clang.cindex import CursorKind as K

CPP = (".cc", ".cpp", ".cxx", ".c++", ".C")
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc", ".ipp", ".inl", ".tcc", ".def")
FUNCTIONS = {K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE}
RECORDS = {K.STRUCT_DECL, K.CLASS_DECL, K.UNION_DECL, K.CLASS_TEMPLATE, K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
HOLDERS = {K.VAR_DECL, K.PARM_DECL, K.FIELD_DECL, K.NON_TYPE_TEMPLATE_PARAMETER} if hasattr(K, "NON_TYPE_TEMPLATE_PARAMETER") else {K.VAR_DECL, K.PARM_DECL, K.FIELD_DECL}
TYPES = {K.TYPE_REF, K.TEMPLATE_REF}
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.M)
KEEP_GOING, DETAILED = 0x200, 0x1


def main(root):
    root = os.path.realpath(root)
    out = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True).stdout
    files = [f for f in out.decode("utf-8", "replace").split("\0") if f and os.path.isfile(os.path.join(root, f))]
    truth = Truth(root, files)
    paths = include_paths(root, files)
    for f in sorted(files):
        if f.endswith(".c") or f.endswith(CPP):
            truth.read(f, paths)
            gc.collect()
    for line in truth.lines():
        print(line)


def include_paths(root, files):
    """The directories from which #include lines reach files of the work tree."""
    known, ending, found = set(files), collections.defaultdict(list), collections.Counter()
    for f in files:
        if f.endswith(HEADERS):
            parts = f.split("/")
            for i in range(len(parts)):
                ending["/".join(parts[i:])].append("/".join(parts[:i]))
    for f in files:
        if not (f.endswith(HEADERS) or f.endswith(".c") or f.endswith(CPP)):
            continue
        with open(os.path.join(root, f), "rb") as text:
            for m in INCLUDE.finditer(text.read()):
                name = m[1].decode("utf-8", "replace")
                if os.path.normpath(os.path.join(os.path.dirname(f), name)) not in known:
                    found.update(ending.get(name, []))
    return found


def ordered(paths, file):
    """Include paths for a file: those nearest to it first."""
    def distance(d):
        a, b = d.split("/") if d else [], os.path.dirname(file).split("/")
        common = len(os.path.commonprefix([a, b]))
        return (len(a) + len(b) - 2 * common, -paths[d], d)
    return sorted(paths, key=distance)


class Truth:
    def __init__(self, root, files):
        self.root, self.files = root, set(files)
        self.index = cindex.Index.create()
        self.texts = {}
        self.headers = {}  # what a declaration of a header declares, once judged
        self.paths = {}  # file as the compiler names it → relative path, None outside of the tree
        self.sites = {}  # (file, line, column) → set of answers, each a tuple
        self.definitions = collections.defaultdict(set)  # usr → places
        self.declarations = collections.defaultdict(set)  # usr → places
        self.seen_with = collections.defaultdict(set)  # (usr, place declared) → places defined in a unit that sees it

    def read(self, file, paths):
        cpp = file.endswith(CPP)
        args = ["-x", "c++" if cpp else "c", "-std=gnu++17" if cpp else "-std=gnu11", "-w", "-ferror-limit=0", "-fno-spell-checking"]
        if not cpp:
            args.append("-Wno-error=implicit-function-declaration")
        args += ["-I" + os.path.join(self.root, d) for d in ordered(paths, file)]
        try:
            unit = self.index.parse(os.path.join(self.root, file), args=args, options=DETAILED | KEEP_GOING)
        except cindex.TranslationUnitLoadError:
            return
        self.unit_declarations = collections.defaultdict(set)  # usr → places in this unit
        self.unit_definitions = {}
        pending = []
        for c in unit.cursor.get_children():
            place = self.place(c)
            if place is None:
                continue
            if c.kind == K.MACRO_INSTANTIATION:
                self.macro(c)
            elif place[0].endswith(HEADERS):
                self.header(c, place, pending)
            else:
                self.visit(c, None, pending)
        for usr, at in self.unit_definitions.items():
            for d in self.unit_declarations[usr]:
                self.seen_with[(usr, d)].add(at)
        for key, name, usr, answer in pending:
            if usr in self.unit_definitions:
                answer = ("at", self.unit_definitions[usr], tuple(sorted(self.unit_declarations[usr])), answer)
            else:
                answer = ("usr", usr, tuple(sorted(self.unit_declarations[usr])), answer)
            self.add(key, name, answer)

    def header(self, c, place, pending):
        """Judges a declaration of a header in the first unit that sees it;
        the others only declare what it declares."""
        key = (place, c.extent.start.offset, c.extent.end.offset)
        if key not in self.headers:
            outer = self.unit_declarations, self.unit_definitions
            self.unit_declarations, self.unit_definitions = collections.defaultdict(set), {}
            self.visit(c, None, pending)
            self.headers[key] = self.unit_declarations, self.unit_definitions
            self.unit_declarations, self.unit_definitions = outer
        declarations, definitions = self.headers[key]
        for usr, places in declarations.items():
            self.unit_declarations[usr] |= places
        self.unit_definitions.update(definitions)

    def add(self, key, name, answer):
        self.sites.setdefault(key, (name, set()))[1].add(answer)

    def place(self, c):
        """(file, line) of a cursor in the work tree, None elsewhere."""
        location = c.location
        if location.file is None:
            return None
        relative = self.relative(location.file.name)
        return (relative, location.line) if relative else None

    def relative(self, file):
        if file not in self.paths:
            path = os.path.realpath(file)
            relative = path[len(self.root) + 1:] if path.startswith(self.root + os.sep) else ""
            self.paths[file] = relative if relative in self.files else None
        return self.paths[file]

    def text(self, file):
        if file not in self.texts:
            with open(os.path.join(self.root, file), "rb") as f:
                self.texts[file] = f.read().split(b"\n")
        return self.texts[file]

    def visit(self, c, parent, pending):
        """Judges the calls below c. Types of what is constructed stand beside
        or above the construction, so parent is at hand."""
        kind = c.kind
        if kind in FUNCTIONS:
            usr = c.get_usr()
            place = self.place(c)
            if place:
                self.unit_declarations[usr].add(place)
                self.declarations[usr].add(place)
                if c.is_definition():
                    self.definitions[usr].add(place)
                    self.unit_definitions[usr] = place
        elif kind in RECORDS and c.is_definition():
            place = self.place(c)
            if place:
                self.definitions[c.get_usr()].add(place)
        if kind == K.CALL_EXPR:
            self.call(c, parent, pending)
        for child in c.get_children():
            self.visit(child, c, pending)

    def named(self, location, name):
        """The site at a location, if name stands there in a file of the tree:
        a call that a macro's expansion makes has none."""
        file, line, column, _ = self.spelled(location)
        if file is None:
            return None
        relative = self.relative(file)
        if relative is None:
            return None
        lines = self.text(relative)
        if line > len(lines) or not re.match(re.escape(name.encode()) + rb"(?![A-Za-z0-9_])", lines[line - 1][column - 1:]):
            return None
        return relative, line, column

    @staticmethod
    def spelled(location):
        f, line, column, offset = cindex.c_object_p(), cindex.c_uint(), cindex.c_uint(), cindex.c_uint()
        cindex.conf.lib.clang_getSpellingLocation(location, cindex.byref(f), cindex.byref(line), cindex.byref(column), cindex.byref(offset))
        return (cindex.File(f).name if f else None), line.value, column.value, offset.value

    def call(self, c, parent, pending):
        target = c.referenced
        if target is not None and target.kind == K.CONSTRUCTOR:
            self.construction(c, parent, target, pending)
            return
        operator = c.spelling.startswith("operator")
        if operator and c.spelling != "operator()":
            return
        callee = next(iter(c.get_children()), None)
        while callee is not None and callee.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR, K.UNARY_OPERATOR, K.ARRAY_SUBSCRIPT_EXPR):
            callee = next(iter(callee.get_children()), None)
        if callee is None or callee.kind not in (K.DECL_REF_EXPR, K.MEMBER_REF_EXPR, K.OVERLOADED_DECL_REF):
            return
        name = callee.spelling
        if not name or name.startswith("operator"):
            return
        key = self.named(callee.location, name)
        if key is None:
            return
        target = callee.referenced
        if target is not None and target.kind == K.FIELD_DECL and self.place(target):
            self.add(key, name, ("field", self.place(target)))
        elif operator:
            self.add(key, name, ("value",))
        elif target is None or cindex.conf.lib.clang_isInvalidDeclaration(target) or target.kind == K.OVERLOADED_DECL_REF:
            self.add(key, name, ("unknown",))
        elif target.kind in FUNCTIONS:
            self.function(key, name, target, pending)
        elif target.kind in HOLDERS:
            self.add(key, name, ("value",))
        else:
            self.add(key, name, ("unknown",))

    def function(self, key, name, target, pending, extra=()):
        if cindex.conf.lib.clang_isInvalidDeclaration(target):
            self.add(key, name, ("unknown",))  # of a type that a missing header declares
            return
        template = cindex.conf.lib.clang_getSpecializedCursorTemplate(target)
        while template is not None and template.kind != K.NO_DECL_FOUND and not template.kind.is_invalid():
            target = template
            template = cindex.conf.lib.clang_getSpecializedCursorTemplate(target)
        usr = target.get_usr()
        place = self.place(target)
        implicit = place is None and target.location.file is None
        if place is None and not implicit and not self.declarations.get(usr):
            self.add(key, name, ("external", os.path.basename(target.location.file.name)) + ((extra,) if extra else ()))
            return
        kind = "interface" if target.kind == K.CXX_METHOD and target.is_pure_virtual_method() else "static"
        pending.append((key, name, usr, (kind, extra)))

    def construction(self, c, parent, target, pending):
        """A construction is a site where its type is written with arguments."""
        site = None
        for holder in (c, parent):
            for child in holder.get_children() if holder is not None else ():
                if child.hash == c.hash:
                    break
                if child.kind in TYPES:
                    name = target.spelling.split("<")[0]
                    site = self.constructs(child, name, holder) or site
            if site:
                break
        if site is None:
            return
        record = target.semantic_parent
        template = cindex.conf.lib.clang_getSpecializedCursorTemplate(record)
        if template is not None and not template.kind.is_invalid():
            record = template
        self.function(site, target.spelling.split("<")[0], target, pending, self.place(record) or ())

    def constructs(self, reference, name, holder):
        key = self.named(reference.location, name)
        if key is None:
            return None
        rest = b"\n".join(self.text(key[0])[key[1] - 1:key[1] + 3])[key[2] - 1 + len(name):].lstrip()
        if rest.startswith(b"<"):
            depth = 0
            for i, b in enumerate(rest):
                depth += (b == 60) - (b == 62)
                if depth == 0:
                    rest = rest[i + 1:].lstrip()
                    break
        if holder is not None and holder.kind == K.VAR_DECL:
            m = re.match(rb"[A-Za-z_0-9]+\s*(?=[({])", rest)
            return key if m else None
        return key if rest[:1] in (b"(", b"{") else None

    def macro(self, c):
        target = c.referenced
        if target is None or not cindex.conf.lib.clang_Cursor_isMacroFunctionLike(target):
            return
        name = c.spelling
        key = self.named(c.location, name)
        if key is None:
            return
        rest = b"\n".join(self.text(key[0])[key[1] - 1:key[1] + 1])[key[2] - 1 + len(name):].lstrip()
        if not rest.startswith(b"("):
            return
        place = self.place(target)
        self.add(key, name, ("macro", place) if place else ("external", os.path.basename(target.location.file.name) if target.location.file else ""))

    def lines(self):
        for key in sorted(self.sites):
            name, answers = self.sites[key]
            site = {"file": key[0], "line": key[1], "column": key[2], "name": name}
            site.update(self.settle(answers))
            yield json.dumps(site, ensure_ascii=False)

    def settle(self, answers):
        if any(a[0] == "macro" for a in answers):
            answers = {a for a in answers if a[0] == "macro"}  # of a call that its arguments hold at the same place
        results = {self.answer(a) for a in answers}
        if len(results) != 1:
            return {"class": "unknown"}
        kind, targets, module = results.pop()
        out = {"class": kind}
        if targets:
            out["targets"] = [{"file": f, "line": n} for f, n in targets]
        if module:
            out["module"] = module
        return out

    def answer(self, a):
        """(class, targets, module) of what a unit said of a site."""
        if a[0] == "macro":
            return "static", (a[1],), ""
        if a[0] == "field":
            return "interface", (a[1],), ""
        if a[0] == "at":
            return self.targets(a[1], (a[1],) + a[2], a[3])
        if a[0] == "usr":
            _, usr, declared, answer = a
            found = set()
            for d in declared:
                found |= self.seen_with.get((usr, d), set())
            found = found or self.definitions.get(usr, set())
            if len(found) > 1:
                return "unknown", (), ""
            if found:
                at = next(iter(found))
                return self.targets(at, (at,) + tuple(declared), answer)
            if declared or answer[1]:  # answer[1]: the class of a constructor that the compiler writes
                return self.targets(None, tuple(declared), answer)
            return "unknown", (), ""  # declared nowhere: a header is missing
        return a[0], (), a[1] if len(a) > 1 and isinstance(a[1], str) else ""

    def targets(self, at, places, answer):
        kind, extra = answer
        out = set(places)
        if extra:
            out.add(tuple(extra))
        return kind, tuple(sorted(out)), ""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    cindex.Config.set_library_file("/usr/lib/llvm-19/lib/libclang-19.so.1")
    cindex.conf.lib.clang_isInvalidDeclaration.argtypes = [cindex.Cursor]
    main(sys.argv[1])
