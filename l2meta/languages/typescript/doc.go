// Package typescript reads TypeScript, JavaScript and the scripts of
// Svelte components, and resolves their calls.
//
// Hard here: a module is found by the rules of Node, of tsconfig paths and of
// package exports; objects are typed by structure; functions travel as properties,
// parameters and results of hooks; JavaScript has CommonJS and classes made of
// functions. What a library hands back may be the workspace's, and is not external
// then.
package typescript
