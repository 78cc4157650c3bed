import com.intellij.openapi.util.Disposer;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.stream.*;
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jetbrains.kotlin.cli.jvm.compiler.*;
import org.jetbrains.kotlin.cli.jvm.config.JvmContentRootsKt;
import org.jetbrains.kotlin.config.*;
import org.jetbrains.kotlin.descriptors.*;
import org.jetbrains.kotlin.name.*;
import org.jetbrains.kotlin.resolve.scopes.*;
import org.jetbrains.kotlin.types.*;

/**
 * Writes the table of the Kotlin standard library that the resolver reads:
 * members of its types, extensions by the type of their receiver, functions of
 * its packages.
 *
 * <p>{@code java -cp '/usr/share/kotlin/kotlinc/lib/*' KotlinLibrary.java > l2meta/languages/jvm/kotlin_library.txt}.
 * The comment in l2meta/languages/jvm/table.go tells what a line means.
 */
public class KotlinLibrary {
    /** The packages that programs use most; of types of one name the first counts. */
    static final List<String> PACKAGES = List.of("kotlin", "kotlin.collections", "kotlin.text", "kotlin.sequences", "kotlin.ranges",
            "kotlin.io", "kotlin.comparisons", "kotlin.reflect", "kotlin.properties", "kotlin.random", "kotlin.math", "kotlin.concurrent",
            "kotlin.coroutines", "kotlin.system", "kotlin.contracts", "kotlin.experimental");
    /** The packages that every file imports. */
    static final Set<String> IMPORTED = Set.of("kotlin", "kotlin.collections", "kotlin.text", "kotlin.sequences", "kotlin.ranges",
            "kotlin.io", "kotlin.comparisons");

    final Map<String, ClassDescriptor> types = new TreeMap<>();
    /** Type heads, with the lines of their members, by package. */
    final Map<String, Map<String, Map<String, List<Member>>>> packages = new TreeMap<>();

    record Member(List<String> parameters, String result, boolean told) {}

    public static void main(String[] args) throws Exception {
        KotlinLibrary library = new KotlinLibrary();
        library.read();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        out.print("# Kotlin " + KotlinCompilerVersion.VERSION.replace("-release", "") + ": written by testdata/oracles/KotlinLibrary.java\n");
        library.write(out);
        out.flush();
        System.exit(0); // the environment's threads need not be waited for
    }

    void read() {
        ModuleDescriptor module = module();
        for (String name : PACKAGES) {
            for (DeclarationDescriptor d : contents(module, name)) {
                if (d instanceof ClassDescriptor c && open(c)) types(c);
            }
        }
        for (ClassDescriptor c : types.values()) type(c);
        for (String name : PACKAGES) {
            for (DeclarationDescriptor d : contents(module, name)) {
                if (d instanceof CallableMemberDescriptor f && open(f)) function(name, f);
            }
        }
    }

    void types(ClassDescriptor c) {
        if (c.getKind() == ClassKind.ENUM_ENTRY || c.getKind() == ClassKind.ANNOTATION_CLASS || c.getName().asString().endsWith("Kt")) return;
        types.putIfAbsent(c.getName().asString(), c);
        for (DeclarationDescriptor d : c.getUnsubstitutedInnerClassesScope().getContributedDescriptors(DescriptorKindFilter.ALL, MemberScope.Companion.getALL_NAME_FILTER())) {
            if (d instanceof ClassDescriptor inner && open(inner) && !inner.isCompanionObject() && !inner.getName().asString().equals("Companion")) types(inner);
        }
    }

    ModuleDescriptor module() {
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.Companion.getNONE());
        configuration.put(CommonConfigurationKeys.MODULE_NAME, "all");
        configuration.put(JVMConfigurationKeys.JDK_HOME, new File(System.getProperty("java.home")));
        JvmContentRootsKt.addJvmClasspathRoots(configuration, Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(p -> p.matches(".*/kotlin-stdlib(-jdk[78])?(-[0-9.]*)?\\.jar")).map(File::new).toList());
        KotlinCoreEnvironment environment = KotlinCoreEnvironment.createForProduction(
                Disposer.newDisposable(), configuration, EnvironmentConfigFiles.JVM_CONFIG_FILES);
        return TopDownAnalyzerFacadeForJVM.analyzeFilesWithJavaIntegration(environment.getProject(), List.of(),
                new CliBindingTrace(), configuration, environment::createPackagePartProvider).getModuleDescriptor();
    }

    static Collection<DeclarationDescriptor> contents(ModuleDescriptor module, String name) {
        return module.getPackage(new FqName(name)).getMemberScope()
                .getContributedDescriptors(DescriptorKindFilter.ALL, MemberScope.Companion.getALL_NAME_FILTER());
    }

    static boolean open(DeclarationDescriptorWithVisibility d) {
        return d.getVisibility() == Visibilities.PUBLIC || d.getVisibility() == Visibilities.PROTECTED;
    }

    Map<String, List<Member>> block(String pkg, String head) {
        return packages.computeIfAbsent(pkg, k -> new TreeMap<>()).computeIfAbsent(head, k -> new TreeMap<>());
    }

    static String pkg(ClassDescriptor c) {
        return org.jetbrains.kotlin.resolve.DescriptorUtils.getParentOfType(c, PackageFragmentDescriptor.class).getFqName().asString();
    }

    String head(ClassDescriptor c) {
        if (pkg(c).startsWith("java.")) return c.getName().asString(); // the table of the JDK has the rest
        String params = c.getDeclaredTypeParameters().stream().map(p -> p.getName().asString()).collect(Collectors.joining(", "));
        String bases = c.getTypeConstructor().getSupertypes().stream().map(t -> text(t, Set.of(), Map.of()))
                .filter(t -> !t.equals("Any") && !t.equals("_")).collect(Collectors.joining(", "));
        return c.getName() + (params.isEmpty() ? "" : "<" + params + ">") + (bases.isEmpty() ? "" : ": " + bases);
    }

    /** Takes in what a class and its companion declare. */
    void type(ClassDescriptor c) {
        Map<String, List<Member>> lines = block(pkg(c), head(c));
        scope(c, lines);
        if (c.getCompanionObjectDescriptor() != null) scope(c.getCompanionObjectDescriptor(), lines);
    }

    void scope(ClassDescriptor c, Map<String, List<Member>> lines) {
        for (DeclarationDescriptor d : c.getUnsubstitutedMemberScope().getContributedDescriptors(DescriptorKindFilter.ALL, MemberScope.Companion.getALL_NAME_FILTER())) {
            if (!(d instanceof CallableMemberDescriptor f) || !open(f)) continue;
            if (f.getKind() == CallableMemberDescriptor.Kind.FAKE_OVERRIDE) continue;
            lines.computeIfAbsent(name(f), k -> new ArrayList<>()).add(member(f, Set.copyOf(c.getDeclaredTypeParameters()), Map.of()));
        }
    }

    /** The name of a function, or of a property, which no call of a function means. */
    static String name(CallableDescriptor f) {
        return f.getName().asString() + (f instanceof FunctionDescriptor ? "" : "#val");
    }

    /** Takes in a function or property of a package: below the type that it extends, "_" for any type, "package" or the name of its package for none. */
    void function(String pkg, CallableDescriptor f) {
        ReceiverParameterDescriptor receiver = f.getExtensionReceiverParameter();
        if (receiver == null) {
            block("", IMPORTED.contains(pkg) ? "package" : pkg).computeIfAbsent(name(f), k -> new ArrayList<>()).add(member(f, Set.of(), Map.of()));
            return;
        }
        // One that every file imports has a dot before its name, another a colon.
        String name = (IMPORTED.contains(pkg) ? "." : ":") + name(f);
        KotlinType t = receiver.getType();
        ClassifierDescriptor of = t.getConstructor().getDeclarationDescriptor();
        Map<TypeParameterDescriptor, String> env = new HashMap<>();
        while (of instanceof TypeParameterDescriptor p) { // T.let { … }
            env.put(p, "$this");
            t = p.getUpperBounds().get(0);
            of = t.getConstructor().getDeclarationDescriptor();
            if (of instanceof ClassDescriptor c && c.getName().asString().equals("Any")) {
                block("", "_").computeIfAbsent(name, k -> new ArrayList<>()).add(member(f, Set.of(), env));
                return;
            }
        }
        if (!(of instanceof ClassDescriptor c) || types.get(c.getName().asString()) != c && !pkg(c).startsWith("java.")) return;
        List<TypeProjection> args = t.getArguments();
        for (int i = 0; i < args.size(); i++) {
            if (!args.get(i).isStarProjection() && args.get(i).getType().getConstructor().getDeclarationDescriptor() instanceof TypeParameterDescriptor p) {
                env.putIfAbsent(p, c.getDeclaredTypeParameters().get(i).getName().asString());
            }
        }
        block(pkg(c), head(c)).computeIfAbsent(name, k -> new ArrayList<>()).add(member(f, Set.of(), env));
    }

    Member member(CallableDescriptor f, Set<TypeParameterDescriptor> own, Map<TypeParameterDescriptor, String> env) {
        List<String> params = new ArrayList<>();
        boolean told = false;
        if (f instanceof FunctionDescriptor) {
            for (ValueParameterDescriptor p : f.getValueParameters()) {
                boolean spreads = p.getVarargElementType() != null;
                String text = text(spreads ? p.getVarargElementType() : p.getType(), own, env) + (spreads ? "..." : "");
                told = told || text.contains("->") || text.contains("$");
                params.add(text);
            }
        }
        String result = f.getReturnType() == null ? "" : text(f.getReturnType(), own, env);
        return new Member(params, result, (told || result.contains("$")) && f instanceof FunctionDescriptor);
    }

    /** A type as the table writes it: by its last name, "_" where the table does not have it. */
    String text(KotlinType t, Set<TypeParameterDescriptor> own, Map<TypeParameterDescriptor, String> env) {
        ClassifierDescriptor d = t.getConstructor().getDeclarationDescriptor();
        if (d instanceof TypeParameterDescriptor p) {
            return env.containsKey(p) ? env.get(p) : p.getContainingDeclaration() instanceof ClassDescriptor ? p.getName().asString() : "$" + p.getName();
        }
        if (!(d instanceof ClassDescriptor c)) return "_";
        List<TypeProjection> args = t.getArguments();
        List<String> texts = args.stream().map(a -> a.isStarProjection() ? "*" : text(a.getType(), own, env)).toList();
        String name = c.getName().asString();
        if (name.matches("(Suspend)?Function\\d+")) {
            boolean receiver = org.jetbrains.kotlin.builtins.FunctionTypesKt.isExtensionFunctionType(t);
            List<String> params = texts.subList(receiver ? 1 : 0, texts.size() - 1);
            return (receiver ? texts.get(0) + "." : "") + "(" + String.join(", ", params) + ") -> " + texts.get(texts.size() - 1);
        }
        if (types.get(name) != c && !pkg(c).startsWith("java.")) return "_";
        return name + (texts.isEmpty() ? "" : "<" + String.join(", ", texts) + ">");
    }

    void write(PrintStream out) {
        packages.forEach((pkg, heads) -> {
            out.print(pkg.isEmpty() ? "" : "package " + pkg + "\n");
            heads.forEach((head, lines) -> {
                out.print(head + "\n");
                lines.forEach((name, overloads) -> lines(name, overloads, out));
            });
        });
    }

    /** Writes what overloads have in common, and by the number of parameters where that tells more. */
    static void lines(String name, List<Member> overloads, PrintStream out) {
        Map<Integer, List<Member>> by = new TreeMap<>();
        for (Member m : overloads) by.computeIfAbsent(m.parameters.size(), k -> new ArrayList<>()).add(m);
        List<Member> spreading = overloads.stream().filter(m -> String.join(", ", m.parameters).endsWith("...")).toList();
        String all = common(overloads);
        if (!spreading.isEmpty() && !all.isEmpty()) all = common(spreading);
        out.print("\t" + (name + " " + all).trim() + "\n");
        if (name.endsWith("#val")) return;
        for (int n : by.keySet()) {
            String line = common(by.get(n));
            if (!line.equals(all)) out.print("\t" + (name + "#" + n + " " + line).trim() + "\n");
        }
    }

    static String common(Collection<Member> overloads) {
        Member first = overloads.iterator().next();
        List<String> params = new ArrayList<>(first.parameters);
        boolean told = false;
        boolean even = overloads.stream().allMatch(m -> m.parameters.size() == params.size());
        String result = first.result;
        for (Member m : overloads) {
            if (!m.result.equals(result)) return "";
            told = told || m.told;
            for (int i = 0; i < params.size() && i < m.parameters.size(); i++) {
                String a = params.get(i), b = m.parameters.get(i);
                if (!a.equals(b)) params.set(i, b.equals(a + "...") ? b : a.equals(b + "...") ? a : "_");
            }
        }
        return result + (told && even ? " (" + String.join(", ", params) + ")" : "");
    }
}
