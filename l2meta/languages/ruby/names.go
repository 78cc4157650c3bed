package ruby

import (
	"sextant/l2meta/resolve"
)

// core lists the classes of the language and its standard library. If a workspace declares one of
// them, it extends the class.
var core = resolve.Words(`
	ArgumentError Array BasicObject BigDecimal Binding Class ClosedQueueError Comparable Complex ConditionVariable
	Data Date DateTime Dir EOFError Encoding EncodingError Enumerable Enumerator Exception FalseClass Fiber
	FiberError File Float FloatDomainError FrozenError GC Hash IO IOError IndexError Integer Interrupt Kernel
	KeyError LoadError LocalJumpError Logger Marshal MatchData Math Method Module Mutex NameError NilClass
	NoMatchingPatternError NoMatchingPatternKeyError NoMemoryError NoMethodError NotImplementedError Numeric
	Object ObjectSpace OpenStruct Pathname Proc Process Queue Random Range RangeError Rational Regexp RegexpError
	RuntimeError ScriptError SecurityError Set Signal SignalException StandardError StopIteration String StringIO
	Struct Symbol SyntaxError SystemCallError SystemExit SystemStackError Tempfile Thread ThreadError Time
	TracePoint TrueClass TypeError URI UnboundMethod UncaughtThrowError ZeroDivisionError
`)

// modules lists library modules that the lookup of a method may skip, because no program gives
// its own methods the names of theirs.
var modules = resolve.Words(`
	Comparable Enumerable Kernel Singleton Forwardable SingleForwardable MonitorMixin Observable ERB::Util Math
	Process ActiveSupport::Concern Minitest::Assertions Rake::DSL FileUtils Timeout
`)

// kernel lists the methods of every object and of every class. A bare call refers to one of them
// if nothing else declares the name.
var kernel = resolve.Words(`
	__callee__ __dir__ __id__ __method__ __send__ abort alias_method allocate ancestors append_features at_exit
	attr attr_accessor attr_reader attr_writer autoload autoload? binding block_given? caller caller_locations
	catch class class_eval class_exec class_variable_defined? class_variable_get class_variable_set
	class_variables clone const_defined? const_get const_missing const_set const_source_location constants
	define_method define_singleton_method deprecate_constant display dup enum_for eql? equal? eval exec exit exit!
	extend extend_object extended fail fork format freeze frozen? gets global_variables hash include include?
	included included_modules initialize initialize_clone initialize_copy initialize_dup inspect instance_eval
	instance_exec instance_method instance_methods instance_of? instance_variable_defined? instance_variable_get
	instance_variable_set instance_variables is_a? iterator? itself kind_of? lambda load local_variables loop
	method method_added method_defined? method_missing method_removed method_undefined methods module_eval
	module_exec module_function name new nil? object_id open p pp prepend prepend_features prepended print printf
	private private_class_method private_constant private_instance_methods private_method_defined? private_methods
	proc protected protected_instance_methods protected_method_defined? protected_methods public
	public_class_method public_constant public_instance_method public_instance_methods public_method
	public_method_defined? public_methods public_send putc puts raise rand readline readlines refine
	remove_class_variable remove_const remove_instance_variable remove_method require require_relative respond_to?
	respond_to_missing? ruby2_keywords select send set_trace_func singleton_class singleton_class?
	singleton_method singleton_method_added singleton_method_removed singleton_method_undefined singleton_methods
	sleep spawn sprintf srand subclasses superclass syscall system taint tainted? tap test then throw to_enum to_s
	trace_var trap trust undef_method untaint untrace_var untrust untrusted? using warn yield_self
`)

// objectMethods lists the public methods of every object.
var objectMethods = resolve.Words(`
	__id__ __send__ class clone define_singleton_method display dup enum_for eql? equal? extend freeze frozen?
	hash inspect instance_eval instance_exec instance_of? instance_variable_defined? instance_variable_get
	instance_variable_set instance_variables is_a? itself kind_of? method methods nil? object_id private_methods
	protected_methods public_method public_methods public_send remove_instance_variable respond_to? send
	singleton_class singleton_method singleton_methods taint tainted? tap then to_enum to_s trust untaint untrust
	untrusted? yield_self
`)

// moduleMethods lists the public methods of every class.
var moduleMethods = resolve.Words(`
	alias_method allocate ancestors attr attr_accessor attr_reader attr_writer autoload autoload? class_eval
	class_exec class_variable_defined? class_variable_get class_variable_set class_variables const_defined?
	const_get const_missing const_set const_source_location constants define_method deprecate_constant freeze
	include include? included_modules inspect instance_method instance_methods method_defined? module_eval
	module_exec name new prepend private_class_method private_constant private_instance_methods
	private_method_defined? protected_instance_methods protected_method_defined? public_class_method
	public_constant public_instance_method public_instance_methods public_method_defined? remove_class_variable
	remove_method singleton_class? subclasses superclass to_s undef_method
`)
