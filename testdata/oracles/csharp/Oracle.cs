using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

// Oracle asks the C# compiler what each call site of a work tree binds to, and
// writes one JSON line a site. Every project file is compiled with the projects
// that it refers to, for the newest framework that it names; packages are absent,
// so that what hangs from their types is "unknown".
public static class Oracle
{
    static readonly string root = Path.GetFullPath(Environment.GetEnvironmentVariable("ORACLE_ROOT"));
    static readonly SortedDictionary<(string File, int Line, int Column, string Name), string> lines = new();

    public static int Run()
    {
        var framework = Directory.GetFiles(Environment.GetEnvironmentVariable("ORACLE_REFERENCES"), "*.dll")
            .Where(f => Path.GetFileName(f) is var n && (n.StartsWith("System.") || n is "netstandard.dll" or "mscorlib.dll" or "Microsoft.CSharp.dll" or "Microsoft.Win32.Primitives.dll"))
            .Select(f => (MetadataReference)MetadataReference.CreateFromFile(f)).ToArray();
        var solution = new Solution(root, framework);
        foreach (var project in solution.Projects.Values.OrderBy(p => p.Path, StringComparer.Ordinal))
        {
            var compilation = solution.Compile(project);
            foreach (var tree in compilation.SyntaxTrees.Where(t => t.FilePath != ""))
                new Sites(root, compilation.GetSemanticModel(tree), lines).Visit(tree.GetRoot());
        }
        using var output = new StreamWriter(Environment.GetEnvironmentVariable("ORACLE_OUTPUT"));
        foreach (var line in lines.OrderBy(l => l.Key.File, StringComparer.Ordinal).ThenBy(l => l.Key.Line).ThenBy(l => l.Key.Column))
            output.Write(line.Value + "\n");
        return 0;
    }
}

// Project is one .csproj: its own sources and what it refers to.
class Project
{
    public string Path, Name;
    public List<string> References = new(), Sources = new(), Usings = new();
    public List<string> Symbols = new();
    public CSharpCompilation Compilation;
    public bool Busy;
}

// Solution reads the project files of a work tree, as far as a compilation
// depends on them.
class Solution
{
    public readonly Dictionary<string, Project> Projects = new();
    readonly MetadataReference[] framework;
    readonly string root;

    public Solution(string root, MetadataReference[] framework)
    {
        this.root = root;
        this.framework = framework;
        var files = Files(root).ToArray();
        foreach (var path in files.Where(f => f.EndsWith(".csproj")))
            Projects[path] = Read(path);
        var folders = Projects.Values.GroupBy(p => Path.GetDirectoryName(p.Path)).ToDictionary(g => g.Key, g => g.ToArray());
        foreach (var file in files.Where(f => f.EndsWith(".cs")))
            for (var folder = Path.GetDirectoryName(file); folder != null && folder.Length >= root.Length; folder = Path.GetDirectoryName(folder))
                if (folders.TryGetValue(folder, out var owners))
                {
                    foreach (var owner in owners) owner.Sources.Add(file);
                    break;
                }
    }

    static IEnumerable<string> Files(string folder)
    {
        foreach (var f in Directory.GetFiles(folder).OrderBy(f => f, StringComparer.Ordinal)) yield return f;
        foreach (var d in Directory.GetDirectories(folder).OrderBy(d => d, StringComparer.Ordinal))
            if (new DirectoryInfo(d).LinkTarget == null && Path.GetFileName(d) is not (".git" or "obj" or "node_modules"))
                foreach (var f in Files(d)) yield return f;
    }

    // Read takes properties from the project file and from every
    // Directory.Build.props above it, without regard to conditions.
    Project Read(string path)
    {
        var folder = Path.GetDirectoryName(path);
        var project = new Project { Path = path, Name = Path.GetFileNameWithoutExtension(path) };
        var documents = new List<XElement> { Load(path) };
        for (var d = folder; d != null && d.Length >= root.Length; d = Path.GetDirectoryName(d))
            foreach (var name in new[] { "Directory.Build.props", "Directory.Build.targets" })
                if (File.Exists(Path.Combine(d, name)))
                    documents.Add(Load(Path.Combine(d, name)));
        var all = documents.SelectMany(d => d.Descendants()).ToArray();
        string Property(string name) => all.FirstOrDefault(e => e.Name.LocalName == name)?.Value ?? "";

        foreach (var e in documents[0].Descendants().Where(e => e.Name.LocalName == "ProjectReference"))
            if ((string)e.Attribute("Include") is { } include)
                project.References.Add(Path.GetFullPath(Path.Combine(folder, include.Replace('\\', '/'))));
        foreach (var e in all.Where(e => e.Name.LocalName == "DefineConstants"))
            project.Symbols.AddRange(e.Value.Split(';', ',').Select(s => s.Trim()).Where(s => Regex.IsMatch(s, @"^\w+$")));
        project.Symbols.AddRange(Framework(Property("TargetFrameworks") + ";" + Property("TargetFramework")));
        if (Property("ImplicitUsings").Trim().ToLowerInvariant() is "enable" or "true")
        {
            project.Usings.AddRange(new[] { "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading", "System.Threading.Tasks" });
            if (((string)documents[0].Attribute("Sdk") ?? "").EndsWith(".Web"))
                project.Usings.AddRange(new[] { "System.Net.Http.Json", "Microsoft.AspNetCore.Builder", "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Http",
                    "Microsoft.AspNetCore.Routing", "Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Hosting", "Microsoft.Extensions.Logging" });
        }
        foreach (var e in all.Where(e => e.Name.LocalName == "Using"))
            if ((string)e.Attribute("Include") is { } name)
                project.Usings.Add((string)e.Attribute("Alias") is { } alias ? alias + " = " + name
                    : (string)e.Attribute("Static") is { } s && s.ToLowerInvariant() == "true" ? "static " + name : name);
        return project;
    }

    static XElement Load(string path)
    {
        try { return XElement.Load(path); }
        catch (System.Xml.XmlException) { return new XElement("Project"); }
    }

    // Framework gives the symbols that the SDK defines for the newest framework
    // of the list; a project that names none that is new is compiled as if for
    // the framework at hand, whose symbols it then does not test for.
    static IEnumerable<string> Framework(string names)
    {
        var found = Regex.Matches(names, @"\bnet(\d+)\.0").Select(m => int.Parse(m.Groups[1].Value)).DefaultIfEmpty(0).Max();
        if (found >= 5)
        {
            yield return "NET";
            yield return "NETCOREAPP";
            for (int v = 5; v <= found; v++) yield return $"NET{v}_0_OR_GREATER";
            foreach (var v in new[] { "2_0", "2_1", "3_0", "3_1" }) yield return $"NETCOREAPP{v}_OR_GREATER";
            yield return $"NET{found}_0";
        }
        else if (Regex.IsMatch(names, @"netstandard2\.[01]"))
        {
            yield return "NETSTANDARD";
            yield return "NETSTANDARD2_0_OR_GREATER";
            yield return names.Contains("netstandard2.1") ? "NETSTANDARD2_1" : "NETSTANDARD2_0";
        }
        else if (Regex.IsMatch(names, @"net4\d"))
            yield return "NETFRAMEWORK";
    }

    public CSharpCompilation Compile(Project project)
    {
        if (project.Compilation != null) return project.Compilation;
        project.Busy = true;
        var references = new Dictionary<string, Project>();
        Close(project, references);
        var metadata = framework.Concat(references.Values.Where(p => !p.Busy).Select(p => (MetadataReference)Compile(p).ToMetadataReference()));

        var parse = new CSharpParseOptions(LanguageVersion.Preview, preprocessorSymbols: project.Symbols.Append("DEBUG").Append("TRACE"));
        var trees = project.Sources.Select(f => CSharpSyntaxTree.ParseText(File.ReadAllText(f), parse, f, Encoding.UTF8)).ToList();
        var usings = string.Concat(project.Usings.Distinct().Select(u => $"global using {u};\n"));
        var friends = string.Concat(Projects.Values.Where(p => p != project).Select(p => p.Name).Distinct()
            .Select(n => $"[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"{n}\")]\n"));
        trees.Add(CSharpSyntaxTree.ParseText(usings + friends, parse));
        project.Compilation = CSharpCompilation.Create(project.Name, trees, metadata,
            new CSharpCompilationOptions(OutputKind.ConsoleApplication, allowUnsafe: true, concurrentBuild: false));
        project.Busy = false;
        return project.Compilation;
    }

    void Close(Project project, Dictionary<string, Project> into)
    {
        foreach (var path in project.References)
            if (Projects.TryGetValue(path, out var other) && into.TryAdd(path, other))
                Close(other, into);
    }
}

// Sites writes what the call sites of one file bind to. An attribute is none: the
// runtime constructs it where something asks for it, and call_graph does not count it.
class Sites : CSharpSyntaxWalker
{
    readonly string root, file;
    readonly SemanticModel model;
    readonly SortedDictionary<(string File, int Line, int Column, string Name), string> lines;

    public Sites(string root, SemanticModel model, SortedDictionary<(string File, int Line, int Column, string Name), string> lines)
    {
        (this.root, this.model, this.lines) = (root, model, lines);
        file = Path.GetRelativePath(root, model.SyntaxTree.FilePath);
    }

    public override void VisitInvocationExpression(InvocationExpressionSyntax node)
    {
        var callee = node.Expression;
        while (callee is ParenthesizedExpressionSyntax p) callee = p.Expression;
        if (callee is PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } bang) callee = bang.Operand;
        var name = callee switch
        {
            SimpleNameSyntax n => n.Identifier,
            MemberAccessExpressionSyntax m => m.Name.Identifier,
            MemberBindingExpressionSyntax m => m.Name.Identifier,
            _ => default,
        };
        if (name != default && !(model.GetOperation(node) is Microsoft.CodeAnalysis.Operations.INameOfOperation))
            Write(name, model.GetSymbolInfo(node), model.GetSymbolInfo(callee), Holder(callee));
        base.VisitInvocationExpression(node);
    }

    // Holder is the field, property or event whose function a call runs: Done of
    // Done(1), this.Done(1) and Done?.Invoke(1).
    ISymbol Holder(ExpressionSyntax callee)
    {
        var symbol = model.GetSymbolInfo(callee).Symbol;
        if (symbol is IMethodSymbol { MethodKind: MethodKind.DelegateInvoke })
        {
            var of = callee is MemberAccessExpressionSyntax m ? m.Expression : callee.FirstAncestorOrSelf<ConditionalAccessExpressionSyntax>()?.Expression;
            while (of is PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } bang) of = bang.Operand;
            symbol = of == null ? null : model.GetSymbolInfo(of).Symbol;
        }
        var type = symbol switch { IFieldSymbol f => f.Type, IEventSymbol e => e.Type, IPropertySymbol { IsIndexer: false } p => p.Type, _ => null };
        return type?.TypeKind == TypeKind.Delegate ? symbol.OriginalDefinition : null;
    }

    public override void VisitObjectCreationExpression(ObjectCreationExpressionSyntax node)
    {
        if (Last(node.Type) is { } name && name != default) Write(name, model.GetSymbolInfo(node));
        base.VisitObjectCreationExpression(node);
    }

    public override void VisitImplicitObjectCreationExpression(ImplicitObjectCreationExpressionSyntax node)
    {
        Write(node.NewKeyword, model.GetSymbolInfo(node));
        base.VisitImplicitObjectCreationExpression(node);
    }

    public override void VisitConstructorInitializer(ConstructorInitializerSyntax node)
    {
        Write(node.ThisOrBaseKeyword, model.GetSymbolInfo(node));
        base.VisitConstructorInitializer(node);
    }

    public override void VisitPrimaryConstructorBaseType(PrimaryConstructorBaseTypeSyntax node)
    {
        Write(Last(node.Type), model.GetSymbolInfo(node));
        base.VisitPrimaryConstructorBaseType(node);
    }

    static SyntaxToken Last(TypeSyntax type) => type switch
    {
        SimpleNameSyntax s => s.Identifier,
        QualifiedNameSyntax q => q.Right.Identifier,
        AliasQualifiedNameSyntax a => a.Name.Identifier,
        NullableTypeSyntax n => Last(n.ElementType),
        PredefinedTypeSyntax p => p.Keyword,
        _ => default,
    };

    // Write settles one site. A value that is called binds, as an invocation, to
    // its delegate's Invoke and, as an expression, to the variable. One that a
    // member of the work tree holds is a call of that member, which other code
    // gives the function, as an interface's method has its code elsewhere.
    void Write(SyntaxToken name, SymbolInfo bound, SymbolInfo callee = default, ISymbol holder = null)
    {
        var symbol = bound.Symbol;
        var targets = new SortedSet<(string, int)>();
        string kind = "unknown", module = "";
        if (callee.Symbol is IFieldSymbol or IPropertySymbol or IEventSymbol or ILocalSymbol or IParameterSymbol
            || symbol is IMethodSymbol { MethodKind: MethodKind.DelegateInvoke } || bound.CandidateReason == CandidateReason.LateBound)
        {
            kind = "value";
            Add(targets, holder);
            if (targets.Count > 0) kind = "interface";
        }
        else if (symbol is IMethodSymbol method && method.ContainingType?.TypeKind != TypeKind.Error)
        {
            method = (method.ReducedFrom ?? method).OriginalDefinition;
            Add(targets, method);
            Add(targets, method.PartialDefinitionPart);
            Add(targets, method.PartialImplementationPart);
            if (method.MethodKind == MethodKind.Constructor) Add(targets, method.ContainingType);
            kind = targets.Count == 0 ? "external" : method.ContainingType.TypeKind == TypeKind.Interface || method.IsAbstract ? "interface" : "static";
            if (targets.Count == 0) module = method.ContainingNamespace?.ToDisplayString() ?? "";
        }
        var at = name.GetLocation().GetLineSpan().StartLinePosition;
        var text = model.SyntaxTree.GetText().Lines[at.Line].ToString();
        int column = Encoding.UTF8.GetByteCount(text.AsSpan(0, at.Character)) + 1;
        var key = (file, at.Line + 1, column, name.ValueText);
        var line = JsonSerializer.Serialize(new Dictionary<string, object>
        {
            ["file"] = file, ["line"] = at.Line + 1, ["column"] = column, ["name"] = name.ValueText, ["class"] = kind,
            ["targets"] = targets.Select(t => new Dictionary<string, object> { ["file"] = t.Item1, ["line"] = t.Item2 }).ToArray(), ["module"] = module,
        }, options);
        // A file of several projects keeps the first answer that is one.
        if (!lines.TryGetValue(key, out var old) || old.Contains("\"class\":\"unknown\"")) lines[key] = line;
    }

    static readonly JsonSerializerOptions options = new() { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    void Add(SortedSet<(string, int)> targets, ISymbol symbol)
    {
        foreach (var location in symbol?.Locations ?? ImmutableArray<Location>.Empty)
            if (location.IsInSource && location.SourceTree.FilePath != "")
                targets.Add((Path.GetRelativePath(root, location.SourceTree.FilePath), location.GetLineSpan().StartLinePosition.Line + 1));
    }
}
