<?php
class FirstTest extends TestCase
{
    public function testFirst(): void { $this->setUp(); }
    /** @test */ public function annotated() { return new self; }
    #[Test] function attributed() {}
    private function testHidden() {}
    function helper() { function testInner() {} }
}
function testOuter() {}
