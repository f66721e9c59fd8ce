#!/usr/bin/swift
// A playlist; "quotes" and 'apostrophes don't matter here.
import Foundation

/* nested /* comments */ are fine: "unclosed */
/// Doc comment with `code`.
@available(iOS 15, *) @objc
public final class Playlist<Element: Hashable>: NSObject, Sequence where Element: Codable {
    @Published private(set) var items: [Element] = []
    weak var owner: AnyObject?
    lazy var count: Int = { $0 + $1 }(1, 2)
    static let `default` = Playlist()
    var größe: Double { get { 1.5 } set { _ = newValue } }
    subscript(index: Int) -> Element? { items[index] }

    required init?(coder: NSCoder) { fatalError("init(coder:) isn't there") }
    deinit { defer { print(#function, #line) }; owner = nil }
}

let strings = ["plain", "esc \" \\ \n \u{1F600} \0", "name: \(name), sum: \(a + (b * 2)), \(map["key"] ?? "none")"]
let nested = "outer \("inner \(deep("x)"))") end"
let raw = #"raw \n "quoted" \(not) \#(name) \#" "#
let more = ##"one "# inside \##(name)"##
let multi = """
    He said "hi" \
    and "\(name.map { "<\($0)>" } ?? "")" left.
    \"""
    """
let rawMulti = #"""
    raw \n """ \#(name)
    """#
let regex = #/https?://[^"\s]+/#
let numbers: [Any] = [0, 0xFF_FF, 0b1010, 0o17, 1_000_000, 1.5e-3, 0x1.8p3, 2.0E+10]
let ranges: [Any] = [0...9, 0..<5, ...5, 2..., 1.0...2.0]
let tuple = ((1, 2), 3), inner = tuple.0.1

#if os(Linux) && !DEBUG
    #warning("it's Linux")
#elseif canImport(UIKit)
#else
    #error("can't be")
#endif

func describe<T>(_ value: some Equat