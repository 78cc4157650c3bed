// Writes the table of .NET's types (Library.cs), in the form that the package
// l2meta/library reads.
//
//   node library.mjs
import { createWriteStream } from 'node:fs';
import { run } from './roslyn.mjs';

await run('Library.cs', {}, createWriteStream(new URL('../../../l2meta/languages/csharp/library.txt', import.meta.url)));
