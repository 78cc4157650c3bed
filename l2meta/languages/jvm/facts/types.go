package facts

import (
	"sextant/l2meta/resolve"
)

// Plain lists library types to which no function literal can be passed.
var Plain = resolve.Words("String KClass int long boolean double float char byte short Class CharSequence Integer " +
	"Long Boolean Int Any Object Locale List Map Set Collection")

// Containers lists library types that hold values of their type argument.
var Containers = resolve.Words(
	`Iterable Collection List ArrayList LinkedList Set HashSet LinkedHashSet TreeSet SortedSet NavigableSet Queue Deque
 ArrayDeque PriorityQueue Iterator ListIterator Stream Optional Vector Stack CopyOnWriteArrayList CopyOnWriteArraySet BlockingQueue LinkedBlockingQueue
 ConcurrentLinkedQueue ConcurrentLinkedDeque MutableList MutableSet MutableCollection MutableIterable Sequence Array Seq IndexedSeq Option Some
 ThreadLocal AtomicReference WeakReference SoftReference Supplier Callable Future CompletableFuture Lazy Provider Enumeration ImmutableList ImmutableSet
 Flow StateFlow SharedFlow Deferred Channel ReceiveChannel`)

// Maps lists library types that hold keys and values.
var Maps = resolve.Words("Map HashMap LinkedHashMap TreeMap SortedMap NavigableMap ConcurrentMap ConcurrentHashMap " +
	"EnumMap WeakHashMap IdentityHashMap MutableMap ImmutableMap Entry MutableEntry")

// Boxes maps the classes of boxed values to their primitive types.
var Boxes = map[string]string{"Byte": "byte", "Short": "short", "Character": "char", "Integer": "int", "Long": "long",
	"Float": "float", "Double": "double", "Boolean": "boolean"}

// Arrow returns the byte offset of the arrow in the text of a function type, (A) -> B or A => B;
// -1 if there is none.
func Arrow(text string) int {
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch c := text[i]; {
		case depth == 0 && i > 0 && text[i+1] == '>' && (c == '-' || c == '='):
			return i
		case c == '(' || c == '[' || c == '<':
			depth++
		case c == ')' || c == ']' || c == '>' && text[max(i-1, 0)] != '-' && text[max(i-1, 0)] != '=':
			depth--
		}
	}
	return -1
}

// NameByte reports whether c may be part of a name.
func NameByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
