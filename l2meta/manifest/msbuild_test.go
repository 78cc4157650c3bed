package manifest

import (
	"fmt"
	"strings"
	"testing"
)

func TestManifestMSBuild(t *testing.T) {
	const text = "\ufeff" + `<Project Sdk="Microsoft.NET.Sdk">
  <Import Project="eng/Common.props" Condition="Exists('eng/Common.props')" />
  <PropertyGroup Condition="'$(CI)' == 'true'"><A Condition="'$(A)' == ''"> x </A></PropertyGroup>
  <ItemGroup>
    <Compile Include="..\Shared\*.cs" />
    <Using Include="One.Two" />
    <Using Include="One.Helpers" Static="true" />
    <Using Include="One.Long"><Alias>L</Alias></Using>
    <Using Remove="System.Net.Http" />
    <ProjectReference Include="..\Lib\Lib.csproj" Condition="'$(C)' == ''" />
    <ProjectReference Remove="..\Old\Old.csproj" />
  </ItemGroup>
  <Choose><When Condition="'$(B)' == ''"><ItemGroup><Using Include="Three" /></ItemGroup></When></Choose>
  <Target Name="T"><ItemGroup><Using Include="Never" /></ItemGroup></Target>
</Project>`
	const want = `/steps/0/conditions/0 Exists('eng/Common.props')
/steps/0/import eng/Common.props
/steps/1/conditions/0 '$(CI)' == 'true'
/steps/1/conditions/1 '$(A)' == ''
/steps/1/property A
/steps/1/value x
/steps/2/using One.Two
/steps/3/static true
/steps/3/using One.Helpers
/steps/4/alias L
/steps/4/using One.Long
/steps/5/remove System.Net.Http
/steps/6/conditions/0 '$(C)' == ''
/steps/6/reference ..\Lib\Lib.csproj
/steps/7/conditions/0 <Choose>
/steps/7/conditions/1 '$(B)' == ''
/steps/7/using Three
`
	for _, path := range []string{"a/App.csproj", "Directory.Build.props", "eng/Test.targets"} {
		var got strings.Builder
		for _, f := range Facts(path, []byte(text)) {
			fmt.Fprintln(&got, f.Name, f.Type)
		}
		if got.String() != want {
			t.Errorf("%s:\n%s", path, got.String())
		}
	}
	if got := Facts("a/App.csproj", []byte("<Project><ItemGroup>")); got != nil {
		t.Errorf("facts of a torn file: %v", got)
	}
	long := "<Project><PropertyGroup><Notes>" + strings.Repeat("n", maxProperty+1) +
		"</Notes></PropertyGroup></Project>"
	if got := Facts("a.props", []byte(long)); len(got) != 1 || got[0].Type != "Notes" {
		t.Errorf("facts of a long property: %v", got)
	}
}
