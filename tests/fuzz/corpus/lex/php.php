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
        $closure = static function () use (&