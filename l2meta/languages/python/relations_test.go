package python_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/languages/python"
)

// relatedFiles declare types with members that override each other, and imports of all forms.
var relatedFiles = map[string]string{
	"app/__init__.py": "from .base import Base\n",
	"app/base.py": `import os
import app.other
import app.other as renamed
from . import other
from .other import helper as help, Klass
from .other import *
from ..gone import x
from app import Base as B
from app.deep import one
import deep.one

class Base(object):
    def __init__(self): pass
    def run(self): pass
    @property
    def size(self): return 1
    @staticmethod
    def stat(): pass
    def _hidden(self): pass
    def __call__(self): pass
    @classmethod
    def make(cls): pass

class Sub(Base):
    def run(self): pass
    @property
    def size(self): return 2
    def _hidden(self): pass

class Low(Sub, Mixin):
    def __init__(self): pass
    def run(self): pass

class Mixin:
    def run(self): pass
    def mixed(self): pass

class Other(help):
    def run(self): pass

class Both(Mixin, Base):
    def mixed(self): pass

def run(): pass
`,
	"app/other.py":         "def helper(): pass\nclass Klass: pass\n",
	"app/deep/__init__.py": "",
	"app/deep/one.py":      "def f(): pass\n",
}

func TestRelations(t *testing.T) {
	got := languagetest.Relations(t, python.Language{}, relatedFiles, "app/base.py")
	languagetest.CheckRelations(t, got, `
Base calls Base, cls heirs Both, Low, Sub
Base.__init__ calls __init__, cls, Base below Low.__init__
Base.run below Low.run, Sub.run
Base.size below Sub.size
Base._hidden below Sub._hidden
Sub calls Sub, cls heirs Low new Base.__init__
Sub.run below Low.run above Base.run
Sub.size above Base.size
Sub._hidden above Base._hidden
Low calls Low, cls
Low.__init__ calls __init__, cls, Low above Base.__init__
Low.run above Base.run, Mixin.run, Sub.run
Mixin calls Mixin, cls heirs Both, Low
Mixin.run below Low.run
Mixin.mixed below Both.mixed
Other calls Other, cls
Both calls Both, cls new Base.__init__
Both.mixed above Mixin.mixed
import os
import app.other app/other.py
import app.other app/other.py
import . other app/other.py
import .other helper app/other.py
import .other Klass app/other.py
import .other * app/other.py
import ..gone x
import app Base app/__init__.py
import app.deep one app/deep/one.py
import deep.one
`)
}
