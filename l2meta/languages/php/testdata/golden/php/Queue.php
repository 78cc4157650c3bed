<?php

namespace App\Jobs;

use App\Clock;

/**
 * A queue of jobs, each run at most once.
 */
class Queue extends Base implements \Countable
{
    private const LIMIT = 10;

    /** @var array<string, Job> */
    private array $jobs = [];

    public function __construct(private Clock $clock, Job ...$jobs)
    {
        parent::__construct();
        foreach ($jobs as $job) {
            $this->push($job->name(), $job);
        }
    }

    /** @param Job|null $job */
    public function push(string $name, $job): static
    {
        $this->jobs[$name] ??= $job ?? new Job(...func_get_args());
        return $this->sorted(fn ($a, $b) => strcmp($a->name(), $b->name()));
    }

    public function count(): int
    {
        /** @var Counter $counter */
        $counter = resolve('counter');
        return $counter->of($this->jobs) + count($this->jobs);
    }

    private function sorted(callable $by): static
    {
        usort($this->jobs, $by);
        array_walk($this->jobs, [$this, 'touch']);
        return $this;
    }

    protected static function touch(Job $job): void
    {
        static::log("touched {$job->name()}");
        Registry::instance()?->seen($job, strlen(...));
    }
}

function resolve(string $name): object
{
    return (new Container())->make($name) ?: throw new \RuntimeException($name);
}
