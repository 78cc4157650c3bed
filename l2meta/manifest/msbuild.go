package manifest

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"
)

// maxProperty is the largest length in bytes of a property whose value is read. A longer one is
// prose, which no condition tests.
const maxProperty = 256

// msbuildElement is an element of a project file.
type msbuildElement struct {
	XMLName    xml.Name
	Attributes []xml.Attr       `xml:",any,attr"`
	Text       string           `xml:",chardata"`
	Elements   []msbuildElement `xml:",any"`
}

// readMSBuild returns {steps: […]} for a project file: the elements that set a property, import
// another project file, refer to another project, or add or remove a global using, in the order of
// the text. A step is {property, value}, {import}, {reference}, {using, alias, static} or {remove},
// with the conditions that must all hold:
//
//	{"using": "A.B", "conditions": ["'$(X)' == 'true'"]}
//
// A property longer than maxProperty has no value.
func readMSBuild(text []byte) (any, error) {
	var project msbuildElement
	if err := xml.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &project); err != nil {
		return nil, err
	}
	return map[string]any{"steps": project.steps("", nil)}, nil
}

// msbuildOneOf is added to the conditions of each element in a <Choose>, because whether a branch
// applies depends not only on its own condition, but also on the branches before it.
const msbuildOneOf = "<Choose>"

func (e *msbuildElement) steps(parent string, conditions []any) (out []any) {
	if c := strings.TrimSpace(e.attribute("Condition")); c != "" {
		conditions = append(slices.Clip(conditions), c)
	}
	step := func(fields map[string]any) {
		if len(conditions) > 0 {
			fields["conditions"] = conditions
		}
		out = append(out, fields)
	}
	switch name := e.XMLName.Local; {
	case parent == "PropertyGroup":
		fields := map[string]any{"property": name}
		if value := strings.TrimSpace(e.Text); len(value) <= maxProperty && len(e.Elements) == 0 {
			fields["value"] = value
		}
		step(fields)
	case parent == "ItemGroup":
		switch name {
		case "Using":
			step(e.using())
		case "ProjectReference":
			if project := e.attribute("Include"); project != "" {
				step(map[string]any{"reference": project})
			}
		}
	case name == "Import":
		step(map[string]any{"import": e.attribute("Project")})
	case name == "Choose":
		conditions = append(slices.Clip(conditions), msbuildOneOf)
		fallthrough
	case slices.Contains([]string{"Project", "ItemGroup", "PropertyGroup", "ImportGroup", "When", "Otherwise"}, name):
		for i := range e.Elements {
			out = append(out, e.Elements[i].steps(name, conditions)...)
		}
	}
	return out
}

// using returns the step of a <Using> element, as readMSBuild describes it. Alias and Static may be
// attributes or elements.
func (e *msbuildElement) using() map[string]any {
	if remove := e.attribute("Remove"); remove != "" {
		return map[string]any{"remove": remove}
	}
	fields := map[string]any{"using": e.attribute("Include")}
	for _, name := range []string{"Alias", "Static"} {
		value := e.attribute(name)
		for i := range e.Elements {
			if e.Elements[i].XMLName.Local == name {
				value = strings.TrimSpace(e.Elements[i].Text)
			}
		}
		if value != "" {
			fields[strings.ToLower(name)] = value
		}
	}
	return fields
}

func (e *msbuildElement) attribute(name string) string {
	for _, a := range e.Attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
