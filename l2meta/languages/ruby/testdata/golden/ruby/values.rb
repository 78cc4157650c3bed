LIMIT = 3
require_relative "values/parts"
require_relative "./values/other"
autoload :Parts, "values/parts"
autoload :Loaded
autoload "Named", "named"

class Values::Deep < Values
  OWN, OTHER = LIMIT, 4
  NAMES = { one: 1, "two" => :b }.freeze
  delegate :run, :stop, to: :engine, prefix: true
  define_method("add_#{name}") { |x, y = 1, *rest| x + y }
  define_method("#{name}_url") { url }
  define_method(:plain) { plain_value }
  %i[left right].each { |side| define_method(side) { side } }
  %w[up down].each do |way|
    define_method("go_#{way}!") { move(way) }
  end

  def Deep.made = new
  def Values.given(x) = x
  def self.own(a, b: 2, **opts, &block) = block.(a)
  def initialize; @first = 1; end

  def numbers
    one = 1
    half = 0.5
    yes = true
    none = nil
    word = :word
    text = "a#{one}b"
    list = [1, "two", :three]
    hash = { a: 1, "b": 2, three => 3 }
    range = 1..3
    fun = ->(x, y = 2) { x * y }
    sub = proc { |a, (b, c), *d| a.run(b) }
    first, *rest = *list
    (one, two), three = pair
    @first, @second = second, first
    @kept ||= Deep.new
    @@all << self
    $global = one
    self.own = one
    one += 1
    hash[:a] += 1
    list[0] ||= 2
    a = b = Deep.new
    x = if yes then Deep.new else Values.new end
    y = case one when 1, 2 then :low when 3.. then :high else nil end
    z = begin; risky; rescue Error, Other => e; e.message; else ok; ensure done; end
    w = while one < 3 do one += 1; break one if half; end
    v = yes ? word : text
    u = none&.size || list.first
    t = (yes and word) or text
    list.map(&:to_s).each_with_index.map { |s, i| s * i }
    list.inject(0) { _1 + _2 }
    list.each { it.run }
    puts(*list, **hash, &fun)
    super
    super()
    yield one, two
    ::Values.run
    Deep::made
    Deep::NAMES
    obj.method(:numbers).call
    method(:numbers).unbind
    send(:numbers, 1); public_send("made")
    not done?
    !done?
    -one
    defined?(one)
    return one, two unless none
    one.then { next 1 if _1 } until yes
    /a#{one}/ =~ text
    `ls #{one}`
    %w[a b].include?(text)
    <<~A + <<~B
      #{one}
    A
      #{two}
    B
  end

  class << self
    def inner; self.other; end
    private
    def other; end
  end

  private_class_method :made
  private
  attr_accessor :hidden
  public def shown; end
  protected :shown

  module Inner
    extend self
    def helper; end
  end
end

def Values.last = LIMIT
Point = Struct.new(:x, :y) { def sum = x + y }
Data1 = Data.define(:a, :b) do
  def both = [a, b]
end
Made = Class.new(Values) { def made; end }
Mod = Module.new { def mixed; end }
