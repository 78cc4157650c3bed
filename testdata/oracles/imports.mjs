// Prints the file→file imports of the TypeScript and JavaScript files below a
// folder, as "from<TAB>to", as the TypeScript compiler resolves them with the
// nearest tsconfig.json: imports, re-exports, import() and require(). Packages of the
// workspace itself count only where the configuration names them: nothing is
// installed. The second argument is a folder that has TypeScript.
import fs from 'node:fs'
import path from 'node:path'
import {createRequire} from 'node:module'

const ts = createRequire(path.resolve(process.argv[3]) + '/')('typescript')
const root = fs.realpathSync(process.argv[2])
const target = /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs|json)$/
const script = /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/
const all = []
function walk(folder) {
  for (const e of fs.readdirSync(folder, {withFileTypes: true})) {
    const at = path.join(folder, e.name)
    if (e.isDirectory() && e.name !== 'node_modules' && !e.name.startsWith('.')) walk(at)
    if (e.isFile() && script.test(e.name)) all.push(at)
  }
}
walk(root)

const options = new Map()
function optionsOf(folder) {
  if (!options.has(folder)) {
    const file = ts.findConfigFile(folder, ts.sys.fileExists)
    let found = {}
    if (file && file.startsWith(root)) {
      found = ts.parseJsonConfigFileContent(ts.readConfigFile(file, ts.sys.readFile).config, {...ts.sys, readDirectory: () => []}, path.dirname(file)).options
    }
    const modern = found.moduleResolution && found.moduleResolution !== ts.ModuleResolutionKind.Classic
    options.set(folder, {...found, allowJs: true, resolveJsonModule: true, moduleResolution: modern ? found.moduleResolution : ts.ModuleResolutionKind.Bundler})
  }
  return options.get(folder)
}

for (const file of all) {
  const info = ts.preProcessFile(fs.readFileSync(file, 'utf8'), true, true)
  const found = new Set()
  for (const i of info.importedFiles) {
    const r = ts.resolveModuleName(i.fileName, file, optionsOf(path.dirname(file)), ts.sys).resolvedModule
    if (r && r.resolvedFileName.startsWith(root) && target.test(r.resolvedFileName) && !r.resolvedFileName.includes('node_modules')) found.add(r.resolvedFileName)
  }
  console.log(path.relative(root, file) + '\t') // it was read
  for (const to of found) if (to !== file) console.log(path.relative(root, file) + '\t' + path.relative(root, to))
}
