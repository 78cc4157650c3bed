// The truth about calls in a C# work tree, from the C# compiler (Oracle.cs):
// one line of JSON a call site on standard output, sorted by file, line and
// column.
//
//   node csharp.mjs ROOT
import { resolve } from 'node:path';
import { run } from './roslyn.mjs';

await run('Oracle.cs', { ORACLE_ROOT: resolve(process.argv[2]) }, process.stdout);
