package csharp

import "sextant/l2meta/resolve"

// What the standard library's types are known for: elements of collections,
// and the members by which one goes on to an element.

// sequences are the generic types whose argument is what they hold.
var sequences = map[string]bool{
	"List": true, "IList": true, "IEnumerable": true, "ICollection": true, "IReadOnlyList": true, "IReadOnlyCollection": true, "HashSet": true, "ISet": true,
	"Queue": true, "Stack": true, "LinkedList": true, "SortedSet": true, "IQueryable": true, "IOrderedEnumerable": true, "IOrderedQueryable": true,
	"IAsyncEnumerable": true, "ConcurrentQueue": true, "ConcurrentBag": true, "ConcurrentStack": true, "Collection": true, "ObservableCollection": true,
	"ReadOnlyCollection": true, "ImmutableArray": true, "ImmutableList": true, "ImmutableHashSet": true, "BlockingCollection": true, "DbSet": true, "IReadOnlySet": true,
}

// element is what iterating over a foreign type gives.
func element(t csharpType) (resolve.Type, bool) {
	switch {
	case t.known():
	case len(t.args) == 1 && (sequences[t.name] || t.name == "[]" || t.name == "Span" || t.name == "ReadOnlySpan"):
		return t.args[0], true
	case len(t.args) == 2 && maps[t.name]:
		pair := t.args[0].With("KeyValuePair<TKey, TValue>")
		pair.Bind = &resolve.Binding{Name: "TKey", Type: t.args[0], Next: &resolve.Binding{Name: "TValue", Type: t.args[1]}}
		return pair, true
	}
	return resolve.Type{}, false
}

var maps = map[string]bool{
	"Dictionary": true, "IDictionary": true, "IReadOnlyDictionary": true, "ConcurrentDictionary": true, "SortedDictionary": true, "ImmutableDictionary": true, "SortedList": true,
}

// standardProperty is the type of a property of a foreign type.
func standardProperty(t csharpType, name string) (resolve.Type, bool) {
	switch {
	case t.known() || len(t.args) == 0:
	case (name == "Count" || name == "Length") && (sequences[t.name] || maps[t.name] || t.name == "[]"):
		return t.args[0].With("int"), true
	case name == "Value" && len(t.args) == 1 && (t.name == "Lazy" || t.name == "Nullable" || t.name == "AsyncLocal" || t.name == "ThreadLocal" || t.name == "IOptions" || t.name == "LinkedListNode"):
		return t.args[0], true
	case name == "Result" && (t.name == "Task" || t.name == "ValueTask") && len(t.args) == 1:
		return t.args[0], true
	case name == "Value" && t.name == "KeyValuePair" && len(t.args) == 2:
		return t.args[1], true
	case name == "Key" && t.name == "KeyValuePair" && len(t.args) == 2:
		return t.args[0], true
	case name == "Values" && maps[t.name] && len(t.args) == 2:
		return listOf(t.args[1]), true
	case name == "Keys" && maps[t.name] && len(t.args) == 2:
		return listOf(t.args[0]), true
	}
	return resolve.Type{}, false
}

func listOf(element resolve.Type) resolve.Type {
	return resolve.Type{Text: "IEnumerable<TElement>", File: element.File, Scope: -1, Bind: &resolve.Binding{Name: "TElement", Type: element}}
}

// same are the methods of sequences that give a sequence of the same
// elements, one those that give an element.
var (
	same = map[string]bool{
		"Where": true, "OrderBy": true, "OrderByDescending": true, "ThenBy": true, "ThenByDescending": true, "Skip": true, "Take": true, "SkipWhile": true, "TakeWhile": true,
		"Distinct": true, "DistinctBy": true, "Reverse": true, "Concat": true, "Union": true, "Except": true, "Intersect": true, "ToList": true, "ToArray": true,
		"AsEnumerable": true, "AsQueryable": true, "ToHashSet": true, "Append": true, "Prepend": true, "AsReadOnly": true, "ToImmutableArray": true, "ToImmutableList": true, "FindAll": true,
	}
	one = map[string]bool{
		"First": true, "FirstOrDefault": true, "Single": true, "SingleOrDefault": true, "Last": true, "LastOrDefault": true, "ElementAt": true, "ElementAtOrDefault": true,
		"Find": true, "FindLast": true, "Dequeue": true, "Peek": true, "Pop": true, "MinBy": true, "MaxBy": true,
	}
	// elementwise are the others whose lambdas take an element.
	elementwise = map[string]bool{
		"Select": true, "SelectMany": true, "Any": true, "All": true, "Count": true, "LongCount": true, "Sum": true, "Min": true, "Max": true, "Average": true, "ForEach": true,
		"ToDictionary": true, "ToLookup": true, "GroupBy": true, "RemoveAll": true, "Exists": true, "TrueForAll": true, "FindIndex": true, "RemoveWhere": true,
	}
)

// members are methods without type arguments that the standard
// collections have themselves: such a method goes before one that extends it.
var members = map[string]map[string]bool{
	"List":                 resolve.Set("Add", "AddRange", "Remove", "RemoveAt", "Insert", "Contains", "Clear", "CopyTo", "IndexOf"),
	"IList":                resolve.Set("Add", "Remove", "RemoveAt", "Insert", "Contains", "Clear", "CopyTo", "IndexOf"),
	"Collection":           resolve.Set("Add", "Remove", "RemoveAt", "Insert", "Contains", "Clear", "CopyTo", "IndexOf"),
	"ObservableCollection": resolve.Set("Add", "Remove", "RemoveAt", "Insert", "Contains", "Clear", "CopyTo", "IndexOf"),
	"ICollection":          resolve.Set("Add", "Remove", "Contains", "Clear", "CopyTo"),
	"HashSet":              resolve.Set("Add", "Remove", "Contains", "Clear", "CopyTo", "TryGetValue"),
	"SortedSet":            resolve.Set("Add", "Remove", "Contains", "Clear", "CopyTo", "TryGetValue"),
	"ISet":                 resolve.Set("Add", "Remove", "Contains", "Clear", "CopyTo"),
	"Stack":                resolve.Set("Push", "Pop", "Peek", "Contains", "Clear", "CopyTo"),
	"Queue":                resolve.Set("Enqueue", "Dequeue", "Peek", "Contains", "Clear", "CopyTo"),
	"Dictionary":           resolve.Set("Add", "Remove", "Clear", "TryGetValue", "ContainsKey", "ContainsValue", "TryAdd"),
	"IDictionary":          resolve.Set("Add", "Remove", "Clear", "TryGetValue", "ContainsKey", "Contains", "CopyTo"),
	"SortedDictionary":     resolve.Set("Add", "Remove", "Clear", "TryGetValue", "ContainsKey", "ContainsValue", "CopyTo"),
	"IReadOnlyDictionary":  resolve.Set("TryGetValue", "ContainsKey"),
	"ConcurrentDictionary": resolve.Set("TryAdd", "TryRemove", "TryUpdate", "TryGetValue", "ContainsKey", "GetOrAdd", "AddOrUpdate", "Clear"),
	"string":               resolve.Set("Contains", "CopyTo", "IndexOf", "Insert", "Remove"),
}

// has reports whether a foreign type is known to have a method that takes
// what a call hands over.
func has(t csharpType, name string, h hands) bool {
	return reflection[t.name][name] || members[t.name][name] && h.typeCount <= 0
}

// ofValues are the standard interfaces of text, numbers and tuples.
var ofValues = resolve.Set("IComparable", "IConvertible", "IFormattable", "IEquatable", "ICloneable", "IParsable", "ISpanFormattable", "ValueType", "Enum")

// database are the classes of System.Data.Common that implement the
// interface of that name with an I: DbConnection : IDbConnection.
var database = resolve.Set("DbConnection", "DbCommand", "DbTransaction", "DbDataAdapter")

// reflection are methods that the types of reflection have themselves:
// such a method goes before one that extends the type.
var reflection = map[string]map[string]bool{
	"Type": resolve.Set("GetConstructor", "GetConstructors", "GetMethod", "GetMethods", "GetField", "GetFields", "GetProperty", "GetProperties", "GetMember", "GetMembers",
		"GetEvent", "GetEvents", "GetInterface", "GetInterfaces", "GetNestedType", "GetNestedTypes", "GetGenericArguments", "GetGenericTypeDefinition", "GetElementType",
		"GetEnumNames", "GetEnumValues", "GetEnumUnderlyingType", "GetGenericParameterConstraints", "IsAssignableFrom", "IsAssignableTo", "IsInstanceOfType", "IsSubclassOf",
		"IsEnumDefined", "MakeGenericType", "MakeArrayType", "IsDefined", "GetArrayRank", "GetDefaultMembers", "FindInterfaces", "FindMembers", "InvokeMember"),
	"PropertyInfo":    resolve.Set("GetValue", "SetValue", "GetGetMethod", "GetSetMethod", "GetAccessors", "GetIndexParameters", "IsDefined"),
	"FieldInfo":       resolve.Set("GetValue", "SetValue", "GetRawConstantValue", "IsDefined"),
	"MethodInfo":      resolve.Set("Invoke", "GetParameters", "GetBaseDefinition", "GetGenericArguments", "GetGenericMethodDefinition", "MakeGenericMethod", "CreateDelegate", "IsDefined"),
	"MethodBase":      resolve.Set("Invoke", "GetParameters", "GetGenericArguments", "GetMethodBody", "IsDefined"),
	"ConstructorInfo": resolve.Set("Invoke", "GetParameters", "IsDefined"),
}

// takesElement reports whether the lambda of a sequence's method takes an
// element.
func takesElement(name string) bool {
	return elementwise[name] || same[name] || one[name]
}

// standardResult is the result type of a method of a foreign type.
func standardResult(t csharpType, name string) (resolve.Type, bool) {
	if name == "ConfigureAwait" && len(t.args) == 1 && (t.name == "Task" || t.name == "ValueTask") {
		return resolve.Type{Text: "ConfiguredTaskAwaitable<TElement>", File: t.args[0].File, Scope: -1, Bind: &resolve.Binding{Name: "TElement", Type: t.args[0]}}, true
	}
	element, ok := element(t)
	switch {
	case !ok:
	case one[name]:
		return element, true
	case same[name]:
		return listOf(element), true
	}
	return resolve.Type{}, false
}
