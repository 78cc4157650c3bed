// The truth about calls in a C# work tree, from the C# compiler (Oracle.cs):
// one line of JSON a call site on standard output, sorted by file, line and
// column. The compiler and its runtime are those that a program from npm
// carries; Boot.cs, which Debian's mcs (package mono-mcs) compiles, lets the
// oracle in. Both are made ready on the first run.
//
//   node csharp.mjs ROOT
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const made = join(here, 'node_modules');
const program = join(made, '@cyclonedx/cdxgen-plugins-bin-linux-amd64/plugins/dosai/dosai-linux-amd64');
const references = join(made, '.references');
const boot = join(made, '.boot.dll');
const quiet = { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] };

if (!existsSync(program)) execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], quiet);
if (!existsSync(references)) execFileSync('node', ['unbundle.mjs', program, references], quiet);
if (!existsSync(boot)) execFileSync('mcs', ['-target:library', `-out:${boot}`, 'Boot.cs'], quiet);
execFileSync('chmod', ['+x', program]);

const folder = mkdtempSync(join(tmpdir(), 'truth-'));
const output = join(folder, 'truth.jsonl');
execFileSync(program, [], {
  ...quiet,
  env: {
    ...process.env, DOTNET_STARTUP_HOOKS: boot, DOTNET_gcServer: '0',
    ORACLE_SOURCE: join(here, 'Oracle.cs'), ORACLE_REFERENCES: references, ORACLE_ROOT: resolve(process.argv[2]), ORACLE_OUTPUT: output,
  },
});
await pipeline(createReadStream(output), process.stdout);
rmSync(folder, { recursive: true });
