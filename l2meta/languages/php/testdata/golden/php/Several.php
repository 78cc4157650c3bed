<?php
namespace One;
use A\B;
class Held { public B $b; }
$x = new B();
namespace Two;
namespace Three\Four;
use C\B;
function held(B $b) { $x = $b; return $x->run(); }
/** @var B $y */
$y = held(new B());
