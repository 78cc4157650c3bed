# frozen_string_literal: true

require "json"
require_relative "../lib/money"
autoload :Ledger, "shop/ledger"

module Shop
  # Raised when an order cannot ship.
  class ShippingError < StandardError; end

  Address = Struct.new(:street, :city, keyword_init: true) do
    def to_s = "#{street}, #{city}"
  end
  Timeout = Class.new(ShippingError)
  MAX_ITEMS, MIN_ITEMS = 100, 1
  STATES = %w[open paid].freeze

  # An order and its items.
  #
  # Orders are paid once.
  class Order < ApplicationRecord
    include Comparable
    extend Forwardable
    @@count = 0

    belongs_to :customer, class_name: "Shop::Customer"
    has_many :items, -> { order(:position) }, dependent: :destroy
    scope :paid, ->(since = nil) { where(paid: true).newer(since) }
    before_save :normalize, if: :dirty?
    attr_accessor :total, :note
    attr_reader "currency"
    delegate :name, to: :customer

    # Makes an order.
    def initialize(items, total = 0, *rest, currency:, note: nil, **options, &block)
      super(items)
      @items = items.map(&:to_s)
      @ledger ||= Ledger.new(self, currency)
      block.call(self) if block
    end

    def self.open(id) = new([], currency: fetch(id))

    class << self
      def find_each
        yield connection
      end

      private def connection; Pool.take; end
    end

    def <=>(other)
      total <=> other.total
    end

    def total=(value)
      @total = Money::Parser.parse(value, **defaults)
    end

    def pay!(by:)
      card = by.card
      first, (second, third) = *split(card)
      items.each_with_index do |item, index|
        item.charge(card, index) { |r| log r, second }
      end
      case card
      in { number:, owner: { name: String => who } }
        notify(who, number)
      end
      send(:normalize)
      raise ShippingError, "größer #{reason}" unless ready?
    rescue Timeout => e
      retry_later(e)
      self.note = e.message
      handler.(e)
    ensure
      super
    end

    alias settle pay!
    alias_method :close, :pay!
    define_method(:archive) { |at = now| touch at }

    protected

    attr_writer :secret

    def dirty?; changed.any?; end

    private

    def normalize
      note&.strip!
      ->(x) { x + offset }
    end

    def helper; end
    public :helper
  end

  module Billing::Tax
    module_function

    def rate(country) country == "CH" ? 8.1 : default_rate end
  end
end

def Shop.reset(*) = Shop::Order.delete_all

def top_level(x)
  y = x
  Shop::Order.new(y)
  method(:top_level)
end

puts <<~TEXT
  #{top_level(1)}
TEXT
