package endpoints

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readScans records which packages Spring scans for components, and whether the file has controllers, which serve
// nothing outside of such packages.
func readScans(r *services.Reader) {
	if !imports(r, "org.springframework") {
		return
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Kind.Callable() {
			continue
		}
		for _, a := range s.Annotations {
			switch name, args := folding.Annotation(a); {
			case name == "SpringBootApplication":
				keepScans(r, s, scanned(args, "scanBasePackages"), hasKey(args, "scanBasePackageClasses"))
			case name == "ComponentScan":
				list := append(scanned(args, "basePackages"), scanned(args, "value")...)
				keepScans(r, s, list, hasKey(args, "basePackageClasses") || len(args) > 0 && len(list) == 0)
			case name == "ComponentScans" || name == "Import" || name == "ImportResource":
				r.Mount(-1, s.NameSpan, "", services.SomeScan)
			case name == "RestController" || name == "Controller":
				r.Mount(-1, s.NameSpan, "", services.NeedsScan)
			}
		}
	}
}

// keepScans records the packages that the annotation of a class scans: the package of the class if it names none.
func keepScans(r *services.Reader, class *code.Symbol, packages []string, classes bool) {
	if classes {
		packages = []string{"*"}
	} else if len(packages) == 0 {
		for _, f := range r.File.Facts {
			if f.Kind == code.FactPackage {
				packages = []string{f.Type}
			}
		}
	}
	for _, p := range packages {
		r.Mount(-1, class.NameSpan, "", services.Scans+p)
	}
}

// scanned returns the packages among the arguments of an annotation: com.shop for basePackages = {"com.shop"}, or for
// the only argument "com.shop" if the key is value. A package that is not known is "*".
func scanned(args []string, key string) (out []string) {
	value := folding.Keyword(args, key)
	if value == "" && key == "value" && len(args) == 1 && !strings.Contains(args[0], "=") {
		value = args[0]
	}
	if value == "" {
		return nil
	}
	for _, item := range folding.ListItems(strings.Trim(value, "{}[]")) {
		p, ok := folding.Quoted(item)
		if !ok {
			p = "*"
		}
		out = append(out, p)
	}
	return out
}

func hasKey(args []string, key string) bool { return folding.Keyword(args, key) != "" }
