package l2meta

// ExtractorVersion is part of the schema version of every index. It is raised whenever the rules
// read other facts from the same bytes.
const ExtractorVersion = 68
