// Package typescript resolves the calls of TypeScript and JavaScript files and of the components
// of Svelte and Vue. Its subpackage rules extracts the declarations, calls and types of these
// files.
//
// These make the languages difficult. Modules are found by the rules of Node, of tsconfig paths
// and of package exports. Objects are typed by structure. Functions are passed as properties,
// parameters and results of hooks. JavaScript has the modules of CommonJS, and constructor
// functions in place of classes. A library function may return a value that the workspace passed
// to it; a call on such a value is not external.
package typescript
