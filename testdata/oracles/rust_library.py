#!/usr/bin/env python3
"""Writes the table of the types of Rust's standard library, in the form that the
package l2meta/library reads, from the source that Debian's package rust-src or
rustup's component rust-src brings.

  rust_library.py LIBRARY [VERSION]    the folder with core, alloc and std

The source is as rustfmt writes it: an item of an impl is indented by four spaces.
A type has the methods of its own and of the traits that it implements; what it
dereferences to is a base. Every iterator is an Iter of its items."""
import pathlib, re, sys

# Modules that programs use, by the order in which they claim a name.
MODULES = """core/src/option.rs core/src/result.rs alloc/src/vec alloc/src/string.rs alloc/src/str.rs alloc/src/slice.rs core/src/str core/src/slice
core/src/char core/src/iter core/src/cell core/src/cell.rs alloc/src/boxed.rs alloc/src/rc.rs alloc/src/sync.rs alloc/src/borrow.rs
alloc/src/collections std/src/collections core/src/time.rs std/src/time.rs std/src/path.rs std/src/ffi alloc/src/ffi core/src/ffi std/src/io
core/src/fmt alloc/src/fmt.rs std/src/fs.rs std/src/process.rs std/src/env.rs std/src/thread std/src/sync core/src/sync std/src/net core/src/net
std/src/os/unix/ffi std/src/os/unix/fs.rs std/src/os/unix/process.rs core/src/ops/range.rs core/src/range.rs core/src/num/nonzero.rs core/src/cmp.rs
core/src/any.rs core/src/hash core/src/ascii.rs core/src/array core/src/error.rs std/src/error.rs core/src/pin.rs core/src/mem
std/src/backtrace.rs std/src/panic.rs core/src/panic""".split()
ITERATORS = ["Iterator", "DoubleEndedIterator", "ExactSizeIterator"]


# A macro of core::str makes these.
PATTERN_ITERATORS = "Split RSplit SplitN RSplitN SplitTerminator RSplitTerminator Matches RMatches MatchIndices RMatchIndices".split()


def module_of(path):
    """The module of a crate that a file is of: "str" of core/src/str/iter.rs."""
    return path.parts[2].removesuffix(".rs") if len(path.parts) > 2 else ""


def text_of(root, module):
    path = root / module
    files = [path] if path.suffix == ".rs" else sorted(path.rglob("*.rs")) if path.is_dir() else [path.with_suffix(".rs")]
    for f in files:
        if f.exists() and not {"tests", "benches"} & set(f.parts) and f.stem != "tests":
            yield f, f.read_text()


def close(text, at):
    """The index behind the bracket that closes the one at at; arrows are none."""
    depth = 0
    for i in range(at, len(text)):
        c = text[i]
        if c in "<([{":
            depth += 1
        elif c in ")]}" or c == ">" and text[i - 1] not in "-=":
            depth -= 1
            if depth == 0:
                return i + 1
    return len(text)


def split(text):
    out, start, at = [], 0, 0
    while at < len(text):
        if text[at] in "<([{":
            at = close(text, at)
            continue
        if text[at] == ",":
            out.append(text[start:at].strip())
            start = at + 1
        at += 1
    return [t for t in out + [text[start:].strip()] if t]


def parameters(text):
    """The type parameters of a declaration that stand for types of values."""
    out = []
    for p in split(text):
        name, _, bound = p.partition(":")
        name = name.split("=")[0].strip()
        if not name.startswith(("'", "const ")) and not re.search(r"Allocator|BuildHasher", bound) and name not in ("A", "S"):
            out.append(name)
    return out


class Library:
    def __init__(self):
        self.types = {}  # by name: (parameters, bases, members, package)
        self.items = {}  # of iterators by name, and by module and name: (parameters, item)
        for name in PATTERN_ITERATORS:
            self.items["str", name] = self.items[name] = (["P"], "(usize, &str)" if "Indices" in name else "&str")
        self.traits = {}
        self.modules = {}  # functions by module
        self.impls = []

    def read(self, path, text):
        text = re.sub(r"^[ \t]*//.*\n", "", text, flags=re.M)
        for m in re.finditer(r"^(pub )?(?:const )?(?:unsafe )?(?:auto )?(impl|trait)\b", text, re.M):
            open_ = text.find("{", m.end())
            head = " ".join(text[m.end() : open_].split())
            if ";" in head or open_ < 0:
                continue
            body = text[open_ : text.find("\n}", open_) + 1]
            self.declare(path, m.group(2), head, body, m.group(1))
        if path.stem not in ("mod", "lib") or path.parent.name in ("thread", "env", "str", "mem", "io"):
            module = path.stem if path.stem not in ("mod", "lib", "functions", "converts") else path.parent.name
            functions = self.members(path, text, {}, "module")
            if functions:
                self.modules.setdefault(module, {}).update(functions)

    def declare(self, path, word, head, body, public):
        generics = ""
        if word == "trait":
            name = re.match(r"\w+", head).group()
            if not public:
                return
            self.traits[name] = self.members(path, body, {}, word)
            return
        if head.startswith("<"):
            end = close(head, 0)
            generics, head = head[1 : end - 1], head[end:]
        head = re.split(r"\bwhere\b", head)[0].strip()
        head = head.removeprefix("const ").strip()
        trait, _, typ = head.rpartition(" for ")
        self.impls.append((path, generics, trait.strip().removeprefix("const "), typ.strip(), body))

    def members(self, path, body, names, word):
        out = {}
        public = {"trait": "    ", "impl": "    pub ", "module": "pub "}[word]
        for m in re.finditer(r"^" + public + r"(?:const )?(?:unsafe )?(?:async )?fn (\w+)", body, re.M):
            attributes = body[: m.start()].rsplit("\n\n", 1)[-1]
            if "#[unstable" in attributes or m.group(1).startswith("_"):
                continue
            at = m.end()
            own = []
            if body[at] == "<":
                end = close(body, at)
                own, at = parameters(body[at + 1 : end - 1]), end
            at = close(body, at)
            signature = re.split(r"[{;]|\bwhere\b", body[at:], maxsplit=1)[0] if "[" not in body[at : at + 40] else re.split(r"\{|;\n|\bwhere\b", body[at:], maxsplit=1)[0]
            result = " ".join(signature.split())
            result = result[2:].strip() if result.startswith("->") else "()"
            out.setdefault(m.group(1), (path, result, own))
        return out

    def typ(self, path, text, params, self_, own=()):
        """A type as the table has it; _ for what is not known."""
        text = text.strip()
        go = lambda t: self.typ(path, t, params, self_, own)
        while True:
            short = re.sub(r"^(&|mut |const |'\w+ |\*const |\*mut |dyn |\?)", "", text).strip()
            if short == text:
                break
            text = short
        if text.startswith("impl "):
            m = re.search(r"Iterator<Item\s*=\s*(.*)>", text)
            return "std::Iter<" + go(m.group(1)) + ">" if m else "_"
        if text.startswith("("):
            return "(" + ", ".join(map(go, split(text[1:-1]))) + ")"
        if text.startswith("["):
            return "[" + go(text[1:-1].split(";")[0]) + "]"
        if text in own:
            return "_"
        if text in params:
            return params[text]
        if text == "Self":
            return self_
        if re.fullmatch(r"Self::(Item|Output|Target)|I::Item", text) and "Self::Item" in params:
            return params["Self::Item"]
        head, args = text, []
        if "<" in text and text.endswith(">"):
            at = text.index("<")
            head, args = text[:at], [a for a in split(text[at + 1 : -1]) if not a.startswith("'") and a not in ("A", "S", "Global", "RandomState")]
        if not re.fullmatch(r"[\w:]+", head):
            return "_"
        parts = head.split("::")
        name = parts[-1]
        if name == "Result" and len(args) < 2:
            io = "io" in parts or re.search(r"std/src/(io|fs|process|net|path|env|os)", str(path))
            return "std::Result<" + (go(args[0]) if args else "()") + (", std::io::Error>" if io else ", std::fmt::Error>")
        if not args and re.fullmatch(r"[a-z]\w*", name):
            return name if name != "str" else "std::str"
        if name in self.items:
            own_, item = self.items.get((module_of(path), name), self.items[name])
            bound = dict(zip(own_, map(go, args)))
            if "Self" in args and "Self::Item" in params:
                bound[own_[args.index("Self")] + "::Item"] = params["Self::Item"]
            return "std::Iter<" + self.item(path, item, bound) + ">"
        if name in self.types or name in ("Option", "Result"):
            return "std::" + name + ("<" + ", ".join(map(go, args)) + ">" if args else "")
        return "_"

    def item(self, path, item, bound):
        for k, v in bound.items():
            if item.replace("&'a ", "").replace("<I as Iterator>::Item", "I::Item") == k:
                return v
        return "_" if "::Item" in item else self.typ(path, item, bound, "_")


def main():
    root = pathlib.Path(sys.argv[1])
    lib = Library()
    for module in MODULES:
        for path, text in text_of(root, module):
            lib.read(path.relative_to(root), text)
    heads = []
    for path, generics, trait, typ, body in lib.impls:
        params = parameters(generics)
        base = re.sub(r"^(&'?\w* ?(mut )?)", "", typ)
        if base != typ:
            continue
        m = re.fullmatch(r"([\w:]+)(?:<(.*)>)?", typ)
        if typ.startswith("[") and ";" not in typ:
            name, args = "slice", [typ[1:-1]]
        elif m:
            name, args = m.group(1).split("::")[-1], [a for a in split(m.group(2) or "") if not a.startswith("'") and a not in ("A", "S", "Global", "RandomState")]
        else:
            continue
        if name == "Self" or name in params:
            continue
        item = re.search(r"type Item = ([^;]*);", body)
        if trait == "Iterator" and item:
            found = ([a for a in args if re.fullmatch(r"\w+", a)], item.group(1))
            lib.items.setdefault((module_of(path), name), found)
            lib.items.setdefault(name, found)
        heads.append((path, name, args, trait, body))
    for path, name, args, trait, body in heads:
        if name not in lib.items and not trait and (all(re.fullmatch(r"\w+", a) and a[0].isupper() for a in args) or name not in lib.types):
            if name not in lib.types or any(not re.fullmatch(r"[A-Z]\w*", a) for a in lib.types[name][0]):
                lib.types[name] = (args, [], {}, path)
    for path, name, args, trait, body in heads:
        if name not in lib.types:
            continue
        own, bases, members, _ = lib.types[name]
        params = dict(zip(args, own))
        self_ = ("[" + own[0] + "]" if name == "slice" else "std::" + name + ("<" + ", ".join(own) + ">" if own else ""))
        target = re.search(r"type Target = ([^;]*);", body)
        trait = re.sub(r"<.*", "", trait).split("::")[-1]
        if trait == "Deref" and target:
            text = lib.typ(path, target.group(1), params, self_).removeprefix("std::")
            bases.insert(0, re.sub(r"^\[(.*)\]$", r"slice<\1>", text))
        elif trait in lib.traits and trait not in bases and trait not in ITERATORS:
            bases.append(trait)
        elif not trait:
            for m, (p, result, generic) in lib.members(path, body, params, "impl").items():
                text = lib.typ(p, result, params, self_, generic)
                members.setdefault(m, text)
    write(lib)


def write(lib):
    version = sys.argv[2] if len(sys.argv) > 2 else (pathlib.Path(sys.argv[1]).parent / "version").read_text().split()[0]
    print(f"# Rust {version}, by testdata/oracles/rust_library.py")
    used = set()
    for name, (own, bases, members, _) in sorted(lib.types.items()):
        bases = [b for b in bases if b.split("<")[0] in lib.types or b in lib.traits]
        if not members and not bases:
            continue
        used.update(bases)
        print(name + ("<" + ", ".join(own) + ">" if own else "") + (": " + ", ".join(bases) if bases else ""))
        for m, result in sorted(members.items()):
            print(("\t" + m + " " + ("" if result == "_" else result)).rstrip())
    for name in sorted(lib.traits):
        if name in lib.types or name not in used:
            continue
        print(name)
        for m, (path, result, own) in sorted(lib.traits[name].items()):
            text = "_" if "Self" in result else lib.typ(path, result, {}, "_", own)
            print(("\t" + m + " " + ("" if "_" in text else text)).rstrip())
    for module, functions in sorted(lib.modules.items()):
        if module in lib.types or module in lib.traits:
            continue
        print(module)
        for m, (path, result, own) in sorted(functions.items()):
            text = lib.typ(path, result, {}, "_", own)
            print(("\t" + m + " " + ("" if text == "_" else text)).rstrip())
    for name, (own, item) in sorted((k, v) for k, v in lib.items.items() if isinstance(k, str)):
        if name not in lib.types and name not in lib.traits and name not in lib.modules and name != "Iter":
            item = lib.item(pathlib.Path(), item, dict(zip(own, own)))
            print(name + ("<" + ", ".join(own) + ">" if own else "") + ": Iter<" + item + ">")
    print("Iter<T>")
    seen = set()
    for trait in ITERATORS:
        for m, (path, result, own) in sorted(lib.traits[trait].items()):
            text = lib.typ(path, result, {"Self::Item": "T", "Self": "std::Iter<T>"}, "std::Iter<T>", own)
            if m not in seen:
                print(("\t" + m + " " + ("" if text == "_" else text)).rstrip())
            seen.add(m)


main()
