package cfamily_test

import (
	"testing"

	"sextant/l2meta/languages/cfamily"
	"sextant/l2meta/languages/languagetest"
)

func TestRelations(t *testing.T) {
	got := languagetest.Relations(t, cfamily.Language{}, map[string]string{
		"src/a.hpp": `#include "b.hpp"
#include <lib/c.h>
#include "gone.h"
#include "../src/b.hpp"
class Base { public: Base(); virtual void run(); virtual void run(int n);
void plain(); virtual void look() const; virtual ~Base(); };
class Sub : public Base { public: void run() override; void plain(); void look(); ~Sub() override; };
class Low : public Sub { public: void run() override; void look() const override; void run(int m) override; };
class Other { public: void run(); };
class Side : public Other, public Base { public: void run() final; };
class Far : public Foreign { public: void run(); };
void run();
typedef Base Alias;
class Through : public Alias { public: virtual void run(); };
`,
		"src/b.hpp":       "void b();\n",
		"include/lib/c.h": "void c();\n",
		"src/a.cpp":       "#include \"a.hpp\"\nBase::Base() {}\nvoid Base::run() {}\nvoid Sub::run() {}\n",
	}, "src/a.hpp")
	languagetest.CheckRelations(t, got, `
Base heirs Low, Side, Sub, Through new Base.Base
Base.run below Low.run, Side.run, Sub.run, Through.run not on Low, Side, Through
Base.run below Low.run
Base.look below Low.look
Sub heirs Low new Base.Base
Sub.run below Low.run above Base.run
Sub.plain above Base.plain
Low new Base.Base
Low.run above Base.run, Sub.run
Low.look above Base.look
Low.run above Base.run
Other heirs Side
Side new Base.Base
Side.run above Base.run, Other.run
Through new Base.Base
Through.run above Base.run
import b.hpp * src/b.hpp
import lib/c.h * include/lib/c.h
import gone.h *
import ../src/b.hpp * src/b.hpp
`)
}
