import com.intellij.openapi.util.Disposer;
import com.intellij.psi.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys;
import org.jetbrains.kotlin.cli.common.config.ContentRootsKt;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jetbrains.kotlin.cli.jvm.compiler.*;
import org.jetbrains.kotlin.cli.jvm.config.JvmContentRootsKt;
import org.jetbrains.kotlin.config.*;
import org.jetbrains.kotlin.descriptors.*;
import org.jetbrains.kotlin.descriptors.impl.*;
import org.jetbrains.kotlin.lexer.KtTokens;
import org.jetbrains.kotlin.psi.*;
import org.jetbrains.kotlin.resolve.*;
import org.jetbrains.kotlin.resolve.calls.callUtil.CallUtilKt;
import org.jetbrains.kotlin.resolve.calls.model.*;
import org.jetbrains.kotlin.resolve.scopes.receivers.ExpressionReceiver;
import org.jetbrains.kotlin.types.ErrorUtils;

/**
 * Tells what each call in a repository's Kotlin sources means, as the front
 * end of kotlinc resolves it, with its standard library.
 *
 * <p>{@code java -cp 'kotlinc/lib/*' Kotlin.java ROOT} prints one line of JSON
 * a call site, as Java.java does. Sources of all modules are
 * one module here; those for another platform than the JVM are left out. What
 * this version of the language does not know, and what depends on absent
 * libraries, is unknown.
 */
public class Kotlin {
    /** Source sets of other platforms, which declare the same names again. */
    static final Pattern FOREIGN = Pattern.compile(
            "(?i)(?!common|jvm|concurrent|android)(js|native|wasm.*|web|ios|macos|apple|darwin|linux|mingw|windows|tvos|watchos|posix|unix|nonJvm|jsAndWasm.*)(X64|Arm64|Shared)?(Main|Test)|js|wasm|native");

    final Path root;
    final SortedMap<String, String> lines = new TreeMap<>();
    BindingContext context;

    Kotlin(Path root) {
        this.root = root;
    }

    public static void main(String[] args) throws IOException {
        Kotlin oracle = new Kotlin(Path.of(args[0]).toRealPath());
        oracle.analyze(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(p -> p.matches(".*/kotlin-(stdlib|reflect|test).*")).map(File::new).toList());
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        oracle.lines.values().forEach(out::println);
        out.flush();
        System.exit(0); // the environment's threads need not be waited for
    }

    /** Files on which the compiler fails: they are left out. */
    final Set<Path> broken = new HashSet<>();

    void analyze(List<File> libraries) throws IOException {
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.Companion.getNONE());
        configuration.put(CommonConfigurationKeys.MODULE_NAME, "all");
        configuration.put(CommonConfigurationKeys.LANGUAGE_VERSION_SETTINGS, settings());
        configuration.put(JVMConfigurationKeys.JDK_HOME, new File(System.getProperty("java.home")));
        JvmContentRootsKt.addJvmClasspathRoots(configuration, libraries);
        for (Path p : sources(".kt")) {
            if (broken.contains(p)) {
                continue;
            }
            ContentRootsKt.addKotlinSourceRoot(configuration, p.toString());
        }
        for (Path p : javaRoots()) {
            JvmContentRootsKt.addJavaSourceRoot(configuration, p.toFile(), null);
        }
        KotlinCoreEnvironment environment = KotlinCoreEnvironment.createForProduction(
                Disposer.newDisposable(), configuration, EnvironmentConfigFiles.JVM_CONFIG_FILES);
        try {
            context = TopDownAnalyzerFacadeForJVM.analyzeFilesWithJavaIntegration(environment.getProject(), environment.getSourceFiles(),
                    new CliBindingTrace(), configuration, environment::createPackagePartProvider).getBindingContext();
        } catch (RuntimeException e) {
            Matcher m = Pattern.compile(" in (/\\S+\\.kt)").matcher(String.valueOf(e.getMessage()));
            if (!m.find() || !broken.add(Path.of(m.group(1)))) {
                throw e;
            }
            analyze(libraries);
            return;
        }
        for (KtFile f : environment.getSourceFiles()) {
            f.accept(new Platforms());
        }
        for (KtFile f : environment.getSourceFiles()) {
            f.accept(new Reader());
        }
    }

    /** Declarations of one thing for several platforms, by name and number of parameters. */
    final Map<String, SortedSet<String>> editions = new HashMap<>();

    /** Classes that several modules declare, which are one module here: who means which is not known. */
    final Set<String> declared = new HashSet<>(), twice = new HashSet<>();

    boolean ambiguous(CallableDescriptor callee) {
        for (DeclarationDescriptor at = callee; at != null; at = at.getContainingDeclaration()) {
            if (at instanceof ClassDescriptor && twice.contains(DescriptorUtils.getFqName(at).asString())) {
                return true;
            }
        }
        return false;
    }

    static String edition(PsiElement e) {
        if (!(e instanceof KtNamedDeclaration d) || d.getFqName() == null) {
            return null;
        }
        for (PsiElement at = e; at instanceof KtNamedDeclaration || at instanceof KtClassBody; at = at.getParent()) {
            if (at instanceof KtModifierListOwner o && (o.hasModifier(KtTokens.EXPECT_KEYWORD) || o.hasModifier(KtTokens.ACTUAL_KEYWORD))) {
                return d.getFqName() + (e instanceof KtFunction f ? "/" + f.getValueParameters().size() : "");
            }
        }
        return null;
    }

    /** Finds what a file declares for several platforms. */
    class Platforms extends KtTreeVisitorVoid {
        @Override public void visitNamedDeclaration(KtNamedDeclaration d) {
            if (d instanceof KtClassOrObject && d.getFqName() != null && edition(d) == null && !declared.add(d.getFqName().asString())) {
                twice.add(d.getFqName().asString());
            }
            String key = edition(d);
            if (key != null && d.getNameIdentifier() != null) {
                editions.computeIfAbsent(key, k -> new TreeSet<>()).add(at(d.getNameIdentifier()));
            }
            super.visitNamedDeclaration(d);
        }
    }

    static LanguageVersionSettings settings() {
        Map<LanguageFeature, LanguageFeature.State> features = new EnumMap<>(LanguageFeature.class);
        for (LanguageFeature f : List.of(LanguageFeature.MultiPlatformProjects, LanguageFeature.InlineClasses, LanguageFeature.NewInference)) {
            features.put(f, LanguageFeature.State.ENABLED);
        }
        return new LanguageVersionSettingsImpl(LanguageVersion.KOTLIN_1_4, ApiVersion.KOTLIN_1_3, Map.of(), features);
    }

    List<Path> sources(String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(p -> p.toString().endsWith(suffix) && Files.isRegularFile(p))
                    .filter(p -> StreamSupport.stream(root.relativize(p).spliterator(), false)
                            .noneMatch(e -> e.toString().startsWith(".") || FOREIGN.matcher(e.toString()).matches()))
                    .sorted().toList();
        }
    }

    static final Pattern PACKAGE = Pattern.compile("(?m)^package\\s+([\\w.]+)");

    Set<Path> javaRoots() throws IOException {
        Set<Path> roots = new LinkedHashSet<>();
        for (Path p : sources(".java")) {
            Matcher m = PACKAGE.matcher(Files.readString(p, StandardCharsets.UTF_8));
            Path dir = p.getParent(), below = Path.of(m.find() ? m.group(1).replace('.', '/') : "");
            if (!below.toString().isEmpty() && dir.endsWith(below)) {
                for (int i = 0; i < below.getNameCount(); i++) {
                    dir = dir.getParent();
                }
                roots.add(dir);
            }
        }
        return roots;
    }

    static String quote(String s) {
        return '"' + s.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** "path:line" of a name. */
    String at(PsiElement name) {
        int[] where = position(name);
        return "{\"file\":" + quote(path(name)) + ",\"line\":" + where[0] + "}";
    }

    String path(PsiElement e) {
        return root.relativize(Path.of(e.getContainingFile().getVirtualFile().getPath())).toString();
    }

    /** 1-based line and column, in bytes, of an element's start. */
    static int[] position(PsiElement e) {
        String text = e.getContainingFile().getText();
        int at = e.getTextRange().getStartOffset();
        int start = text.lastIndexOf('\n', at - 1) + 1;
        int line = 1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
        return new int[] {line, text.substring(start, at).getBytes(StandardCharsets.UTF_8).length + 1};
    }

    /** Finds the calls of one file. */
    class Reader extends KtTreeVisitorVoid {
        @Override public void visitCallExpression(KtCallExpression e) {
            KtExpression callee = e.getCalleeExpression();
            while (callee instanceof KtParenthesizedExpression p) {
                callee = p.getExpression();
            }
            if (callee instanceof KtSimpleNameExpression name) {
                judge(name.getReferencedNameElement(), CallUtilKt.getResolvedCall(e, context));
            }
            super.visitCallExpression(e);
        }

        @Override public void visitBinaryExpression(KtBinaryExpression e) {
            PsiElement name = e.getOperationReference().getReferencedNameElement();
            if (e.getOperationReference().getReferencedNameElementType() == KtTokens.IDENTIFIER) {
                judge(name, CallUtilKt.getResolvedCall(e, context));
            }
            super.visitBinaryExpression(e);
        }

        @Override public void visitCallableReferenceExpression(KtCallableReferenceExpression e) {
            judge(e.getCallableReference().getReferencedNameElement(), CallUtilKt.getResolvedCall(e.getCallableReference(), context));
            super.visitCallableReferenceExpression(e);
        }

        @Override public void visitSuperTypeCallEntry(KtSuperTypeCallEntry e) {
            KtSimpleNameExpression name = e.getCalleeExpression().getConstructorReferenceExpression();
            if (e.getParent().getParent() instanceof KtEnumEntry entry) {
                judge(entry.getNameIdentifier(), CallUtilKt.getResolvedCall(e, context));
            } else if (name != null) {
                judge(name.getReferencedNameElement(), CallUtilKt.getResolvedCall(e, context));
            }
            super.visitSuperTypeCallEntry(e);
        }

        @Override public void visitConstructorDelegationCall(KtConstructorDelegationCall e) {
            if (!e.isImplicit()) {
                judge(e.getCalleeExpression(), CallUtilKt.getResolvedCall(e, context));
            }
            super.visitConstructorDelegationCall(e);
        }

        @Override public void visitAnnotationEntry(KtAnnotationEntry e) {
            KtSimpleNameExpression name = e.getCalleeExpression() == null ? null : e.getCalleeExpression().getConstructorReferenceExpression();
            ResolvedCall<?> call = CallUtilKt.getResolvedCall(e, context);
            if (name != null && !(call != null && call.getStatus().isSuccess() && classify(call, new TreeSet<>()).equals("external"))) {
                judge(name.getReferencedNameElement(), call);
            }
            super.visitAnnotationEntry(e);
        }

        void judge(PsiElement name, ResolvedCall<?> call) {
            SortedSet<String> targets = new TreeSet<>();
            String kind = "unknown", module = "";
            if (call != null && call.getStatus().isSuccess()) {
                kind = classify(call, targets);
                if (kind.equals("external")) {
                    module = DescriptorUtils.getParentOfType(call.getResultingDescriptor(), PackageFragmentDescriptor.class, false).getFqName().asString();
                }
            }
            int[] where = position(name);
            String line = "{\"file\":" + quote(path(name)) + ",\"line\":" + where[0] + ",\"column\":" + where[1] + ",\"name\":" + quote(name.getText().replace("`", ""))
                    + ",\"class\":" + quote(kind) + (targets.isEmpty() ? "" : ",\"targets\":[" + String.join(",", targets) + "]")
                    + (module.isEmpty() ? "" : ",\"module\":" + quote(module)) + "}";
            lines.put(String.format("%s\0%09d %09d", path(name), where[0], where[1]), line);
        }
    }

    String classify(ResolvedCall<?> call, Set<String> targets) {
        CallableDescriptor callee = call.getResultingDescriptor();
        if (call instanceof VariableAsFunctionResolvedCall invoked) {
            callee = invoked.getFunctionCall().getResultingDescriptor();
            if (mark(callee, targets).equals("external")) {
                return member(invoked.getVariableCall().getResultingDescriptor(), targets) ? "interface" : "value";
            }
        }
        if (ErrorUtils.isError(callee) || ambiguous(callee)) {
            targets.clear();
            return "unknown";
        }
        if (callee.getName().asString().equals("invoke") && call.getDispatchReceiver() instanceof ExpressionReceiver function
                && callee.getContainingDeclaration().getName().asString().contains("Function")) {
            ResolvedCall<?> held = CallUtilKt.getResolvedCall(function.getExpression(), context); // job.done of job.done.invoke(1)
            if (held != null && member(held.getResultingDescriptor(), targets)) {
                return "interface";
            }
        }
        return callee instanceof VariableDescriptor ? "value" : mark(callee, targets);
    }

    /** Adds the property of a class that holds a function on which a call ends, and says whether it is one. */
    boolean member(CallableDescriptor held, Set<String> targets) {
        if (held instanceof PropertyDescriptor property && property.getContainingDeclaration() instanceof ClassDescriptor && property.getExtensionReceiverParameter() == null) {
            name(DescriptorToSourceUtils.descriptorToDeclaration(DescriptorUtils.unwrapFakeOverride(property).getOriginal()), targets);
        }
        return !targets.isEmpty();
    }

    /** Adds the lines of the names that declare a callee, and says what it is. */
    String mark(CallableDescriptor callee, Set<String> targets) {
        callee = DescriptorUtils.unwrapFakeOverride((CallableMemberDescriptor) callee).getOriginal();
        if (callee instanceof CallableMemberDescriptor m && m.getKind() == CallableMemberDescriptor.Kind.SYNTHESIZED && !(callee instanceof ConstructorDescriptor)
                && !callee.getClass().getSimpleName().contains("Sam")) {
            return "unknown"; // copy, componentN, values: no source declares them
        }
        if (callee instanceof TypeAliasConstructorDescriptor alias) {
            name(DescriptorToSourceUtils.descriptorToDeclaration(alias.getTypeAliasDescriptor()), targets);
            callee = alias.getUnderlyingConstructorDescriptor();
        }
        name(DescriptorToSourceUtils.descriptorToDeclaration(callee), targets);
        if (callee instanceof ConstructorDescriptor made) {
            name(DescriptorToSourceUtils.descriptorToDeclaration(made.getConstructedClass()), targets);
        }
        if (targets.isEmpty()) {
            return "external";
        }
        if (callee instanceof ConstructorDescriptor || !(callee.getContainingDeclaration() instanceof ClassDescriptor owner)) {
            return "static";
        }
        return owner.getKind() == ClassKind.INTERFACE || ((CallableMemberDescriptor) callee).getModality() == Modality.ABSTRACT ? "interface" : "static";
    }

    void name(PsiElement declaration, Set<String> targets) {
        PsiElement name = declaration;
        if (declaration instanceof KtSecondaryConstructor c) {
            name = c.getConstructorKeyword();
        } else if (declaration instanceof KtPrimaryConstructor c) {
            name = c.getContainingClassOrObject().getNameIdentifier();
        } else if (declaration instanceof PsiNameIdentifierOwner owner && owner.getNameIdentifier() != null) {
            name = owner.getNameIdentifier();
        }
        if (name != null && name.getContainingFile() != null && name.getContainingFile().getVirtualFile() != null
                && Path.of(name.getContainingFile().getVirtualFile().getPath()).startsWith(root) && !(name.getContainingFile() instanceof PsiCompiledElement)) {
            targets.add(at(name));
            targets.addAll(editions.getOrDefault(edition(declaration), Collections.emptySortedSet()));
        }
    }
}
