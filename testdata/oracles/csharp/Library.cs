using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

// Oracle lists the public types of .NET's own assemblies and their members, as
// the package l2meta/library reads them. "Contains/1/2 bool" is a method that
// takes one or two arguments, "/+" any number; "!0" is a method's first type
// parameter, and "(Func<T, !0>) => !0" a signature: its parameters are written
// where they tell of type parameters or of what a lambda is handed, "_" else.
// "this IEnumerable<T>" has the methods that extend that type, and "Array<T>"
// is what an array is.
public static class Oracle
{
    // The first of two types of one name and number of parameters counts.
    static readonly string[] namespaces =
    {
        "System", "System.Collections.Generic", "System.Linq", "System.IO", "System.Threading.Tasks", "System.Threading", "System.Text",
        "System.Collections", "System.Collections.Concurrent", "System.Collections.Immutable", "System.Collections.Frozen",
        "System.Collections.ObjectModel", "System.Collections.Specialized", "System.ComponentModel", "System.ComponentModel.DataAnnotations",
        "System.Buffers", "System.Data", "System.Data.Common", "System.Diagnostics", "System.Dynamic", "System.Globalization",
        "System.IO.Compression", "System.IO.Pipelines", "System.Linq.Expressions", "System.Net", "System.Net.Http", "System.Net.Http.Headers",
        "System.Net.Http.Json", "System.Net.Mail", "System.Net.Sockets", "System.Reflection", "System.Resources", "System.Runtime.CompilerServices",
        "System.Runtime.ExceptionServices", "System.Runtime.Serialization", "System.Security.Claims", "System.Security.Cryptography",
        "System.Security.Principal", "System.Text.Encodings.Web", "System.Text.Json", "System.Text.Json.Nodes", "System.Text.Json.Serialization",
        "System.Text.RegularExpressions", "System.Threading.Channels", "System.Timers", "System.Web", "System.Xml",
        "System.Xml.Linq", "System.Xml.Serialization", "System.Xml.XPath",
    };

    // How the names of types begin that few programs use.
    static readonly string[] rare =
    {
        "AppDomain", "AsyncEnumerable", "Composite", "Cng", "Design", "DSA", "EC", "Half", "Int128", "JsonFormat", "License", "Manifest", "Masked", "MLDsa", "MLKem", "ParallelEnumerable",
        "ParallelQuery", "SHA3_", "Shake", "Slh", "SP800", "TupleExtensions", "UInt128", "Utf8Parser", "Utf8Formatter", "Vector", "WebClient",
        "XmlSerializationReader", "XmlSerializationWriter", "XmlDictionary",
    };
    const int mostParameters = 8;

    public static int Run()
    {
        var references = Directory.GetFiles(Environment.GetEnvironmentVariable("ORACLE_REFERENCES"), "System.*.dll")
            .Select(f => (MetadataReference)MetadataReference.CreateFromFile(f));
        var compilation = CSharpCompilation.Create("library", references: references);
        var types = namespaces.Select(n => (Name: n, Types: compilation.GlobalNamespace.Find(n).GetTypeMembers().Where(Counts).SelectMany(Nest).ToArray())).ToArray();

        using var output = new StreamWriter(Environment.GetEnvironmentVariable("ORACLE_OUTPUT"));
        output.Write($"# .NET {typeof(object).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>().InformationalVersion.Split('+')[0]}, by testdata/oracles/csharp/library.mjs\n");
        var seen = new HashSet<string>();
        foreach (var (name, members) in types)
        {
            output.Write($"package {name}\n");
            foreach (var type in members.OrderBy(t => t.Text(), StringComparer.Ordinal))
                if (seen.Add(type.Name() + "`" + type.Parameters().Count()))
                    Write(output, type.Text(), type.Bases(), type.GetMembers().Where(m => m is not IMethodSymbol { IsExtensionMethod: true }));
            if (name == "System")
                output.Write("Array<T>: Array, IList<T>, IReadOnlyList<T>\n\tthis T\n");
        }
        Extensions(output, types.SelectMany(t => t.Types));
        return 0;
    }

    static bool Counts(INamedTypeSymbol t) =>
        t.DeclaredAccessibility == Accessibility.Public && !t.Name.EndsWith("Attribute") && !rare.Any(t.Name.StartsWith)
        && t.Arity <= mostParameters && !t.IsTupleType
        && (t.ContainingNamespace.Name != "CompilerServices" || t.Name.Contains("Await") || t.Name is "ITuple" or "ConditionalWeakTable" or "RuntimeHelpers");

    static IEnumerable<INamedTypeSymbol> Nest(INamedTypeSymbol t) => t.GetTypeMembers().Where(Counts).SelectMany(Nest).Prepend(t);

    static void Write(TextWriter output, string head, string[] bases, IEnumerable<ISymbol> members, Func<IMethodSymbol, Signature> signature = null)
    {
        var lines = Lines(members, signature ?? (m => new Signature(m))).OrderBy(l => l, StringComparer.Ordinal).ToArray();
        output.Write(head + (bases.Length > 0 ? ": " + string.Join(", ", bases) : "") + "\n");
        foreach (var line in lines) output.Write($"\t{line}\n");
    }

    // Extensions writes the extension methods by the type that they extend; not
    // those of IEnumerable<XElement>, which a collection of others does not have.
    static void Extensions(TextWriter output, IEnumerable<INamedTypeSymbol> types)
    {
        var groups = types.Where(t => t.MightContainExtensionMethods).SelectMany(t => t.GetMembers().OfType<IMethodSymbol>())
            .Where(m => m.IsExtensionMethod && m.DeclaredAccessibility == Accessibility.Public && m.Parameters[0].Type is INamedTypeSymbol or IArrayTypeSymbol)
            .Where(m => Signature.Arguments(m.Parameters[0].Type).All(a => a.Argument is ITypeParameterSymbol { ConstraintTypes.Length: 0 } || a.Argument.IsValueType))
            .GroupBy(m => Signature.Extended(m)).Where(g => g.Key != null).OrderBy(g => g.Key, StringComparer.Ordinal);
        foreach (var group in groups)
            Write(output, "this " + group.Key, Array.Empty<string>(), group, m => new Signature(m, 1));
    }

    // Lines merges overloads: those of one number of arguments give what all of
    // them give, and those of one signature share a line.
    static IEnumerable<string> Lines(IEnumerable<ISymbol> members, Func<IMethodSymbol, Signature> signature)
    {
        var methods = new SortedDictionary<(string Name, int Count), List<Signature>>();
        foreach (var m in members.Where(m => m.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal))
        {
            var name = m.Name;
            if (m is IMethodSymbol method)
            {
                if (method.MethodKind is not (MethodKind.Ordinary or MethodKind.DelegateInvoke) || method.Same() || !m.CanBeReferencedByName) continue;
                var s = signature(method);
                foreach (var count in s.Counts)
                {
                    if (!methods.TryGetValue((name, count), out var list)) methods[(name, count)] = list = new();
                    list.Add(s);
                }
                continue;
            }
            var type = m switch
            {
                IPropertySymbol p when !p.ExplicitInterfaceImplementations.Any() && !p.Same() => p.Type,
                IFieldSymbol f when m.ContainingType.TypeKind != TypeKind.Enum => f.Type,
                IEventSymbol e when !e.ExplicitInterfaceImplementations.Any() => e.Type,
                _ => null,
            };
            if (type != null) yield return (name == "this[]" ? "this" : name) + " " + type.Text();
        }
        foreach (var line in methods.Select(m => (m.Key.Name, m.Key.Count, Text: Signature.Merge(m.Value))).GroupBy(m => (m.Name, m.Text)))
        {
            var counts = string.Concat(line.Select(m => m.Count == Signature.Any ? "/+" : "/" + m.Count));
            yield return (line.Key.Name + counts + " " + line.Key.Text).TrimEnd();
        }
    }
}

// Signature is what a method takes and gives.
class Signature
{
    public const int Any = int.MaxValue;
    public readonly List<int> Counts = new();
    readonly List<string> parameters = new();
    readonly string result;
    readonly HashSet<string> above;

    public Signature(IMethodSymbol m, int first = 0)
    {
        var names = m.TypeParameters.Select((p, i) => (p.Name, Text: "!" + i)).ToDictionary(p => p.Name, p => p.Text);
        bool concrete = false;
        if (first == 1)
            foreach (var (argument, parameter) in Arguments(m.Parameters[0].Type))
                if (argument is ITypeParameterSymbol t) names[t.Name] = parameter;
                else concrete = true;
        string Name(ITypeParameterSymbol p) => p.TypeParameterKind == TypeParameterKind.Method ? names[p.Name] : p.Name;

        result = concrete ? "" : m.ReturnType.Text(Name);
        above = m.ReturnType.Above().Select(t => t.Text(Name)).ToHashSet();
        foreach (var p in m.Parameters.Skip(first))
        {
            var text = p.Type.Text(Name);
            parameters.Add(text.Contains('!') || p.Type.IsDelegate() ? text : "_");
        }
        var own = m.Parameters.Skip(first).ToArray();
        for (int n = own.Count(p => !p.IsOptional && !p.IsParams); n <= own.Length; n++) Counts.Add(n);
        if (own.Any(p => p.IsParams)) Counts.Add(Any);
    }

    // Extended is the type that a method extends, as the head of a table's type.
    public static string Extended(IMethodSymbol m)
    {
        var type = m.Parameters[0].Type;
        if (type.IsTupleType) return null;
        var parameters = Arguments(type).Select(a => a.Parameter).ToArray();
        var name = type is IArrayTypeSymbol ? "Array" : ((INamedTypeSymbol)type).Name();
        return name + (parameters.Length > 0 ? "<" + string.Join(", ", parameters) + ">" : "");
    }

    public static (ITypeSymbol Argument, string Parameter)[] Arguments(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol a => new[] { (a.ElementType, "T") },
        INamedTypeSymbol n => n.TypeArguments.Zip(n.OriginalDefinition.TypeParameters, (a, p) => (a, p.Name)).ToArray(),
        _ => Array.Empty<(ITypeSymbol, string)>(),
    };

    // Merge is what overloads have in common: the result that all give, or that
    // one gives and the others derive from, and parameters where they agree.
    public static string Merge(List<Signature> all)
    {
        if (all.Any(s => s.result != "")) all = all.Where(s => s.result != "").ToList(); // Max<T>(IEnumerable<T>) goes before Max(IEnumerable<int>)
        var result = all.Select(s => s.result).FirstOrDefault(r => all.All(s => s.result == r || s.above.Contains(r)))
            ?? all.Select(s => s.result).Aggregate(Alike);
        if (result == "") return "";
        var merged = new List<string>();
        for (int i = 0; i < all.Max(s => s.parameters.Count); i++)
            merged.Add(all.Where(s => i < s.parameters.Count).Select(s => s.parameters[i]).Aggregate(Merge));
        while (merged.Count > 0 && merged[^1] == "_") merged.RemoveAt(merged.Count - 1);
        return merged.Count == 0 ? result : $"({string.Join(", ", merged)}) => {result}";
    }

    // Alike is Dictionary<!1, ?> for Dictionary<!1, T> and Dictionary<!1, !2>.
    static string Alike(string a, string b)
    {
        int open = a.IndexOf('<');
        if (open < 0 || !a.EndsWith('>') || !b.EndsWith('>') || !b.StartsWith(a[..(open + 1)])) return "";
        string[] x = a[(open + 1)..^1].Split(", "), y = b[(open + 1)..^1].Split(", ");
        if (x.Length != y.Length || x.Concat(y).Any(t => t.Contains('<') || t.Contains('('))) return "";
        return a[..(open + 1)] + string.Join(", ", x.Zip(y, (s, t) => s == t ? s : "?")) + ">";
    }

    // Merge keeps the longer of Func<T, R> and Func<T, int, R>.
    static string Merge(string a, string b)
    {
        if (a == b) return a;
        var (x, y) = a.Length < b.Length ? (a, b) : (b, a);
        if (x == "_") return y.StartsWith("Func<") || y.StartsWith("Action<") ? y : "_";
        var last = x.LastIndexOf(", ");
        return last > 0 && x.StartsWith("Func<") && y.StartsWith(x[..last] + ",") && y.EndsWith(x[last..])
            || x.StartsWith("Action<") && y.StartsWith(x[..^1] + ",") ? y : "_";
    }
}

static class Names
{
    public static INamespaceSymbol Find(this INamespaceSymbol n, string name) =>
        name.Split('.').Aggregate(n, (n, part) => n.GetNamespaceMembers().Single(m => m.Name == part));

    // Name is a type's name behind those of the types around it, or its keyword.
    public static string Name(this INamedTypeSymbol t)
    {
        if (t.SpecialType != SpecialType.None && t.ToDisplayString(NullableFlowState.None) is var keyword && !keyword.Contains('.')) return keyword;
        return t.ContainingType == null ? t.Name : t.ContainingType.Name() + "." + t.Name;
    }

    public static IEnumerable<ITypeSymbol> Parameters(this INamedTypeSymbol t) =>
        (t.ContainingType?.Parameters() ?? Enumerable.Empty<ITypeSymbol>()).Concat(t.TypeArguments);

    // Text is a type as C# writes it, without namespaces and marks of null.
    public static string Text(this ITypeSymbol t, Func<ITypeParameterSymbol, string> name = null) => t switch
    {
        IArrayTypeSymbol a => a.ElementType.Text(name) + "[" + new string(',', a.Rank - 1) + "]",
        ITypeParameterSymbol p => name == null ? p.Name : name(p),
        INamedTypeSymbol { IsTupleType: true } n => "(" + string.Join(", ", n.TupleElements.Select(e => e.Type.Text(name))) + ")",
        INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } n when n.TypeArguments[0] is not ITypeParameterSymbol => n.TypeArguments[0].Text(name) + "?",
        INamedTypeSymbol n => n.Name() + (n.Parameters().Any() ? "<" + string.Join(", ", n.Parameters().Select(p => p.Text(name))) + ">" : ""),
        IPointerTypeSymbol p => p.PointedAtType.Text(name) + "*",
        _ => "object",
    };

    public static string[] Bases(this INamedTypeSymbol t) =>
        (t.BaseType is { SpecialType: not SpecialType.System_Object } b ? new[] { b } : Array.Empty<INamedTypeSymbol>())
            .Concat(t.Interfaces.Where(i => i.DeclaredAccessibility == Accessibility.Public && i.ContainingNamespace.Name != "Numerics")).Select(b => b.Text()).ToArray();

    // Above is what t derives from.
    public static IEnumerable<ITypeSymbol> Above(this ITypeSymbol t)
    {
        for (var b = t.BaseType; b != null; b = b.BaseType) yield return b;
        foreach (var i in t.AllInterfaces) yield return i;
    }

    public static bool IsDelegate(this ITypeSymbol t) => t.TypeKind == TypeKind.Delegate || t.Name == "Expression" && t is INamedTypeSymbol { Arity: 1 };

    // Same reports whether a member overrides one that gives the same.
    public static bool Same(this IMethodSymbol m) => m.OverriddenMethod is { } o && SymbolEqualityComparer.Default.Equals(o.ReturnType, m.ReturnType);

    public static bool Same(this IPropertySymbol p) => p.OverriddenProperty is { } o && SymbolEqualityComparer.Default.Equals(o.Type, p.Type);
}
