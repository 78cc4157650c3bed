<?php
namespace A;

/**
 * Doc.
 */
class Broken
{
    function f( {
        g(;
    }

    // a note
    function fine(int $ä): int
    {
        return h($ä);
    }
}

namespace B {
    function blocked() {}
}
