<?php
namespace One\Two {
    use A\B;
    class Held { public function go() { return namespace\f(); } }
    function f() { return new B(); }
    const C = 1;
}
namespace {
    use A\C;
    function g() { return new C(); }
    $x = g();
}
namespace Three { f(); }
