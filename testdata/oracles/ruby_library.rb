# The table of Ruby's own library, from the signatures that Ruby ships (the gem
# rbs): l2meta/languages/ruby/library.txt, in the form of package l2meta/library.
# "self.File" holds the methods of the class File itself.
#
#   ruby ruby_library.rb > ../../l2meta/languages/ruby/library.txt
require 'rbs'

PARTS = %w[date erb fileutils json logger monitor net-http optparse pathname securerandom set shellwords singleton strscan tempfile time
           timeout uri yaml].freeze

loader = RBS::EnvironmentLoader.new
PARTS.each { |part| loader.add(library: part) }
environment = RBS::Environment.from_loader(loader).resolve_type_names
BUILDER = RBS::DefinitionBuilder.new(env: environment)

# written returns a type as the table writes it, nil where it cannot.
def written(type, variables, self_type)
  t = RBS::Types
  case type
  when t::Bases::Self, t::Bases::Instance then self_type
  when t::Bases::Bool then 'bool'
  when t::Bases::Nil, t::Bases::Void then 'nil'
  when t::Optional then written(type.type, variables, self_type)
  when t::Variable then type.name.to_s if variables.include?(type.name)
  when t::Literal then type.literal.class.name
  when t::Tuple then 'Array'
  when t::Record then 'Hash'
  when t::Proc then 'Proc'
  when t::ClassSingleton then "self.#{name_of(type.name)}"
  when t::Alias
    { 'string' => 'String', 'int' => 'Integer', 'boolish' => 'bool' }[type.name.name.to_s]
  when t::ClassInstance
    args = type.args.map { |a| written(a, variables, self_type) }
    args.empty? || args.any?(&:nil?) ? name_of(type.name) : "#{name_of(type.name)}[#{args.join(', ')}]"
  when t::Union
    all = type.types.map { |u| written(u, variables, self_type) }.uniq - ['nil']
    all.first if all.size == 1
  end
end

def name_of(name) = name.to_s.delete_prefix('::')

# result returns what all overloads of a method give, nil where they differ.
def result(method, variables, self_type)
  all = method.defs.map { |d| written(d.type.type.return_type, variables, self_type) }.uniq
  all -= ['nil'] if all.size > 1
  all.first if all.size == 1
end

def members(definition, name, variables, self_type)
  definition.methods.filter_map do |method, m|
    next if m.defs.none? { |d| d.implemented_in == name || d.defined_in == name } || m.accessibility == :private && !%w[::Kernel ::FileUtils].include?(name.to_s)
    next unless method.match?(/\A[a-z_]\w*[?!=]?\z/i)

    "\t#{[method, result(m, variables, self_type)].compact.join(' ')}"
  end.sort
end

def bases(definition, variables)
  definition.ancestors.ancestors.drop(1).filter_map do |a|
    next "self.#{name_of(a.name)}" if a.is_a?(RBS::Definition::Ancestor::Singleton)

    args = a.args.map { |t| written(t, variables, nil) }
    args.empty? || args.any?(&:nil?) ? name_of(a.name) : "#{name_of(a.name)}[#{args.join(', ')}]"
  end
end

def show(definition, name, variables, head)
  inherited = bases(definition, variables)
  puts inherited.empty? ? head : "#{head}: #{inherited.join(', ')}"
  puts members(definition, name, variables, head)
end

puts "# Ruby #{RUBY_VERSION}, rbs #{RBS::VERSION}"
environment.class_decls.keys.sort_by(&:to_s).each do |name|
  next if name.to_s.match?(/RBS|RubyVM|Ractor|Errno|Gem|Psych|RDoc|OpenSSL|::Net::HTTP[A-Z]|Socket|Addrinfo|Etc|Zlib|Resolv/)

  instance = BUILDER.build_instance(name)
  variables = instance.type_params
  head = variables.empty? ? name_of(name) : "#{name_of(name)}[#{variables.join(', ')}]"
  show(instance, name, variables, head)
  show(BUILDER.build_singleton(name), name, [], "self.#{name_of(name)}")
end
