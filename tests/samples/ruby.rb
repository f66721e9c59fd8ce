#!/usr/bin/env ruby
# frozen_string_literal: true

require 'set'
require_relative "shop/order"

=begin
A block of comment with "quotes" and code: x = 1
=end

module Shop
  # An order of a customer.
  class Order < Base
    include Comparable
    attr_reader :lines, :größe
    LIMIT = 1_000
    @@count = 0
    RATES = { "de" => 0.19, fr: 2.0e-1, 'x y': 0x1F, "#{1 + 1}": 1r }.freeze

    def initialize(lines, *rest, discount: nil, **options, &block)
      @lines = lines || []
      @discount ||= discount
      @@count += 1
      $stdout.puts "made #{lines.size} of #{options["a}"]&.fetch(:b) { |x| "in #{x}" }}"
      super()
    end

    def empty? = @lines.empty?
    def save!(force = false)
      return false if empty? && !force
      raise ArgumentError, 'it\'s empty' unless @lines.any? { |line| line.price > 0 }
      @lines.each do |line|
        next if line.free?
        total = line.price * line.count / 2 % 7 ** 2 - -1
        total <<= 1 if total&1 == 0 or total|2 != 3
        yield line, total
      end
      true
    rescue IOError, Errno::ENOENT => error
      warn error.message
      retry if (tries -= 1) >= 0
    ensure
      close unless closed?
    end

    def <=>(other) = total <=> other.total
    def [](index) = @lines[index]
    def -@ = self.class.new(@lines.reverse)

    def describe(name)
      text = <<~TEXT + "tail #{name}"
        An order of #{name} with 'quotes' and "others" / and a slash
        TEXTS is not the end
      TEXT
      log(<<-ONE, <<'TWO', 3) # a comment behind
        one "
        ONE
two '
TWO
      list = []
      list << name << 2
      case name
      when /^it's \/ (?<rest>[a-z\/]+)$/i, nil then $~[:rest]
      when %r{a{2}/b}x then 1
      when "a".."z", 1...10 then :range
      else puts /x#{name}/ =~ text ? 'a' : 'b'
      end
      words = %w[one two[1] three] + %i(a b) + [%q{it's {nested}}, %(x #{name} (y)), %Q|z|]
      ratio = words.size / list.size % 3
      split /,\s*/, ratio
      case h
      in { kind: Symbol => kind } then kind
      end
      lambda { |x; y| x ** y }.call(1) && ->(x) { x.positive? }.(2)
      value = x==1 ? y!=2 : z!
      value = defined?(foo) ? __method__ : self
      a, (b, *c) = 1, [2, 3, 4]
      h = { a:, "b" => b, if: 1 }
      h.class.then { _1 }
      Foo::Bar.baz::qux(::Top) unless h[:if]&.zero?
      `ls #{a}`
      1.upto(3).map(&:to_s).reduce(:+); 0b1010; 0o17; 1e3; 3.14.round
      while i < 10 do i += 1; break if i === 5 end
      begin; redo; end until done
      print "multi
line", 'and
more'
      alias_method :old, :new
      x = y \
        + 1
    end
  end
end
