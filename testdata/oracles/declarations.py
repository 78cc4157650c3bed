#!/usr/bin/env python3
"""The declarations of a Python work tree, from Python's own ast module.

    declarations.py ROOT > declarations.jsonl

One JSON line a class, function or method that is not nested in a function:
{"file","name","qualified","line","end","from","doc_from","doc_end","exported","type","doc"}.
line is that of the name, from the first line of its decorators, doc_from and
doc_end the lines of the docstring. exported means that no part of the
qualified name begins with an underscore, and that its first part is in the
__all__ of the file, if the file has one that is a list of names.
"""

import ast
import json
import subprocess
import sys


def tell(file, node, owner, public):
    name = f"{owner}.{node.name}" if owner else node.name
    first = min([node.lineno] + [d.lineno for d in node.decorator_list])
    row = {
        "file": file, "name": node.name, "qualified": name, "line": node.lineno, "end": node.end_lineno,
        "from": first, "exported": not any(p.startswith("_") for p in name.split("."))
        and (public is None or name.split(".")[0] in public),
        "type": isinstance(node, ast.ClassDef), "doc": ast.get_docstring(node) or "",
    }
    if row["doc"] and len(node.body) > 1:
        row["doc_from"], row["doc_end"] = node.body[0].lineno, node.body[0].end_lineno
    print(json.dumps(row))
    if isinstance(node, ast.ClassDef):
        walk(file, node.body, name, public)


def walk(file, body, owner, public):
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            tell(file, node, owner, public)


def listed_names(body):
    """The names in __all__, None without one that is a list or tuple of texts."""
    for node in body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            try:
                return set(ast.literal_eval(node.value))
            except (ValueError, TypeError):
                return None
    return None


root = sys.argv[1]
listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "*.py"], capture_output=True, check=True).stdout
for file in sorted(listed.decode().split("\0")):
    if file:
        with open(f"{root}/{file}", encoding="utf-8") as source:
            body = ast.parse(source.read()).body
            walk(file, body, "", listed_names(body))
