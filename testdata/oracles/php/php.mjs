// The truth about calls in a PHP work tree: where two language servers of
// different makers agree on the declaration, that is it; where they differ, or
// know none, the site is "unknown". Sites and declarations are PHP's own
// tokenizer's. One line of JSON a call site on standard output, sorted by file,
// line and column.
//
//   node php.mjs ROOT
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Server } from './server.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const devsense = join(here, 'node_modules/devsense-php-ls-linux-x64/dist/devsense.php.ls');
if (!existsSync(devsense)) execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] });
chmodSync(devsense, 0o755);
const root = realpathSync(process.argv[2]);

const files = execFileSync('git', ['-C', root, 'ls-files', '-z', '*.php'], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\0').filter(Boolean).sort();
const listed = execFileSync('php', [join(here, 'sites.php')], { input: files.map(f => join(root, f) + '\n').join(''), encoding: 'utf8', maxBuffer: 1 << 30 });
const tree = new Map(listed.split('\n').filter(Boolean).map(l => JSON.parse(l)).map(f => [relative(root, f.file), f]));

const store = mkdtempSync(join(tmpdir(), 'truth-'));
const servers = [
  new Server('node', [join(here, 'node_modules/intelephense/lib/intelephense.js'), '--stdio'], root, /Indexing finished/, { storagePath: store, clearCache: true }),
  new Server(devsense, ['--stdio'], root, /Indexing done/, {}),
];
for (const s of servers) await s.start();
for (const [file, { sites }] of tree) {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n');
  const positions = sites.map(s => ({ line: s.line - 1, character: Buffer.from(lines[s.line - 1]).subarray(0, s.column - 1).toString().length }));
  const [one, other] = await Promise.all(servers.map(s => s.definitions(join(root, file), text, positions)));
  sites.forEach((site, i) => console.log(JSON.stringify({ file, line: site.line, column: site.column, name: site.name, ...judge(site, one[i], other[i]) })));
}
for (const s of servers) s.stop();
rmSync(store, { recursive: true });

// judge is the class and targets of a site by what the two servers say of it.
function judge(site, one, other) {
  const [a, b] = [one, other].map(list => places(site, list));
  if (a.length === 0 || b.length === 0 || key(a) !== key(b)) return { class: 'unknown', targets: [] };
  if (a[0].file === '') return { class: 'external', targets: [] };
  const promised = a.every(p => p.declaration.promise);
  const targets = a.flatMap(p => [{ file: p.file, line: p.declaration.line }, ...p.also]);
  return { class: promised ? 'interface' : 'static', targets };
}

function key(list) {
  return list.map(p => p.file + ':' + (p.declaration?.line ?? '')).sort().join(' ');
}

// places turns locations into declarations of the tree; a location elsewhere
// is the file "". A construction means its class, and the constructor too.
// Locations that are no declaration of that name make the answer useless.
function places(site, list) {
  const constructs = site.form === 'new' || site.form === 'attribute';
  const out = new Map();
  for (const [uri, line] of list) {
    if (!uri.startsWith('file:') || !tree.has(relative(root, fileURLToPath(uri)))) {
      out.set('', { file: '' });
      continue;
    }
    const file = relative(root, fileURLToPath(uri));
    const { declarations } = tree.get(file);
    // A server may answer with the documentation or the attributes before it.
    let declaration = declarations.find(d => d.line >= line && (constructs ? d.kind !== 'method' || d.name === '__construct' : d.name.toLowerCase() === site.name.toLowerCase()));
    if (!declaration) return [];
    if (constructs && declaration.typeLine) declaration = declarations.find(d => d.line === declaration.typeLine) ?? declaration;
    const also = constructs ? declarations.filter(d => d.name === '__construct' && d.typeLine === declaration.line).map(d => ({ file, line: d.line })) : [];
    out.set(file + declaration.line, { file, declaration, also });
  }
  if (out.size > 1 && out.has('')) {
    if (!constructs) return [];
    out.delete(''); // the constructor comes from elsewhere
  }
  return [...out.values()];
}
