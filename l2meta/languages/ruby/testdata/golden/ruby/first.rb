class First < Base
  include Named
  extend Made
  MOST = 3
  attr_reader :taken, :kept
  attr_accessor :own
  @@all = []

  def initialize(taken, *rest, key: 1, **more, &block)
    @taken = taken
    @made = Item.new(taken)
  end

  def run(times)
    local = Item.new
    times.times { |i| local.use(i) }
    @made.use(taken)
    yield local if block_given?
    local
  end

  def self.make = new(1)

  class << self
    def other; make; end
    attr_reader :held
  end

  alias go run
  alias_method :walk, :run
  private def hidden; end

  protected

  def guarded; end
end
