"""Lists what Python files declare, as the ast module reads them.

Paths come on standard input, one a line. Each answer is one line of JSON:
{"path": ..., "symbols": ["kind qualified.name first-last", ...], "calls":
["kind name arguments", ...], "imports": ["module name alias", ...]}, without
"symbols" where the file is not valid Python for this interpreter.
"""
import ast
import json
import sys
import warnings

ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"}
PROPERTIES = {"property", "cached_property", "setter", "deleter", "getter", "abstractproperty"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def all_caps(name):
    return any(c.isupper() for c in name) and not any(c.islower() for c in name)


class Scope:
    def __init__(self, kind, name, node=None):
        self.kind, self.name, self.node, self.declared = kind, name, node, set()


class Reader(ast.NodeVisitor):
    def __init__(self, path):
        base = path.rsplit("/", 1)[-1]
        self.test_file = base.startswith("test_") or base.endswith("_test.py")
        self.scopes = [Scope("module", "")]
        self.symbols = []

    def add(self, kind, name, node, first=None, scope=None):
        owner = (scope or self.scopes[-1]).name
        name = f"{owner}.{name}" if owner else name
        self.symbols.append(f"{kind} {name} {first or node.lineno}-{node.end_lineno}")
        return name

    def inside(self, scope, node):
        self.scopes.append(scope)
        for child in ast.iter_child_nodes(node):
            self.visit(child)
        self.scopes.pop()

    def visit_ClassDef(self, node):
        bases = {ast.unparse(b).removeprefix("enum.") for b in node.bases}
        kind = "enum" if bases & ENUMS else "class"
        name = self.add(kind, node.name, node, self.first(node))
        self.inside(Scope(kind, name, node), node)

    def first(self, node):
        return min([node.lineno] + [d.lineno for d in node.decorator_list])

    def visit_FunctionDef(self, node):
        in_class = self.scopes[-1].kind in ("class", "enum")
        kind = "method" if in_class else "function"
        if node.name.startswith("test") and self.test_file and (in_class or len(self.scopes) == 1):
            kind = "test"
        elif in_class and node.name == "__init__":
            kind = "constructor"
        for d in node.decorator_list:
            d = d.func if isinstance(d, ast.Call) else d
            last = d.attr if isinstance(d, ast.Attribute) else getattr(d, "id", "")
            if kind == "method" and last in PROPERTIES:
                kind = "property"
        name = self.add(kind, node.name, node, self.first(node))
        self.inside(Scope("function", name, node), node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Assign(self, node):
        self.assign(node, node.targets, node.value)

    def visit_AnnAssign(self, node):
        self.assign(node, [node.target], node.value, node.annotation)

    def assign(self, node, targets, value, annotation=None):
        scope = self.scopes[-1]
        if isinstance(value, ast.Lambda) and isinstance(targets[-1], ast.Name):
            # a = b = lambda: …; the name next to the lambda names it.
            *targets, named = targets
            for t in targets:
                self.target(node, t, value)
            kind = "method" if scope.kind in ("class", "enum") else "function"
            scope.declared.add(named.id)
            name = self.add(kind, named.id, node, named.lineno)
            self.inside(Scope("lambda", name, value), value)
            return
        for t in targets:
            self.target(node, t, value, annotation)

    def target(self, node, t, value, annotation=None, first=None):
        first = first or t.lineno  # of the target as a whole: a, b = …
        scope = self.scopes[-1]
        if isinstance(t, (ast.Tuple, ast.List)):
            for e in t.elts:
                self.target(node, e, value, None, first)
        elif isinstance(t, ast.Starred):
            self.target(node, t.value, value, None, first)
        elif isinstance(t, ast.Attribute):
            self.attribute(node, t, first)
        elif isinstance(t, ast.Name) and scope.kind not in ("function", "lambda"):
            self.variable(node, t, value, annotation, first)

    def variable(self, node, t, value, annotation, first):
        scope = self.scopes[-1]
        if t.id in scope.declared:
            return
        scope.declared.add(t.id)
        kind = "variable" if scope.kind == "module" else "field"
        if all_caps(t.id) or (scope.kind == "enum" and value is not None and not t.id.startswith("_")):
            kind = "constant"
        if scope.kind == "module" and annotation is not None and ast.unparse(annotation).split(".")[-1] == "TypeAlias":
            kind = "type"
        self.add(kind, t.id, node, first)

    def attribute(self, node, t, first):
        scope = self.scopes[-1]
        if scope.kind != "function" or self.scopes[-2].kind not in ("class", "enum"):
            return
        args = scope.node.args.posonlyargs + scope.node.args.args
        static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in scope.node.decorator_list)
        owner = self.scopes[-2]
        if static or not args or not isinstance(t.value, ast.Name) or t.value.id != args[0].arg:
            return
        if t.attr not in owner.declared:
            owner.declared.add(t.attr)
            self.add("field", t.attr, node, first, owner)


def callee(fn):
    return fn.attr if isinstance(fn, ast.Attribute) else getattr(fn, "id", "")


def calls(tree):
    decorators = set()
    for node in ast.walk(tree):
        for d in getattr(node, "decorator_list", []):
            decorators.add(d)
            if not isinstance(d, ast.Call) and callee(d):
                yield f"decorator {callee(d)} 0"
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not callee(node.func):
            continue
        spread = any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
        kind = "plain"
        if node in decorators:
            kind = "decorator"
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call) and callee(node.func.value.func) == "super":
            kind = "super"
        yield f"{kind} {callee(node.func)} {-1 if spread else len(node.args) + len(node.keywords)}"


def imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                yield f"{a.name}  {a.asname or ''}"
        elif isinstance(node, ast.ImportFrom):
            for a in node.names:
                yield f"{'.' * node.level}{node.module or ''} {a.name} {a.asname or ''}"


def main():
    sys.setrecursionlimit(10000)
    warnings.simplefilter("ignore")
    for path in sys.stdin.read().splitlines():
        answer = {"path": path}
        try:
            with open(path, "rb") as f:
                tree = ast.parse(f.read())
            reader = Reader(path)
            reader.visit(tree)
            answer["symbols"] = reader.symbols
            answer["calls"] = list(calls(tree))
            answer["imports"] = list(imports(tree))
        except (SyntaxError, ValueError, RecursionError):
            pass
        print(json.dumps(answer))


main()
