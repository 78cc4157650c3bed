using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;

// Boot compiles Oracle.cs with the Roslyn of the process that it is loaded into,
// and runs it. It is a startup hook: the only way into a self-contained program
// that needs no .NET SDK. It knows Roslyn by reflection alone, so that Debian's
// mcs, which cannot read the metadata of today's runtime, can compile it.
internal class StartupHook
{
    public static void Initialize()
    {
        int code = 1;
        try
        {
            byte[] image = Compile(Environment.GetEnvironmentVariable("ORACLE_SOURCE"), Environment.GetEnvironmentVariable("ORACLE_REFERENCES"));
            var main = Assembly.Load(image).GetType("Oracle").GetMethod("Run");
            code = (int)main.Invoke(null, null);
        }
        catch (Exception e)
        {
            Console.Error.WriteLine(e);
        }
        Environment.Exit(code);
    }

    static byte[] Compile(string source, string references)
    {
        var core = Assembly.Load("Microsoft.CodeAnalysis");
        var csharp = Assembly.Load("Microsoft.CodeAnalysis.CSharp");
        var syntaxTree = core.GetType("Microsoft.CodeAnalysis.SyntaxTree");
        var reference = core.GetType("Microsoft.CodeAnalysis.MetadataReference");

        var trees = Array.CreateInstance(syntaxTree, 1);
        trees.SetValue(Call(csharp.GetType("Microsoft.CodeAnalysis.CSharp.CSharpSyntaxTree"), "ParseText", null, File.ReadAllText(source)), 0);
        var files = Directory.GetFiles(references, "*.dll");
        var list = Array.CreateInstance(reference, files.Length);
        for (int i = 0; i < files.Length; i++)
            list.SetValue(Call(reference, "CreateFromFile", null, files[i]), i);

        var kind = core.GetType("Microsoft.CodeAnalysis.OutputKind");
        var optionsType = csharp.GetType("Microsoft.CodeAnalysis.CSharp.CSharpCompilationOptions");
        var constructor = optionsType.GetConstructors().OrderByDescending(c => c.GetParameters().Length).First();
        var options = constructor.Invoke(Defaults(constructor, new object[] { Enum.Parse(kind, "DynamicallyLinkedLibrary") }));
        var compilation = Call(csharp.GetType("Microsoft.CodeAnalysis.CSharp.CSharpCompilation"), "Create", null, "oracle", trees, list, options);

        var image = new MemoryStream();
        object result = Call(core.GetType("Microsoft.CodeAnalysis.Compilation"), "Emit", compilation, image);
        if (!(bool)result.GetType().GetProperty("Success").GetValue(result))
            throw new InvalidOperationException(string.Join("\n", ((IEnumerable)result.GetType().GetProperty("Diagnostics").GetValue(result)).Cast<object>().Select(d => d.ToString()).Where(d => d.Contains("error"))));
        return image.ToArray();
    }

    // Call invokes the method of that name whose first parameters take the
    // arguments, and leaves the others at their defaults.
    static object Call(Type type, string name, object target, params object[] arguments)
    {
        var method = type.GetMethods().Where(m => m.Name == name && Takes(m, arguments)).OrderByDescending(m => m.GetParameters().Length).First();
        return method.Invoke(target, Defaults(method, arguments));
    }

    static bool Takes(MethodBase method, object[] arguments)
    {
        var parameters = method.GetParameters();
        return parameters.Length >= arguments.Length
            && arguments.Select((a, i) => parameters[i].ParameterType.IsInstanceOfType(a)).All(fits => fits)
            && parameters.Skip(arguments.Length).All(p => p.IsOptional);
    }

    static object[] Defaults(MethodBase method, object[] arguments)
    {
        return method.GetParameters().Select((p, i) => i < arguments.Length ? arguments[i] : Default(p)).ToArray();
    }

    static object Default(ParameterInfo p)
    {
        if (p.HasDefaultValue && p.DefaultValue != null)
            return p.ParameterType.IsEnum ? Enum.ToObject(p.ParameterType, p.DefaultValue) : p.DefaultValue;
        return p.ParameterType.IsValueType ? Activator.CreateInstance(p.ParameterType) : null;
    }
}
