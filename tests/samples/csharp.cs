#!/usr/bin/env dotnet-script
#:package It's@1.0
#nullable enable
#define TRACE
using System;
using static System.Math;
using Lines = System.Collections.Generic.List<string>;

#region It's the user's part
namespace Example.Store;

/// <summary>An <c>order</c>; "quotes" and 'apostrophes.</summary>
[Serializable, Obsolete("don't use", error: false)]
public sealed partial class Order<T> : IDisposable where T : class?, new()
{
    private const string Verbatim = @"C:\dir\""quoted""
second line";
    private readonly string _escaped = "tab\t quote\" slash\\ \u00e9";
    private static readonly char[] Chars = { 'a', '\'', '\\', '"', '\u0041', '\0' };
    private readonly double[] _reals = { 1.5, .5, 1e-3, 2.5f, 3d, 1_000.25m, 1.0E+10 };
    private readonly ulong[] _integers = { 0, 0xFF_FFul, 0b1010_1010, 1_000_000L, 42U };
    private int @class, größe;

    public string Raw => """
        {"title": "a ""quoted"" word", "n": {0}}
        """;
    public string Longer => """"three """ inside"""";
    public ReadOnlySpan<byte> Utf8 => "bytes"u8;
    public string Name { get; init; } = nameof(Order<T>);
    public int this[Index i] { get => _items[i]; set => _items[i] = value; }

    public async Task<string> DescribeAsync(int n, string? who, IDictionary<string, int> map)
    {
        var plain = $"Hello {who ?? "nobody"}, {{literal}} {n:#,##0.00} {map["key"],-8:x} {(n > 1 ? "s" : "")}";
        var nested = $"outer {$"inner {n + 1}"} {new { A = 1 }.A} {When:hh\:mm}";
        var verbatim = $@"path\{n}""quoted""
            {who}";
        var other = @$"c:\{n}";
        var raw = $"""
            "{who}" is {n:D2} and { map["a"] }
            """;
        var dollars = $$"""{ "json": {{n}}, "set": {{{n}}} }""";
        var lines = $"{n switch
        {
            0 => "none",
            _ => "some",
        }}";
        who ??= "x"; n >>>= 1; n >>= 1; n <<= 2; n ^= ~n; n |= 1; n &= 3; n %= 5;
        var slice = _items[1..^1]; var rest = _items[2..]; var span = 1..2;
        int? length = who?.Length ?? map?["a"];
        Func<int, int> twice = static x => x * 2;
        if (n is >= 0 and < 10 or 42 && who is not null || !(n != 1)) goto done;
#if DEBUG && !TRACE
        Console.WriteLine("debug");
#elif RELEASE
#pragma warning disable CS0168
#else
#error This can't be
#endif
    done:
        await foreach (var item in global::System.Linq.X(default(T)!)) yield return item--;
        unsafe { int* p = &n; p->ToString(); *p = 1 << 2 >> 1; }
        return n.ToString() + 1.ToString() + base.ToString(); // the end
    }

    /* a block comment: // and " and ' */
    ~Order() { @class++; checked { größe = (int)3.0e0 / 2 - 1; } }
}
#endregion that's it
