package csharp_test

import (
	"fmt"
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// csharpProjectFiles are the files of a project whose usings are in build files.
var csharpProjectFiles = map[string]string{
	"Directory.Build.props": `<Project><PropertyGroup><Kind>test</Kind></PropertyGroup></Project>`,
	"Directory.Build.targets": `<Project>
		<Import Project="$(MSBuildThisFileDirectory)eng\$(Flavour).props" />
		<ItemGroup Condition="'$(Kind)' == 'Test'"><Using Include="Lib.Held;Lib.Removed" /></ItemGroup>
		<ItemGroup Condition="'$(Kind)' != 'test'"><Using Include="Lib.Failed" /></ItemGroup>
		<ItemGroup Condition="'$(Elsewhere)' == 'true'"><Using Include="Lib.Unsure" /></ItemGroup>
		<ItemGroup><Using Remove="Lib.Removed" /></ItemGroup></Project>`,
	"eng/Common.props": `<Project><ItemGroup><Using Include="Lib.Imported" /></ItemGroup></Project>`,
	"a/A.csproj": `<Project><PropertyGroup><Flavour>Common</Flavour></PropertyGroup>
		<ItemGroup><Using Include="Lib.Own" /><Using Include="Lib.Twice" /><Using Include="Lib.Helpers" Static="true" /><Using Include="Lib.Deep.Long" Alias="Short" /></ItemGroup></Project>`,
	"b/B.csproj":     `<Project><ItemGroup><Using Include="Lib.Helpers" Static="true" /><Using Include="Foreign.Helpers" Static="true" /></ItemGroup></Project>`,
	"lib/Lib.csproj": `<Project />`,
	"lib/Lib.cs": `
namespace Lib.Held { public class Held {} public class Both {} }
namespace Lib.Removed { public class Removed {} }
namespace Lib.Failed { public class Failed {} }
namespace Lib.Unsure { public class Unsure {} }
namespace Lib.Imported { public class Imported {} }
namespace Lib.Own { public class Own {} }
namespace Lib.Twice { public class Both {} }
namespace Lib.Deep { public class Long {} }
namespace Lib { public static class Helpers { public static void Help() {} } }
`,
	"a/src/Use.cs": `class Use { void F() { new Held(); new Removed(); new Failed(); new Unsure(); new Imported(); new Own(); new Both(); new Short(); Help(); } }`,
	"b/Use.cs":     `class Use { void F() { Help(); new Own(); new Held(); } }`,
}

func TestCSharpProjectUsings(t *testing.T) {
	languagetest.World(t, csharpProjectFiles, func(r *resolve.Resolver) {
		settled := map[string]map[string]bool{
			"a/src/Use.cs": {"Held": true, "Removed": false, "Failed": false, "Unsure": false, "Imported": true,
				"Own": true, "Both": false, "Short": true, "Help": true},
			"b/Use.cs": {"Help": false, "Own": false, "Held": true},
		}
		for path, want := range settled {
			got := map[string]bool{}
			list, err := r.Sites(r.World().File(path).ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range list {
				got[s.Call.Callee] = s.Outcome == resolve.Settled
			}
			for name, settled := range want {
				if is, ok := got[name]; !ok || is != settled {
					t.Errorf("%s: %s settled: %v, want %v (a site: %v)", path, name, is, settled, ok)
				}
			}
		}
	})
}

// TestCSharpOverloads checks that arguments of one type choose a generic method over one that takes
// objects, unless they are objects; that an enum is no function; and that a foreign type's own
// method wins over an extension.
func TestCSharpOverloads(t *testing.T) {
	languagetest.World(t, map[string]string{
		"Use.cs": `using System.Data; using System.Data.Common;
enum Color { Red }
static class Check {
	public static void Same(object a, object b) {}
	public static void Same<T>(T a, T b) {}
	public static void Take<T>(Func<T, bool> f) {}
	public static void Take<T>(T value) {}
	public static int GetField(this Type t, string name) { return 0; }
	public static int Ours(this Type t, string name) { return 0; }
	public static void Run(this IDbConnection c, string sql) {}
}
class Use { void F(Color color, object any, Type type, DbConnection connection) {
	Check.Same("a", "b");
	Check.Same(any, any);
	Check.Same("a", any);
	Check.Take(color);
	type.GetField("a");
	type.Ours("a");
	connection.Run("a");
} }
`}, func(r *resolve.Resolver) {
		list, err := r.Sites(r.World().File("Use.cs").ID)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"Same:5", "Same:4", "Same:0", "Take:7", "GetField:0", "Ours:9", "Run:10"}
		var got []string
		for _, s := range list {
			if s.Call.Kind == code.CallAccess {
				continue
			}
			line := 0
			if s.Outcome == resolve.Settled {
				line = s.Target.Symbol().NameSpan.StartLine
			}
			got = append(got, fmt.Sprintf("%s:%d", s.Call.Callee, line))
		}
		if !slices.Equal(got, want) {
			t.Errorf("targets %v, want %v", got, want)
		}
	})
}
