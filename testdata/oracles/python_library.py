"""Writes the table of Python's standard library, in the form that l2meta/library reads.

    python3 python_library.py > ../../l2meta/languages/python/library.txt

The authority is the typeshed that pyright brings. A type, and a module as a type,
bears its full name; "name()" is a method or a function with the type of its result,
"name" an attribute. Names in types are full ones. Where overloads give one type
with different arguments, the arguments are left out; members of which nothing is told
are left out.
"""
import ast
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
PYRIGHT = os.path.join(HERE, "..", "node", "node_modules", "pyright")
STDLIB = os.path.join(PYRIGHT, "dist", "typeshed-fallback", "stdlib")

MODULES = """argparse array ast asyncio.events asyncio.futures asyncio.queues asyncio.streams asyncio.subprocess asyncio.tasks base64 binascii bisect
builtins bz2 calendar cmath codecs collections collections.abc concurrent.futures._base configparser contextlib copy csv dataclasses datetime decimal difflib
email.header email.message email.utils enum fnmatch fractions functools getpass glob gzip hashlib hmac html html.parser http http.client http.cookiejar
http.cookies http.server importlib importlib.metadata importlib.util inspect io ipaddress itertools json keyword linecache locale logging math mimetypes
multiprocessing.context multiprocessing.process operator os pathlib pickle pkgutil platform posixpath pprint queue random re secrets select selectors shlex shutil
signal socket sqlite3 ssl stat statistics string struct subprocess sys sysconfig tarfile tempfile textwrap threading time timeit token tokenize traceback types
typing unicodedata unittest.case unittest.mock urllib.error urllib.parse urllib.request uuid warnings weakref xml.etree.ElementTree zipfile zlib
_collections_abc _io _socket _typeshed _random _thread _csv _json _weakref _codecs""".split()
ALIASES = {"posixpath": "os.path"}


def path_of(module):
    base = os.path.join(STDLIB, *module.split("."))
    return base + ".pyi" if os.path.exists(base + ".pyi") else os.path.join(base, "__init__.pyi")


class Module:
    """A module's names: each is the full name of what it is bound to."""

    def __init__(self, name):
        self.name = name
        self.names = {}
        self.classes = {}
        self.functions = {}
        self.values = {}
        with open(path_of(name)) as f:
            tree = ast.parse(f.read())
        self.variables = set()
        self.body(tree.body)

    def body(self, statements):
        for n in statements:
            if isinstance(n, ast.If):
                self.body(n.body if taken(n.test) else n.orelse)
            elif isinstance(n, ast.Import):
                for a in n.names:
                    self.names[a.asname or a.name.split(".")[0]] = a.name if a.asname else a.name.split(".")[0]
            elif isinstance(n, ast.ImportFrom):
                source = n.module or ""
                if n.level:
                    package = self.name.split(".")
                    if not path_of(self.name).endswith("__init__.pyi"):
                        package = package[:-1]
                    package = package[: len(package) - n.level + 1]
                    source = ".".join(package + ([source] if source else []))
                for a in n.names:
                    self.names[a.asname or a.name] = source + "." + a.name
            elif isinstance(n, ast.ClassDef):
                self.names[n.name] = self.name + "." + n.name
                self.classes[n.name] = n
            elif isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.names[n.name] = self.name + "." + n.name
                self.functions.setdefault(n.name, []).append(n)
            elif isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name):
                self.names[n.target.id] = self.name + "." + n.target.id
                self.values[n.target.id] = n
            elif isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name):
                target, value = n.targets[0].id, n.value
                if isinstance(value, ast.Call):
                    self.variables.add(target)
                elif isinstance(value, ast.Name):
                    self.names[target] = self.names.get(value.id, "builtins." + value.id)


def taken(test):
    """Reports whether a condition on the version or the platform holds: of a new Python on Linux."""
    text = ast.unparse(test)
    return "platform == 'win32'" not in text and "sys.version_info <" not in text and "not TYPE_CHECKING" not in text


modules = {name: Module(name) for name in MODULES}


def follow(name):
    """Returns the full name of what a name is re-exported from."""
    for _ in range(5):
        module, _, last = name.rpartition(".")
        if module not in modules or last in modules[module].classes or last in modules[module].functions:
            return name
        onward = modules[module].names.get(last, name)
        if onward == name:
            return name
        name = onward
    return name


def written(module, n, owner):
    """Returns the text of a type with full names, "" for one that tells nothing."""
    if n is None:
        return ""
    if isinstance(n, ast.Constant):
        if isinstance(n.value, str):
            return written(module, ast.parse(n.value, mode="eval").body, owner)
        return "None" if n.value is None else ""
    if isinstance(n, ast.BinOp) and isinstance(n.op, ast.BitOr):
        return union([written(module, n.left, owner), written(module, n.right, owner)])
    if isinstance(n, ast.Name):
        if n.id == "Self":
            return owner
        full = follow(module.names.get(n.id, "builtins." + n.id))
        if n.id == "AnyStr":
            return "builtins.bytes | builtins.str"
        if full.endswith(".MaybeNone"):
            return "None"
        if full.endswith(".LiteralString"):
            return "builtins.str"
        if n.id in module.variables or n.id in ("Any", "Incomplete", "NoReturn", "Never"):
            return ""
        where, _, last = full.rpartition(".")
        if where in modules and last in modules[where].variables or where == "_typeshed" or len(last) <= 2 and last.startswith("_"):
            return ""
        return full
    if isinstance(n, ast.Attribute):
        left = written(module, n.value, owner)
        return follow(left + "." + n.attr) if left else ""
    if isinstance(n, ast.Subscript):
        head = written(module, n.value, owner)
        last = head.rpartition(".")[2]
        parts = n.slice.elts if isinstance(n.slice, ast.Tuple) else [n.slice]
        if last in ("Optional", "ClassVar", "Final", "Annotated", "TypeGuard", "TypeIs"):
            return "builtins.bool" if last.startswith("TypeG") or last == "TypeIs" else written(module, parts[0], owner)
        if last == "Union":
            return union([written(module, p, owner) for p in parts])
        if last == "Literal":
            kinds = {type(p.value).__name__ for p in parts if isinstance(p, ast.Constant)}
            return "builtins." + kinds.pop() if len(kinds) == 1 else ""
        if not head or last in ("Callable", "type", "Type"):
            return ""
        args = [("..." if isinstance(p, ast.Constant) and p.value is ... else written(module, p, owner)) for p in parts]
        return f"{head}[{', '.join(args)}]" if all(args) and where_of(head) in CONTAINERS else head
    return ""


# The modules whose types say by their arguments what they hold.
CONTAINERS = {"builtins", "typing", "collections", "collections.abc", "_collections_abc", "contextlib"}


def where_of(name):
    return name.rpartition(".")[0]


def union(parts):
    own = sorted(set(q for p in parts for q in p.split(" | ") if q != "None"))
    if "" in own or not own:
        return "" if own else "None"
    return " | ".join(own)


def result(module, functions, owner):
    texts = set()
    for f in functions:
        text = written(module, f.returns, owner)
        if isinstance(f, ast.AsyncFunctionDef):
            text = f"typing.Awaitable[{text}]" if text else ""
        texts.add(text)
    if len(texts) == 1:
        return texts.pop()
    heads = {t.split("[")[0] for text in texts for t in text.split(" | ")} - {"None"}
    return "" if "" in texts or len(heads) > MAX_HEADS else " | ".join(sorted(heads))


# A result of more types says too little.
MAX_HEADS = 3


def members(module, cls, owner):
    methods, out = {}, {}

    def walk(statements):
        for n in statements:
            if isinstance(n, ast.If):
                walk(n.body if taken(n.test) else n.orelse)
            elif isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
                methods.setdefault(n.name, []).append(n)
            elif isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name):
                out[n.target.id] = written(module, n.annotation, owner)
            elif isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and isinstance(n.value, ast.Name) and n.value.id in methods:
                methods[n.targets[0].id] = methods[n.value.id]

    walk(cls.body)
    for name, list_ in methods.items():
        is_property = any(ast.unparse(d).rpartition(".")[2] in ("property", "cached_property") for d in list_[0].decorator_list)
        if is_property:
            out[name] = written(module, list_[0].returns, owner)
        else:
            out[name + "()"] = result(module, list_, owner)
    return {k: v for k, v in out.items() if not k.startswith("_") or k.strip("()") in ("__iter__", "__next__", "__enter__", "__getitem__", "__aiter__", "__aenter__", "__call__", "__mod__", "__add__", "__truediv__", "__sub__", "__mul__", "__or__", "__dict__", "__name__", "__doc__", "__module__")}


def told(name, text):
    """Reports whether a member says something. Constants in capitals do not; that an object can be called does."""
    return name == "__call__()" or text not in ("", "None", "typing.Final", "typing.TypeAlias", "typing._SpecialForm") and not name.isupper()


def main():
    with open(os.path.join(PYRIGHT, "package.json")) as f:
        version = json.load(f)["version"]
    table = {}
    for name in MODULES:
        module = modules[name]
        for cname, cls in module.classes.items():
            full = name + "." + cname
            bases = [written(module, b, full) for b in cls.bases]
            bases = [b for b in bases if b and b.split("[")[0] not in ("typing.Generic", "typing.Protocol", "builtins.object", full)]
            table[full] = (": " + ", ".join(b.split("[")[0] for b in bases) if bases else "", members(module, cls, full))
        own = {f + "()": result(module, list_, "") for f, list_ in module.functions.items() if not f.startswith("_")}
        own.update({v: written(module, n.annotation, "") for v, n in module.values.items() if not v.startswith("_")})
        for alias, target in module.names.items():  # what it passes on of others
            where, _, last = follow(target).rpartition(".")
            if where != name and where in modules and where not in ("typing", "abc", "types") and not alias.startswith("_") and last in modules[where].functions:
                own[alias + "()"] = result(modules[where], modules[where].functions[last], "")
        table[ALIASES.get(name, name)] = ("", own)
    for name in MODULES:  # a type by the name under which a module passes it on
        for alias, target in modules[name].names.items():
            full = follow(target)
            if full in table and not alias.startswith("_") and f"{name}.{alias}" not in table and full != f"{name}.{alias}" and full not in modules and not name.startswith("_"):
                table[f"{name}.{alias}"] = (": " + full, {})
    print(f"# typeshed of pyright {version}; written by testdata/oracles/python_library.py")
    for name in sorted(table):
        bases, own = table[name]
        if not bases and not any(told(k, v) for k, v in own.items()):
            continue
        print(name + bases)
        for key in sorted(own):
            if told(key, own[key]):
                print("\t" + key + " " + own[key])


main()
