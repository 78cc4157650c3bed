import java.io.*;
import java.lang.reflect.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/**
 * Writes the table of the JDK's types that the resolver of Java reads: which
 * members each has, and what they give.
 *
 * <p>{@code java JavaLibrary.java > l2meta/languages/jvm/java_library.txt}.
 * The package comment of l2meta/languages/jvm/library.go tells what a line means.
 */
public class JavaLibrary {
    /** The packages that programs use most; of types of one name the first counts. */
    static final String[] PACKAGES = {
        "java.base/java.lang", "java.base/java.util", "java.base/java.util.function", "java.base/java.util.stream",
        "java.base/java.io", "java.base/java.util.concurrent", "java.base/java.util.concurrent.atomic",
        "java.base/java.util.concurrent.locks", "java.base/java.util.regex", "java.base/java.lang.reflect",
        "java.base/java.lang.annotation", "java.base/java.nio.file", "java.base/java.nio.file.attribute",
        "java.base/java.nio", "java.base/java.nio.charset", "java.base/java.nio.channels", "java.base/java.net",
        "java.base/java.math", "java.base/java.text", "java.base/java.time", "java.base/java.time.format",
        "java.base/java.time.temporal", "java.base/java.security", "java.base/java.security.cert",
        "java.base/java.util.zip", "java.base/java.util.jar", "java.base/java.lang.ref", "java.base/javax.net.ssl",
        "java.logging/java.util.logging", "java.sql/java.sql", "java.base/java.lang.invoke",
    };
    /** Overloads of more parameters are not told apart. */
    static final int MOST_PARAMETERS = 6;

    final Map<String, Class<?>> types = new TreeMap<>();
    final Map<String, Map<String, String>> tables = new HashMap<>();

    public static void main(String[] args) throws Exception {
        JavaLibrary library = new JavaLibrary();
        for (boolean nested : new boolean[] {false, true}) {
            for (String place : PACKAGES) library.read(place, nested);
        }
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        out.print("# JDK " + Runtime.version().feature() + ": written by testdata/oracles/JavaLibrary.java\n");
        library.write(out);
        out.flush();
    }

    /** Takes in the public types of a package, or those within others, by their own names. */
    void read(String place, boolean nested) throws Exception {
        Path folder = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", place.replace('.', '/').replaceFirst("/", "."));
        List<String> names;
        try (Stream<Path> files = Files.list(folder)) {
            names = files.map(f -> f.getFileName().toString()).filter(n -> n.endsWith(".class") && !n.contains("-")).sorted().toList();
        }
        String pkg = place.substring(place.indexOf('/') + 1);
        for (String name : names) {
            Class<?> c = Class.forName(pkg + "." + name.substring(0, name.length() - 6), false, ClassLoader.getPlatformClassLoader());
            if (visible(c) && nested == (c.getDeclaringClass() != null)) types.putIfAbsent(c.getSimpleName(), c);
        }
    }

    static boolean visible(Class<?> c) {
        for (; c != null; c = c.getDeclaringClass()) {
            if (!Modifier.isPublic(c.getModifiers()) && !Modifier.isProtected(c.getModifiers()) || c.isAnonymousClass()) return false;
        }
        return true;
    }

    void write(PrintStream out) {
        Map<String, List<Class<?>>> packages = new TreeMap<>();
        types.values().forEach(c -> packages.computeIfAbsent(c.getPackageName(), k -> new ArrayList<>()).add(c));
        packages.forEach((pkg, classes) -> {
            out.print("package " + pkg + "\n");
            for (Class<?> c : classes) {
                String bases = bases(c).stream().map(b -> text(b, Map.of())).collect(Collectors.joining(", "));
                String params = Stream.of(c.getTypeParameters()).map(TypeVariable::getName).collect(Collectors.joining(", "));
                out.print(c.getSimpleName() + (params.isEmpty() ? "" : "<" + params + ">") + (bases.isEmpty() ? "" : ": " + bases) + "\n");
                Map<String, String> inherited = new HashMap<>();
                for (Type b : bases(c)) inherited(b).forEach(inherited::putIfAbsent);
                Map<String, String> members = new TreeMap<>(members(c));
                for (String name : inherited.keySet()) { // told apart there, alike here
                    if (name.contains("#")) members.putIfAbsent(name, members.getOrDefault(name.split("#")[0], ""));
                }
                members.forEach((name, what) -> {
                    if (!what.equals(inherited.get(name))) out.print("\t" + (name + " " + what).trim() + "\n");
                });
            }
        });
    }

    /** The types that the table has which c extends, those of others in between among them. */
    List<Type> bases(Class<?> c) {
        List<Type> out = new ArrayList<>();
        List<Type> todo = new ArrayList<>();
        if (c.getGenericSuperclass() != null) todo.add(c.getGenericSuperclass());
        todo.addAll(List.of(c.getGenericInterfaces()));
        for (Type t : todo) {
            if (types.get(raw(t).getSimpleName()) == raw(t) && raw(t) != Object.class) out.add(t);
            else if (raw(t) != Object.class && raw(t).getTypeParameters().length == 0) out.addAll(bases(raw(t)));
        }
        return out;
    }

    /** What a type inherits from a base, in terms of its own parameters. */
    Map<String, String> inherited(Type base) {
        Map<String, String> out = new HashMap<>();
        Map<String, String> env = environment(base, Map.of());
        members(raw(base)).forEach((name, what) -> out.put(name, substitute(what, raw(base), env)));
        return out;
    }

    static String substitute(String text, Class<?> c, Map<String, String> env) {
        StringBuilder out = new StringBuilder();
        var words = java.util.regex.Pattern.compile("[\\w$]+").matcher(text);
        while (words.find()) words.appendReplacement(out, java.util.regex.Matcher.quoteReplacement(env.getOrDefault(words.group(), words.group())));
        return words.appendTail(out).toString();
    }

    /** What the parameters of a base are for the one that extends it. */
    Map<String, String> environment(Type base, Map<String, String> env) {
        Map<String, String> out = new HashMap<>();
        TypeVariable<?>[] params = raw(base).getTypeParameters();
        for (int i = 0; i < params.length; i++) {
            out.put(params[i].getName(), base instanceof ParameterizedType p ? text(p.getActualTypeArguments()[i], env) : "_");
        }
        return out;
    }

    /** A method or field as a type sees it: the types of its parameters, then of what it gives. */
    record Member(List<String> parameters, String result, boolean told, boolean spreads) {}

    /** The lines of a type's members, inherited ones among them. */
    Map<String, String> members(Class<?> c) {
        Map<String, String> known = tables.get(c.getName());
        if (known != null) return known;
        Map<String, Map<List<String>, Member>> by = new TreeMap<>();
        Map<String, String> own = new HashMap<>();
        for (TypeVariable<?> p : c.getTypeParameters()) own.put(p.getName(), p.getName());
        collect(c, own, by, new HashSet<>());
        Map<String, String> lines = new TreeMap<>();
        by.forEach((name, overloads) -> lines(name, overloads.values(), lines));
        if (c.isInterface()) only(c).ifPresent(m -> lines.put("=>", function(m)));
        tables.put(c.getName(), lines);
        return lines;
    }

    void collect(Class<?> c, Map<String, String> env, Map<String, Map<List<String>, Member>> by, Set<Class<?>> seen) {
        if (!seen.add(c)) return;
        for (Method m : c.getDeclaredMethods()) {
            if (open(m.getModifiers()) && !m.isSynthetic() && (c == Object.class || !ofObject(m))) {
                by.computeIfAbsent(m.getName(), k -> new LinkedHashMap<>()).putIfAbsent(erased(m), member(m, env));
            }
        }
        for (Field f : c.getDeclaredFields()) {
            if (open(f.getModifiers()) && !f.isSynthetic()) {
                Member field = new Member(List.of(), text(f.getGenericType(), env), false, false);
                by.computeIfAbsent(f.getName(), k -> new LinkedHashMap<>()).putIfAbsent(List.of(), field);
            }
        }
        List<Type> up = new ArrayList<>(List.of(c.getGenericInterfaces()));
        if (c.getGenericSuperclass() != null) up.add(0, c.getGenericSuperclass());
        for (Type t : up) {
            if (raw(t) != Object.class) collect(raw(t), environment(t, env), by, seen);
        }
    }

    static boolean open(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    /** Reports whether every object has the method. */
    static boolean ofObject(Method m) {
        return Stream.of(Object.class.getDeclaredMethods()).anyMatch(o -> o.getName().equals(m.getName()) && erased(o).equals(erased(m)));
    }

    static List<String> erased(Method m) {
        return Stream.of(m.getParameterTypes()).map(Class::getName).toList();
    }

    Member member(Method m, Map<String, String> env) {
        List<String> params = new ArrayList<>();
        boolean told = false;
        for (Type t : m.getGenericParameterTypes()) {
            params.add(text(t, env));
            told = told || only(raw(t)).isPresent() && types.get(raw(t).getSimpleName()) == raw(t) && raw(t).getTypeParameters().length > 0;
        }
        String result = text(m.getGenericReturnType(), env);
        told = told || result.contains("$");
        if (m.isVarArgs()) params.set(params.size() - 1, params.get(params.size() - 1).replaceAll("\\[]$", "..."));
        return new Member(params, result, told, m.isVarArgs());
    }

    /** Writes what overloads have in common, and by the number of parameters where that tells more. */
    void lines(String name, Collection<Member> overloads, Map<String, String> out) {
        Map<Integer, List<Member>> by = new TreeMap<>();
        for (Member m : overloads) by.computeIfAbsent(m.parameters.size(), k -> new ArrayList<>()).add(m);
        List<Member> spreading = overloads.stream().filter(Member::spreads).toList();
        String all = common(by.size() == 1 ? overloads : spreading.isEmpty() ? List.of() : spreading);
        if (by.size() > 1 && spreading.isEmpty()) {
            Set<String> results = overloads.stream().map(Member::result).collect(Collectors.toSet());
            all = results.size() == 1 ? results.iterator().next() : "";
        }
        out.put(name, all);
        for (int n : by.keySet()) {
            if (n > MOST_PARAMETERS) continue;
            String line = common(by.get(n));
            if (!line.equals(all) && !covers(all, line)) out.put(name + "#" + n, line);
        }
    }

    /** Reports whether a line says the same as one that takes any number of what this one takes. */
    static boolean covers(String all, String line) {
        int open = all.indexOf(" ("), end = all.indexOf("...)");
        if (open < 0 || end < 0 || all.substring(open).contains(",")) return false;
        String one = all.substring(open + 2, end);
        int from = line.indexOf(" (");
        return from > 0 && line.substring(0, from).equals(all.substring(0, open))
                && Stream.of(line.substring(from + 2, line.length() - 1).split(", ")).allMatch(p -> p.equals(one));
    }

    /** What overloads of one number of parameters give alike, and where it matters of what. */
    static String common(Collection<Member> overloads) {
        if (overloads.isEmpty()) return "";
        Member first = overloads.iterator().next();
        List<String> params = new ArrayList<>(first.parameters);
        boolean told = false;
        for (Member m : overloads) {
            if (!m.result.equals(first.result)) return "";
            told = told || m.told;
            for (int i = 0; i < params.size() && i < m.parameters.size(); i++) {
                String a = params.get(i), b = m.parameters.get(i);
                if (!a.equals(b)) params.set(i, b.equals(a + "...") ? b : a.equals(b + "...") ? a : "_");
            }
        }
        return first.result + (told ? " (" + String.join(", ", params) + ")" : "");
    }

    /** The one method of an interface that has no body. */
    static Optional<Method> only(Class<?> c) {
        if (!c.isInterface()) return Optional.empty();
        List<Method> open = Stream.of(c.getMethods()).filter(m -> Modifier.isAbstract(m.getModifiers()) && !ofObject(m)).toList();
        return open.size() == 1 ? Optional.of(open.get(0)) : Optional.empty();
    }

    String function(Method m) {
        Map<String, String> own = new HashMap<>();
        for (TypeVariable<?> p : m.getDeclaringClass().getTypeParameters()) own.put(p.getName(), p.getName());
        List<String> params = Stream.of(m.getGenericParameterTypes()).map(t -> text(t, own)).toList();
        return text(m.getGenericReturnType(), own) + " (" + String.join(", ", params) + ")";
    }

    static Class<?> raw(Type t) {
        if (t instanceof Class<?> c) return c;
        if (t instanceof ParameterizedType p) return (Class<?>) p.getRawType();
        return Object.class;
    }

    /** A type as the table writes it: by its last name, "_" where the table does not have it. */
    String text(Type t, Map<String, String> env) {
        if (t instanceof Class<?> c) {
            if (c.isArray()) return text(c.getComponentType(), env) + "[]";
            if (c.isPrimitive()) return c.getName();
            return types.get(c.getSimpleName()) == c ? c.getSimpleName() : "_";
        }
        if (t instanceof GenericArrayType a) return text(a.getGenericComponentType(), env) + "[]";
        if (t instanceof TypeVariable<?> v) {
            if (v.getGenericDeclaration() instanceof Class<?>) return env.getOrDefault(v.getName(), v.getName());
            return "$" + v.getName();
        }
        if (t instanceof WildcardType w) {
            if (w.getLowerBounds().length > 0) return text(w.getLowerBounds()[0], env);
            return w.getUpperBounds()[0] == Object.class ? "?" : text(w.getUpperBounds()[0], env);
        }
        ParameterizedType p = (ParameterizedType) t;
        String head = text(p.getRawType(), env);
        if (head.equals("_")) return head;
        return head + "<" + Stream.of(p.getActualTypeArguments()).map(a -> text(a, env)).collect(Collectors.joining(", ")) + ">";
    }
}
