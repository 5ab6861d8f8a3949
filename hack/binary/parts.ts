// The texts of the binary's parts (cmd/binary/parts.ts): each a script of one function, with all packages inside.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { programs } from '../../cmd/binary/programs.ts'
import { consoleFiles } from '../bundle.ts'
import { handOver, inAscii, storePackages } from '../scripts.ts'

const root = join(import.meta.dirname, '..', '..')

interface Manifest {
  readonly version: string
  readonly peerDependencies: Readonly<Record<string, string>>
}

const { version, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

/** Begins the names of the assets that are files of the console. */
const pagePrefix = 'page.'

/** Packages that a program loads only when it is configured to trace; those of types are no code. */
const optionalPackages = Object.keys(peerDependencies).filter((name) => !name.startsWith('@types/'))

/** Options that all scripts share. Names and lines stay, so that stack traces can be read. */
const shared: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node26',
  logLevel: 'warning',
  write: false,
  minifyWhitespace: true,
  lineLimit: 120,
  external: ['msgpackr-extract', 'pilothouse:*'],
}

/** No file of a part has a place of its own, nor finds anything beside it: Debian keeps this folder from existing. */
const placeless = {
  'import.meta.url': '"file:///nonexistent/pilothouse/binary/file.js"',
  'import.meta.dirname': '"/nonexistent/pilothouse/binary"',
}

/** The parts by the names of assets. */
export async function bundleParts(): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const thread = await bundle('cmd/binary/thread.ts', { format: 'esm' })
  const page = await consoleFiles()
  const parts = new Map<string, string | Uint8Array>([
    ['main.cjs', await bundle('cmd/binary/main.ts', { format: 'cjs' })],
  ])
  const replaced = replace({
    'cmd/packageversion.ts': `export const packageVersion = () => ${JSON.stringify(version)}`,
    'lib/console/source.ts': consoleSource,
    'cmd/owncommand.ts': 'export const ownCommand = () => [process.execPath]',
    'lib/controlplane/largework/threadprogram.ts': `export const threadProgram = new URL(${JSON.stringify(
      `data:text/javascript,${encodeURIComponent(thread)}`,
    )})`,
  })
  const entry = `export const programs = {${Object.keys(programs)
    .map((name) => `${JSON.stringify(name)}: () => import('./cmd/${name}/program.ts')`)
    .join(', ')}}`
  const ofThread = `export const thread = () => import('./lib/controlplane/largework/thread.ts')`
  for (const { name, contents } of page) parts.set(pagePrefix + name, contents)
  parts.set('whole.js', await bundlePart(`${entry}\n${ofThread}`, [replaced, storePackages, optionalByName]))
  parts.set('brief.js', await bundlePart(entry, [replaced, handOver]))
  const packages = optionalPackages.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`)
  parts.set('optional.js', await bundlePart(`export const packages = {${packages.join(', ')}}`, []))
  return parts
}

/** The page's files are assets, too. */
const consoleSource = `
  import { getAssetKeys, getRawAsset } from 'node:sea'
  export const page = 'index.html'
  const names = () => getAssetKeys().flatMap((key) => key.startsWith('${pagePrefix}') ? key.slice(${pagePrefix.length}) : [])
  export const findConsoleSource = () => ({
    names: names(),
    read: async (name) => new Uint8Array(getRawAsset('${pagePrefix}' + name)),
  })`

/** Imports at run time become calls of the part's own `require`. */
async function bundlePart(contents: string, plugins: Plugin[]): Promise<string> {
  const text = await run({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: placeless,
    plugins,
  })
  return `(function (exports, require, module, __filename, __dirname) {${text}\n})`
}

async function bundle(file: string, options: BuildOptions): Promise<string> {
  return await run({ entryPoints: [file], define: placeless, ...options })
}

async function run(options: BuildOptions): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({ ...shared, ...options })
  return inAscii(outputFiles?.[0]?.text ?? '')
}

/** Files whose code needs to know where it is. */
function replace(texts: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'replaced files',
    setup({ onLoad }) {
      const pattern = new RegExp(`/(${Object.keys(texts).join('|').replaceAll('.', '\\.')})$`)
      onLoad({ filter: pattern }, ({ path }) => ({ contents: texts[relative(root, path)] ?? '', loader: 'ts' }))
    },
  }
}

const optionalByName: Plugin = {
  name: 'packages of the optional part',
  setup({ onResolve }) {
    const filter = new RegExp(`^(${optionalPackages.join('|')})$`)
    onResolve({ filter }, ({ path }) => ({ path: `pilothouse:package/${path}`, external: true }))
  },
}
