package l2meta

// ExtractorVersion is part of the schema version of every index. It is raised when the same bytes
// yield other facts.
const ExtractorVersion = 45
