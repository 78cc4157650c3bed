package l2meta

// ExtractorVersion is part of the schema version of every index: it is raised
// when the same bytes give other facts.
const ExtractorVersion = 34
