<?php
class First extends Base implements Named, Held
{
    use Made, Kept { Made::run as private walk; }
    const MOST = 3;
    public int $plain = 1;
    private static ?Item $shared = null;
    protected readonly array $list;

    public function __construct(private Item $made, int $taken = self::MOST, string ...$more)
    {
        parent::__construct($taken);
        $this->list = [new Item($taken)];
    }

    public function run(int $times): Item
    {
        $local = new Item();
        foreach ($this->list as $i => $item) {
            $item->use($i);
        }
        $this->made?->use($times);
        return $local;
    }

    public static function make(): static { return new static(new Item()); }
    abstract protected function given(Item|null $item, callable $done): void;
}
