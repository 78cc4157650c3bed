import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import javax.lang.model.element.Modifier;
import javax.tools.*;

/**
 * Lists what Java files declare and call, as javac's parser reads them.
 *
 * <p>Paths come on standard input, one a line. Each answer is one line of JSON:
 * {"path": ..., "symbols": [...]}, without "symbols" where javac finds a syntax
 * error. A declaration is "kind qualified.name first-last" (of a variable only
 * the first line), a call "call kind name(arguments) line in qualified.name".
 */
public class JavaTruth {
    static final Set<String> INERT = Set.of("Override", "Deprecated", "SuppressWarnings", "FunctionalInterface", "SafeVarargs");

    public static void main(String[] args) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        StandardJavaFileManager files = javac.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        for (String path; (path = in.readLine()) != null; ) {
            DiagnosticCollector<JavaFileObject> errors = new DiagnosticCollector<>();
            JavacTask task = (JavacTask) javac.getTask(null, files, errors, List.of("-proc:none"), null, files.getJavaFileObjects(path));
            CompilationUnitTree unit = task.parse().iterator().next();
            boolean valid = errors.getDiagnostics().stream().noneMatch(d -> d.getKind() == Diagnostic.Kind.ERROR);
            List<String> found = null;
            if (valid) {
                Reader reader = new Reader(unit, Trees.instance(task).getSourcePositions());
                reader.scan(unit, null);
                found = reader.found;
            }
            out.println(json(path, found));
        }
        out.flush();
    }

    static String json(String path, List<String> symbols) {
        StringBuilder b = new StringBuilder("{\"path\": ").append(quote(path));
        if (symbols != null) {
            StringJoiner list = new StringJoiner(", ", ", \"symbols\": [", "]");
            symbols.forEach(s -> list.add(quote(s)));
            b.append(list);
        }
        return b.append("}").toString();
    }

    static String quote(String s) {
        return '"' + s.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    static class Reader extends TreeScanner<Void, Void> {
        final CompilationUnitTree unit;
        final SourcePositions positions;
        final List<String> found = new ArrayList<>();
        final Deque<ClassTree> classes = new ArrayDeque<>();
        String owner = "";

        Reader(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
        }

        long first(Tree t) {
            return unit.getLineMap().getLineNumber(positions.getStartPosition(unit, t));
        }

        long last(Tree t) {
            return unit.getLineMap().getLineNumber(positions.getEndPosition(unit, t) - 1);
        }

        void inside(String name, Runnable visit) {
            String outer = owner;
            owner = name;
            visit.run();
            owner = outer;
        }

        String join(CharSequence name) {
            return owner.isEmpty() ? name.toString() : owner + "." + name;
        }

        @Override public Void visitModule(ModuleTree t, Void v) {
            return null;
        }

        @Override public Void visitPackage(PackageTree t, Void v) {
            return null;
        }

        @Override public Void visitClass(ClassTree t, Void v) {
            classes.push(t);
            if (t.getSimpleName().length() == 0) {
                scan(t.getMembers(), null);
            } else {
                String kind = switch (t.getKind()) {
                    case ENUM -> "enum";
                    case INTERFACE, ANNOTATION_TYPE -> "interface";
                    default -> "class";
                };
                String name = join(t.getSimpleName());
                found.add(kind + " " + name + " " + first(t) + "-" + last(t));
                inside(name, () -> super.visitClass(t, null));
            }
            classes.pop();
            return null;
        }

        @Override public Void visitMethod(MethodTree t, Void v) {
            boolean constructor = t.getName().contentEquals("<init>");
            CharSequence simple = constructor ? classes.peek().getSimpleName() : t.getName();
            String kind = constructor ? "constructor" : "method";
            for (AnnotationTree a : t.getModifiers().getAnnotations()) {
                String type = a.getAnnotationType().toString();
                if (Set.of("Test", "ParameterizedTest", "RepeatedTest").contains(type.substring(type.lastIndexOf('.') + 1))) {
                    kind = "test";
                }
            }
            String name = join(simple);
            found.add(kind + " " + name + " " + first(t) + "-" + last(t));
            inside(name, () -> super.visitMethod(t, null));
            return null;
        }

        @Override public Void visitVariable(VariableTree t, Void v) {
            if (classes.isEmpty() || !classes.peek().getMembers().contains(t)) {
                return super.visitVariable(t, null);
            }
            Set<Modifier> modifiers = t.getModifiers().getFlags();
            boolean constant = modifiers.containsAll(Set.of(Modifier.STATIC, Modifier.FINAL));
            Tree.Kind in = classes.peek().getKind();
            constant = constant || in == Tree.Kind.INTERFACE || in == Tree.Kind.ANNOTATION_TYPE;
            String name = join(t.getName());
            found.add((constant ? "constant " : "field ") + name + " " + first(t));
            inside(name, () -> {
                if (!isEnumConstant(t)) {
                    super.visitVariable(t, null);
                    return;
                }
                scan(t.getModifiers(), null);
                NewClassTree made = (NewClassTree) t.getInitializer();
                if (source(t).matches("(?s).*\\b" + t.getName() + "\\s*\\(.*")) {
                    call("new", classes.peek().getSimpleName(), made.getArguments().size(), t);
                }
                scan(made.getArguments(), null);
                scan(made.getClassBody(), null);
            });
            return null;
        }

        String source(Tree t) {
            try {
                CharSequence text = unit.getSourceFile().getCharContent(true);
                return text.subSequence((int) positions.getStartPosition(unit, t), (int) positions.getEndPosition(unit, t)).toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean isEnumConstant(VariableTree t) {
            return classes.peek().getKind() == Tree.Kind.ENUM && t.getInitializer() instanceof NewClassTree
                    && t.toString().contains("/*public static final*/ " + t.getName());
        }

        void call(String kind, CharSequence name, int arguments, Tree at) {
            found.add("call " + kind + " " + name + "(" + arguments + ") " + first(at) + " in " + owner);
        }

        static CharSequence simple(Tree type) {
            return switch (type.getKind()) {
                case PARAMETERIZED_TYPE -> simple(((ParameterizedTypeTree) type).getType());
                case ANNOTATED_TYPE -> simple(((AnnotatedTypeTree) type).getUnderlyingType());
                case ARRAY_TYPE -> simple(((ArrayTypeTree) type).getType());
                case MEMBER_SELECT -> ((MemberSelectTree) type).getIdentifier();
                default -> type.toString();
            };
        }

        @Override public Void visitMethodInvocation(MethodInvocationTree t, Void v) {
            CharSequence name = simple(t.getMethodSelect());
            String kind = "plain";
            if (name.toString().equals("this") || name.toString().equals("super")) {
                kind = "super";
            } else if (t.getMethodSelect() instanceof MemberSelectTree select) {
                String receiver = select.getExpression().toString();
                if (receiver.equals("super") || receiver.endsWith(".super")) {
                    kind = "super";
                }
            }
            call(kind, name, t.getArguments().size(), t);
            return super.visitMethodInvocation(t, null);
        }

        @Override public Void visitNewClass(NewClassTree t, Void v) {
            call("new", simple(t.getIdentifier()), t.getArguments().size(), t);
            return super.visitNewClass(t, null);
        }

        @Override public Void visitMemberReference(MemberReferenceTree t, Void v) {
            boolean make = t.getMode() == MemberReferenceTree.ReferenceMode.NEW;
            if (make && t.getQualifierExpression().getKind() == Tree.Kind.ARRAY_TYPE) {
                return super.visitMemberReference(t, null);
            }
            call("reference", make ? simple(t.getQualifierExpression()) : t.getName(), 0, t);
            return super.visitMemberReference(t, null);
        }

        @Override public Void visitAnnotation(AnnotationTree t, Void v) {
            CharSequence name = simple(t.getAnnotationType());
            if (!INERT.contains(name.toString())) {
                call("decorator", name, t.getArguments().size(), t);
            }
            return super.visitAnnotation(t, null);
        }
    }
}
