import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.tools.*;

/**
 * Tells what each call in a repository's Java sources means, as javac
 * attributes it.
 *
 * <p>{@code java Java.java ROOT} prints one line of JSON a call site, sorted
 * by file, line and column: where the callee's last name starts, the class of
 * the call (static, interface, external, unknown) and the lines of the names
 * of what it may be said to call. Dependencies are absent: javac goes on after
 * errors, and a call that they touch is unknown.
 */
public class Java {
    static final List<String> OPTIONS = List.of("-proc:none", "-implicit:none", "-Xlint:none", "-nowarn",
            "-Xmaxerrs", "1000000", "-XDshould-stop.ifError=FLOW", "-XDshould-stop.ifNoError=FLOW", "-encoding", "UTF-8");

    final Path root;
    final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    final StandardJavaFileManager files = javac.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    final List<Site> sites = new ArrayList<>();

    record Site(String file, int line, int column, String name, String kind, SortedSet<Target> targets, String module) {
        String json() {
            String list = targets.stream().map(t -> "{\"file\":" + quote(t.file) + ",\"line\":" + t.line + "}").collect(Collectors.joining(","));
            return "{\"file\":" + quote(file) + ",\"line\":" + line + ",\"column\":" + column + ",\"name\":" + quote(name) + ",\"class\":" + quote(kind)
                    + (list.isEmpty() ? "" : ",\"targets\":[" + list + "]") + (module.isEmpty() ? "" : ",\"module\":" + quote(module)) + "}";
        }
    }

    record Target(String file, int line) implements Comparable<Target> {
        public int compareTo(Target o) {
            return file.equals(o.file) ? Integer.compare(line, o.line) : file.compareTo(o.file);
        }
    }

    /** Sources below one directory that are laid out by package, and the types they declare. */
    record SourceRoot(Path dir, List<Path> files, Set<String> types) {}

    Java(Path root) {
        this.root = root;
    }

    public static void main(String[] args) throws IOException {
        Java oracle = new Java(Path.of(args[0]).toRealPath());
        for (List<SourceRoot> round : oracle.rounds()) {
            oracle.attribute(round);
        }
        oracle.sites.sort(Comparator.comparing(Site::file).thenComparing(Site::line).thenComparing(Site::column));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        oracle.sites.forEach(s -> out.println(s.json()));
        out.flush();
    }

    static String quote(String s) {
        return '"' + s.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    List<SourceRoot> roots;

    /**
     * Source roots that are attributed together. All that declare different
     * types go into one round; a root that repeats a type (another edition of
     * the same library, say) has its own.
     */
    List<List<SourceRoot>> rounds() throws IOException {
        roots = sourceRoots();
        List<SourceRoot> first = new ArrayList<>();
        List<List<SourceRoot>> rounds = new ArrayList<>(List.of(first));
        Set<String> seen = new HashSet<>();
        for (SourceRoot r : roots) {
            if (Collections.disjoint(seen, r.types)) {
                seen.addAll(r.types);
                first.add(r);
            } else {
                rounds.add(List.of(r));
            }
        }
        return rounds;
    }

    List<SourceRoot> sourceRoots() throws IOException {
        List<Path> paths;
        try (Stream<Path> all = Files.walk(root)) {
            paths = all.filter(p -> p.toString().endsWith(".java") && Files.isRegularFile(p))
                    .filter(p -> !Set.of("module-info.java", "package-info.java").contains(p.getFileName().toString()))
                    .filter(p -> StreamSupport.stream(root.relativize(p).spliterator(), false).noneMatch(e -> e.toString().startsWith(".")))
                    .sorted(Comparator.comparing((Path p) -> p.toString().contains("/main/") ? 0 : 1).thenComparing(p -> p)).toList();
        }
        Map<Path, SourceRoot> found = new LinkedHashMap<>();
        if (paths.isEmpty()) {
            return List.of();
        }
        JavacTask task = (JavacTask) javac.getTask(null, files, d -> {}, OPTIONS, null, files.getJavaFileObjectsFromPaths(paths));
        for (CompilationUnitTree unit : task.parse()) {
            Path path = Path.of(unit.getSourceFile().toUri());
            String name = unit.getPackageName() == null ? "" : unit.getPackageName().toString();
            SourceRoot r = found.computeIfAbsent(rootOf(path, name), d -> new SourceRoot(d, new ArrayList<>(), new HashSet<>()));
            List<String> types = new ArrayList<>();
            for (Tree t : unit.getTypeDecls()) {
                if (t instanceof ClassTree c) {
                    types.add(name + "." + c.getSimpleName());
                }
            }
            if (Collections.disjoint(r.types, types)) {
                r.files.add(path);
                r.types.addAll(types);
            }
        }
        return List.copyOf(found.values());
    }

    /** The directory from which the file's package counts, its own one where the layout is another. */
    static Path rootOf(Path file, String packageName) {
        Path dir = file.getParent();
        Path below = Path.of(packageName.replace('.', '/'));
        if (packageName.isEmpty() || !dir.endsWith(below)) {
            return dir;
        }
        for (int i = 0; i < below.getNameCount(); i++) {
            dir = dir.getParent();
        }
        return dir;
    }

    void attribute(List<SourceRoot> round) throws IOException {
        if (round.isEmpty()) {
            return;
        }
        files.setLocationFromPaths(StandardLocation.SOURCE_PATH, others(round));
        files.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of());
        List<Path> paths = round.stream().flatMap(r -> r.files.stream()).toList();
        JavacTask task = (JavacTask) javac.getTask(null, files, d -> {}, OPTIONS, null, files.getJavaFileObjectsFromPaths(paths));
        Iterable<? extends CompilationUnitTree> units = task.parse();
        try {
            task.analyze();
        } catch (IllegalStateException e) {
            System.err.println("javac gave up: " + e.getMessage()); // what it had attributed stays
        }
        Trees trees = Trees.instance(task);
        for (CompilationUnitTree unit : units) {
            new Reader(unit, trees, task).scan(new TreePath(unit), null);
        }
    }

    /** The source roots outside the round that share its types with nobody, the nearest first. */
    List<Path> others(List<SourceRoot> round) {
        Path at = round.get(0).dir;
        return roots.stream().filter(r -> !round.contains(r)).map(SourceRoot::dir)
                .sorted(Comparator.comparing((Path d) -> -shared(at, d))).toList();
    }

    static int shared(Path a, Path b) {
        int n = 0;
        while (n < Math.min(a.getNameCount(), b.getNameCount()) && a.getName(n).equals(b.getName(n))) {
            n++;
        }
        return n;
    }

    /** Finds the calls of one file. */
    class Reader extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final Trees trees;
        final SourcePositions positions;
        final javax.lang.model.util.Elements elements;
        final javax.lang.model.util.Types types;
        final Source source;

        Reader(CompilationUnitTree unit, Trees trees, JavacTask task) throws IOException {
            this.unit = unit;
            this.trees = trees;
            positions = trees.getSourcePositions();
            elements = task.getElements();
            types = task.getTypes();
            source = sourceOf(unit);
        }

        @Override public Void visitMethodInvocation(MethodInvocationTree t, Void v) {
            String name = simple(t.getMethodSelect());
            if (source.text.startsWith(name, nameStart(t.getMethodSelect()))) { // javac writes super() where nobody has
                add(t.getMethodSelect(), t.getArguments());
            }
            return super.visitMethodInvocation(t, null);
        }

        @Override public Void visitNewClass(NewClassTree t, Void v) {
            add(t.getIdentifier(), t.getArguments());
            return super.visitNewClass(t, null);
        }

        @Override public Void visitMemberReference(MemberReferenceTree t, Void v) {
            if (t.getMode() == MemberReferenceTree.ReferenceMode.INVOKE) {
                add((int) positions.getEndPosition(unit, t) - t.getName().length(), t.getName().toString(), List.of());
            } else if (t.getQualifierExpression().getKind() != Tree.Kind.ARRAY_TYPE) {
                add(t.getQualifierExpression(), List.of());
            }
            return super.visitMemberReference(t, null);
        }

        @Override public Void visitVariable(VariableTree t, Void v) {
            Element e = trees.getElement(getCurrentPath());
            if (e == null || e.getKind() != ElementKind.ENUM_CONSTANT || !(t.getInitializer() instanceof NewClassTree made)) {
                return super.visitVariable(t, null);
            }
            scan(t.getModifiers(), null);
            TreePath outer = getCurrentPath();
            TreePath inner = new TreePath(outer, made);
            int at = source.find(t.getName().toString(), source.past((int) positions.getStartPosition(unit, t), t.getModifiers(), unit, positions));
            int end = source.word(at);
            if (end < source.text.length() && source.text.charAt(end) == '(') {
                judge(at, t.getName().toString(), trees.getElement(inner), made, made.getArguments());
            }
            for (ExpressionTree a : made.getArguments()) {
                scan(new TreePath(inner, a), null);
            }
            if (made.getClassBody() != null) {
                scan(new TreePath(inner, made.getClassBody()), null);
            }
            return null;
        }

        @Override public Void visitAnnotation(AnnotationTree t, Void v) {
            Tree type = t.getAnnotationType();
            Element e = trees.getElement(new TreePath(getCurrentPath(), type));
            if (e == null || trees.getPath(topLevel(e)) != null) {
                judge(nameStart(type), simple(type), e, t, List.of());
            }
            return super.visitAnnotation(t, null);
        }

        void add(Tree named, List<? extends ExpressionTree> arguments) {
            add(nameStart(named), simple(named), arguments);
        }

        void add(int at, String name, List<? extends ExpressionTree> arguments) {
            judge(at, name, trees.getElement(getCurrentPath()), getCurrentPath().getLeaf(), arguments);
        }

        int nameStart(Tree t) {
            return switch (t.getKind()) {
                case PARAMETERIZED_TYPE -> nameStart(((ParameterizedTypeTree) t).getType());
                case ANNOTATED_TYPE -> nameStart(((AnnotatedTypeTree) t).getUnderlyingType());
                case MEMBER_SELECT -> (int) positions.getEndPosition(unit, t) - ((MemberSelectTree) t).getIdentifier().length();
                default -> (int) positions.getStartPosition(unit, t);
            };
        }

        static String simple(Tree t) {
            return switch (t.getKind()) {
                case PARAMETERIZED_TYPE -> simple(((ParameterizedTypeTree) t).getType());
                case ANNOTATED_TYPE -> simple(((AnnotatedTypeTree) t).getUnderlyingType());
                case MEMBER_SELECT -> ((MemberSelectTree) t).getIdentifier().toString();
                default -> t.toString();
            };
        }

        /** Records the call of name at a character offset, which javac says means e. */
        void judge(int at, String name, Element e, Tree call, List<? extends ExpressionTree> arguments) {
            SortedSet<Target> targets = new TreeSet<>();
            String kind = "unknown", module = "";
            if (e != null && e.asType().getKind() != TypeKind.ERROR && settled(e, arguments)) {
                if (trees.getPath(topLevel(e)) == null) {
                    kind = "external";
                    module = elements.getPackageOf(e).getQualifiedName().toString();
                } else if (e instanceof TypeElement type) {
                    kind = "static";
                    mark(type, targets);
                } else if (e instanceof ExecutableElement method) {
                    kind = method.getKind() == ElementKind.CONSTRUCTOR ? construct(method, targets) : invoke(method, targets);
                }
            }
            int[] where = source.position(at);
            sites.add(new Site(source.path, where[0], where[1], name, kind, targets, module));
        }

        String invoke(ExecutableElement method, SortedSet<Target> targets) {
            TypeElement owner = (TypeElement) method.getEnclosingElement();
            if (trees.getPath(method) == null && owner.getKind() == ElementKind.ENUM) {
                return "external"; // values() and valueOf(): the compiler writes them
            }
            mark(method, targets);
            if (targets.isEmpty() || owner.getKind() == ElementKind.RECORD) { // an accessor
                for (Element member : owner.getEnclosedElements()) {
                    if (member.getKind() == ElementKind.RECORD_COMPONENT && member.getSimpleName().equals(method.getSimpleName())) {
                        mark(member, targets);
                        mark(owner, targets);
                    }
                }
            }
            boolean open = owner.getKind().isInterface() || method.getModifiers().contains(Modifier.ABSTRACT);
            return targets.isEmpty() ? "unknown" : open && !method.getModifiers().contains(Modifier.STATIC) ? "interface" : "static";
        }

        /** Says what construction through a constructor names: the class and the constructor, if written. */
        String construct(ExecutableElement constructor, SortedSet<Target> targets) {
            TypeElement made = (TypeElement) constructor.getEnclosingElement();
            if (!made.getSimpleName().contentEquals("")) {
                mark(made, targets);
                mark(constructor, targets);
                return "static";
            }
            TypeMirror base = made.getInterfaces().isEmpty() ? made.getSuperclass() : made.getInterfaces().get(0);
            if (!(base instanceof DeclaredType declared) || base.getKind() == TypeKind.ERROR) {
                return "unknown";
            }
            TypeElement named = (TypeElement) declared.asElement();
            if (trees.getPath(named) == null) {
                return "external";
            }
            mark(named, targets);
            for (Element member : named.getEnclosedElements()) {
                if (member instanceof ExecutableElement c && c.getKind() == ElementKind.CONSTRUCTOR && c.getParameters().size() == constructor.getParameters().size()) {
                    mark(c, targets);
                }
            }
            return "static";
        }

        /** Reports whether no unknown argument type may have led javac to another overload. */
        boolean settled(Element e, List<? extends ExpressionTree> arguments) {
            if (!(e instanceof ExecutableElement method) || !(method.getEnclosingElement() instanceof TypeElement owner)) {
                return true; // the length and the copy of an array have no type that declares them
            }
            List<ExecutableElement> overloads = elements.getAllMembers(owner).stream().filter(m -> m instanceof ExecutableElement && m.getSimpleName().equals(e.getSimpleName()))
                    .map(m -> (ExecutableElement) m).filter(m -> m.isVarArgs() || m.getParameters().size() == arguments.size()).toList();
            return overloads.size() <= 1 || arguments.stream().noneMatch(this::erroneous)
                    && overloads.stream().flatMap(m -> m.getParameters().stream()).noneMatch(v -> v.asType().getKind() == TypeKind.ERROR);
        }

        boolean erroneous(ExpressionTree argument) {
            TypeMirror type = trees.getTypeMirror(new TreePath(getCurrentPath(), argument));
            return type == null || type.getKind() == TypeKind.ERROR;
        }

        Element topLevel(Element e) {
            while (e.getEnclosingElement() != null && e.getEnclosingElement().getKind() != ElementKind.PACKAGE) {
                e = e.getEnclosingElement();
            }
            return e;
        }

        /** Adds the line of the name that declares e; nothing where the compiler made e up. */
        void mark(Element e, SortedSet<Target> targets) {
            TreePath path = trees.getPath(e);
            if (path == null) {
                return;
            }
            try {
                Source in = sourceOf(path.getCompilationUnit());
                int start = (int) positions.getStartPosition(path.getCompilationUnit(), path.getLeaf());
                int end = (int) positions.getEndPosition(path.getCompilationUnit(), path.getLeaf());
                ModifiersTree modifiers = modifiers(path.getLeaf());
                if (start < 0 || end < 0 || modifiers == null) {
                    return;
                }
                String name = e.getSimpleName().toString();
                if (e.getKind() == ElementKind.CONSTRUCTOR) {
                    name = e.getEnclosingElement().getSimpleName().toString();
                }
                int at = in.find(name, in.past(start, modifiers, path.getCompilationUnit(), positions));
                if (at >= 0 && at < end) {
                    targets.add(new Target(in.path, in.position(at)[0]));
                }
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }

        static ModifiersTree modifiers(Tree declaration) {
            if (declaration instanceof MethodTree m) {
                return m.getModifiers();
            }
            if (declaration instanceof ClassTree c) {
                return c.getModifiers();
            }
            return declaration instanceof VariableTree v ? v.getModifiers() : null;
        }
    }

    final Map<URI, Source> sources = new HashMap<>();

    Source sourceOf(CompilationUnitTree unit) throws IOException {
        URI uri = unit.getSourceFile().toUri();
        Source s = sources.get(uri);
        if (s == null) {
            s = new Source(root.relativize(Path.of(uri)).toString(), unit.getSourceFile().getCharContent(true).toString());
            sources.put(uri, s);
        }
        return s;
    }

    /** A file's text, and where its lines start. */
    static class Source {
        final String path, text;
        final int[] lines;

        Source(String path, String text) {
            this.path = path;
            this.text = text;
            lines = IntStream.concat(IntStream.of(0), IntStream.range(0, text.length()).filter(i -> text.charAt(i) == '\n').map(i -> i + 1)).toArray();
        }

        /** The 1-based line and column, in bytes, of a character. */
        int[] position(int at) {
            int line = Arrays.binarySearch(lines, at);
            line = line < 0 ? -line - 2 : line;
            return new int[] {line + 1, text.substring(lines[line], at).getBytes(StandardCharsets.UTF_8).length + 1};
        }

        /** Where the next whole word name is, outside comments, from offset on; -1 without one. */
        int find(String name, int from) {
            for (int i = from; i < text.length(); ) {
                if (text.startsWith("//", i)) {
                    i = text.indexOf('\n', i);
                } else if (text.startsWith("/*", i)) {
                    i = text.indexOf("*/", i) + 2;
                } else if (Character.isJavaIdentifierStart(text.charAt(i))) {
                    int end = word(i);
                    if (text.substring(i, end).equals(name)) {
                        return i;
                    }
                    i = end;
                } else {
                    i++;
                }
            }
            return -1;
        }

        /** The end of the word at an offset, and of the blanks behind it where a parenthesis follows. */
        int word(int at) {
            int end = at;
            while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
                end++;
            }
            return end;
        }

        /** The offset behind a declaration's annotations. */
        int past(int start, ModifiersTree modifiers, CompilationUnitTree unit, SourcePositions positions) {
            for (AnnotationTree a : modifiers.getAnnotations()) {
                start = Math.max(start, (int) positions.getEndPosition(unit, a));
            }
            return start;
        }
    }
}
