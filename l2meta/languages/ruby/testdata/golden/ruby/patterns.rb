class Patterns
  autoload :Ledger
  autoload "Text", "text"
  autoload(:Two, "two")
  load "one.rb"
  load name
  require_relative "../up"
  require
  private_constant :SECRET
  SECRET = 1
  private_class_method def self.hidden; end
  private attr_reader :token
  private(*NAMES)
  private :one, "two", %i[three four], %w[five], [:six, "seven"]
  protected def eight; end
  module_function def nine; end
  public :one

  def one; end
  def two; end
  def three; end
  def four; end
  def five; end
  def six; end
  def seven; end
  def ten(a = first, b: second, **nil); end
  def eleven(...) = ten(...)
  def twelve((a, b), *, &) = a
  def self.thirteen; end
  def Patterns.fourteen; end
  def Other.fifteen; end
  def (object).sixteen; end
  def []=(key, value); end
  def !; end
  def ==(other) = other.equal?(self)
  def +@; end

  def in_clauses(x)
    case x
    in [Integer => a, *rest] if ready?(a)
      use a, rest
    in { name: String => name, age: } unless age.zero?
      use name, age
    in ^pinned | nil
      other
    end
    x => { key: }
    use key
    x in [first, second]
    use first, second
    for i, (j, k) in pairs do
      use i, j, k
    end
    for one in ones
      use one
    end
    loop do |n; shadow|
      use n, shadow
    end
    ->(p, q = default) { use p, q }
    later { use _1, _2, _3 }
  end

  def rescued
    risky
  rescue Errors::One, Two => e
    use e
  rescue Errors::One => f
    use f
  rescue *LIST => g
    use g
  rescue => @kept
    use @kept
  rescue => self.error
    use error
  end

  def results(x)
    return if x
    return 1, 2 if one
    x.each { return two }
    # a comment
    begin
      three
    end
  end

  def assigned
    self.one, @two, @@three, four, *five, (six, seven) = values
    list[0], $eight = values
    self.nine ||= ten
    a.b += 1
    A::B = 1
    @x = (@y = one)
    @z = one if two
    two && @w = one
    if two
      @v = one
    end
    @u = case two when 1 then three else four end
    @t = two ? three : four
    @s = begin
      one
      two
    end
    @r ||= three
    call(@q = one)
    return @p = one
    while two
      @o = one
    end
    @n = if a then 1 elsif b then 2 elsif c then 3 elsif d then 4 elsif e then 5 elsif f then 6 elsif g then 7 else 8 end
    @m = if a then 1 elsif b then 2 elsif c then 3 elsif d then 4 elsif e then 5 elsif f then 6 elsif g then 7 elsif h then 8 else 9 end
  end

  alias :eighteen :one
  alias $new $old
  alias seventeen= one=
  alias_method :"nineteen", :one
  undef one
  class << self
    alias twenty thirteen
    attr_writer :own
    private
    def inner; end
    public
    def outer; end
    def self.deep; end
  end
  def after; end

  scope :recent, -> { order(:id) }
  belongs_to :owner, class_name: "User", inverse_of: :things
  belongs_to :thing, polymorphic: true
  has_one :profile, source: :account
  has_and_belongs_to_many :categories, class_name: Label
  has_many :boxes, -> { ordered }, dependent: :destroy do
    def extension; end
  end
  define_method(:with_block) do |a, *b|
    a.run(b)
  end
  define_method :[] do |k| k end
  define_method("") { }
  define_method(name) { |x| x }
  attr_reader :"quoted", "text", "", name
  before_action :one, only: [:two]
  validates :one, presence: true, if: :two
  send(:one, :two)
  send(name, :two)
  x.try(:one).public_send(:two, 1)
  instance_method(:one)
  map(&:one).each(&method(:two))
  respond_to?(:one) && respond_to?(:absent)

  included do
    def in_included; end
  end
  class_methods do
    def in_class; end
  end
  class_eval { def evaluated; end }
  self.each { def in_self_block; end }
  other.each { def in_other_block; end }
  Built = Options.new(:a) { def in_built; end }
  Plain = Options.new(:a) { |o| o.set 1 }
  Pair = Data.define(:left, :right)
  Loose = OpenStruct.new(size: 1)
  Anon = Class.new(Base, &block)
  Deep::Made = Struct.new(:x)
  Found = find_by(name: 1)

  if defined?(Rails)
    class Railtie < Rails::Railtie; end
  end
  class Chosen < (one? ? A : B); end
  class ::Top < Struct.new(:a, :b); end
  module Nested::Deep; end
  class Late < Base; end unless done
  case one
  when 1
    module InCase; end
  end
  super
  super(1)
  yield
end

class << Patterns
  def on_patterns; end
end

def top = Patterns.new(*args)
attr_reader :at_top
private
def private_top; end
include Patterns, Nested::Deep
extend self
prepend Patterns if ready
private def top_private; end

FIRST, SECOND = 1, 2
Name::SPACED = find
if FIRST
  INNER = 1
end
