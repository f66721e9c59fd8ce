<!DOCTYPE html>
<title>Don't read "this" as code: <?= htmlspecialchars($title ?? 'none') ?></title>
<?php if ($a): // closes here ?>
  <p>It's text</p>
<?php endif; # and here ?>
<?php
declare(strict_types=1);

namespace App\Models;

use App\Contracts\{Model as Base, Store};

/** Doc comment with `code`. */
#[Attribute(Attribute::TARGET_CLASS), Table('it\'s')]
final class Order extends Base implements \Countable
{
    public const VERSION = '1.0';
    private static ?self $instance = null;
    protected readonly array $größe;

    public function __construct(private int|string $id = 0, public ?Store $store = null, string ...$rest)
    {
        parent::__construct(...$rest);
    }

    public function describe(array $map, &$ref): string
    {
        # a hash comment with "quotes"
        $single = 'it\'s $not {$interpolated} \\';
        $double = "Hello $this->id and {$map["key"]['x']} and ${name} \" \$5 \u{1F600} $map[key] {$this->store->name("}")}
            second line";
        $here = <<<HTML
            <p class="x">$single {$map['a']} "it's"</p>
            HTMLX is not the end
            HTML;
        $now = <<<'TEXT'
        raw $text with 'quotes' and "quotes" and \
        TEXT . "tail";
        $quoted = foo(<<<"END"
        a
        END, 2);
        $shell = `ls -l {$map["dir"]}`;
        $numbers = [0, 1., .5, 1.5e-3, 1E+10, 0xFF_FF, 0b1010, 0o17, 017, 1_000_000];
        $fn = fn(int $x): int => $x ** 2 <=> 1;
        $closure = static function () use (&$ref): void { $ref .= 'x'; };
        $ref ??= $map['a'] ?? $this?->store?->class ?: NULL;
        $ref->list()->print; $$name = $obj::class; $x = @$y[0]; $copy = clone $this;
        $a += 1; $a -= 1; $a *= 2; $a /= 2; $a %= 3; $a **= 2; $a <<= 1; $a >>= 1; $a |= 1; $a &= 3; $a ^= ~$a;
        if ($a === null && !$b || $a !== TRUE and $b <> 1) { $a++; --$b; }
        elseif ($a >= 7 or $a <= -1 xor $a != 2) { goto end; }
        foreach ($map as $key => [$first, 'k' => $second]) { continue 2; }
        switch (true) { case $a instanceof self: break; default: throw new \RuntimeException("no: {$a}"); }
        $m = match (true) { $a > 1, $a < 0 => 'x', default => (string) $b };
        end:
        return $single . 1.5 . PHP_EOL . sprintf('%s', $m) /* divided */ / 2 << 1 >> 1;
    }

    public function count(): int { yield from [1, 2]; list(, $b) = [1, 2]; return \count($this->größe); }
}
?>
<p><?= $order->describe([], $ref) ?></p>
<?php echo "the end" ?>
