package resolve

import "testing"

// csharpProjectFiles is a project whose usings stand in files that build it.
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
	world(t, csharpProjectFiles, func(r *Resolver) {
		settled := map[string]map[string]bool{
			"a/src/Use.cs": {"Held": true, "Removed": false, "Failed": false, "Unsure": false, "Imported": true, "Own": true, "Both": false, "Short": true, "Help": true},
			"b/Use.cs":     {"Help": false, "Own": false, "Held": true},
		}
		for path, want := range settled {
			got := map[string]bool{}
			list, err := r.Sites(r.w.File(path).ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range list {
				got[s.Call.Callee] = s.Outcome == Settled
			}
			for name, settled := range want {
				if is, ok := got[name]; !ok || is != settled {
					t.Errorf("%s: %s settled: %v, want %v (a site: %v)", path, name, is, settled, ok)
				}
			}
		}
	})
}
