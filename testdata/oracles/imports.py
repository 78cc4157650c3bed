"""Prints the file→file imports of the Python files below a folder, as "from<TAB>to".

The statements come from ast, and where they lead from the interpreter's rules: a
relative name counts from the package of the file, another is looked up in the
folder above the file's outermost package, the root and its src folder. Of "from a
import b" the module a.b is meant where there is one, else a.
"""

import ast
import os
import sys

root = os.path.abspath(sys.argv[1])


def module(base, steps):
    at = os.path.join(base, *steps)
    for file in (os.path.join(at, "__init__.py"), at + ".py"):
        if os.path.isfile(file):
            return file
    return None


def package_top(folder):
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


def named(folder, level, name):
    """The folder and steps below which a dotted name lies, None outside."""
    steps = name.split(".") if name else []
    if level:
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        return folder, steps
    if steps[0] in sys.stdlib_module_names:
        return None
    for base in (package_top(folder), folder, root, os.path.join(root, "src")):
        if module(base, steps[:1]) or os.path.isdir(os.path.join(base, steps[0])) and module(base, steps):
            return base, steps
    return None


def imports(path):
    folder = os.path.dirname(path)
    with open(path, "rb") as f:
        tree = ast.parse(f.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                at = named(folder, 0, alias.name)
                if at:
                    yield module(*at)
        elif isinstance(node, ast.ImportFrom):
            at = named(folder, node.level, node.module or "")
            if not at:
                continue
            for alias in node.names:
                yield module(at[0], at[1] + [alias.name]) or module(*at)


for folder, folders, files in os.walk(root):
    folders[:] = [d for d in folders if not d.startswith(".") and d != "node_modules"]
    for name in files:
        path = os.path.join(folder, name)
        if not name.endswith(".py"):
            continue
        try:
            found = set(imports(path))
        except (SyntaxError, ValueError):
            continue
        print(os.path.relpath(path, root), "", sep="\t")  # it was read
        for to in found - {None, path}:
            print(os.path.relpath(path, root), os.path.relpath(to, root), sep="\t")
