// The programs and the library as a few files of plain JavaScript: they start in half the time that some 1,500
// sources take (hack/decisions/2026-11-23-bundled-programs.md). Packages stay packages.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { bundlesFolder, digestOfSources } from '../cmd/clonebundle.ts'
import { bundleScripts, inAscii, programsByScripts, readable } from './scripts.ts'

const root = join(import.meta.dirname, '..')

type EntryPoints = Readonly<Record<string, string>>

/** The programs as modules, from which servers run that live long (cmd/scripts.ts). */
const programModules = {
  apiserver: 'chunks/apiserver-program',
  'controller-manager': 'chunks/controller-manager-program',
  pilothouse: 'chunks/pilothouse-program',
  scheduler: 'chunks/scheduler-program',
} as const

/**
 * Modules by the path of the file that each becomes, without its ending. Those of one group share chunks; the controller
 * manager and the scheduler share none with the API server, as they would load everything that it needs.
 */
const groups: readonly EntryPoints[] = [
  {
    [programModules.apiserver]: 'cmd/apiserver/program.ts',
    [programModules.pilothouse]: 'cmd/pilothouse/program.ts',
    'cmd/pilothouse/library': 'cmd/pilothouse/library.ts',
    // The thread of lib/controlplane/largework/threadprogram.ts, which expects it beside its own chunk or script.
    'chunks/largework': 'lib/controlplane/largework/thread.ts',
  },
  {
    [programModules['controller-manager']]: 'cmd/controller-manager/program.ts',
    [programModules.scheduler]: 'cmd/scheduler/program.ts',
  },
]

/** Number of bundles of this clone that are kept: running programs load parts of theirs later. */
const keptBundles = 6

/** Writes the bundle into `folder`, which is below a folder with the project's package.json. Throws build errors. */
async function bundlePrograms(folder: string): Promise<void> {
  for (const group of groups) await bundleModules(folder, group, { splitting: true })
  const scripts = await bundleScripts()
  for (const { file, text } of scripts) writeFileSync(join(folder, 'chunks', file), text)
  const scriptFiles = JSON.stringify(Object.fromEntries(scripts.map(({ script, file }) => [script, file])))
  // `--version` loads no script.
  const mains = Object.fromEntries(
    Object.keys(programModules).map((name) => [`cmd/${name}/main`, `cmd/${name}/main.ts`]),
  )
  const plugins = [programsByScripts(programModules)]
  await bundleModules(folder, mains, { splitting: true, define: { scriptFiles }, plugins })
  await bundleConsole(join(folder, 'page'))
}

const pages = ['index.html', 'signedin.html']

/** In the place of Node's own. */
const shims = {
  net: join(root, 'lib/console/tryout/browser/net.ts'),
  buffer: join(root, 'lib/console/tryout/browser/buffer.ts'),
}

const tryoutPackages: ReadonlySet<string> = new Set(['re2js', 'yaml'])

/**
 * The thread of the page's try-out box (lib/console/tryout), a classic script: the engine of expressions and what it
 * needs of Node, without the rest of the rooms that it comes from, whose modules change nothing when they are loaded.
 */
export async function tryoutProgram(): Promise<{ name: string; contents: Uint8Array }> {
  const { build } = await import('esbuild')
  const only: Plugin = {
    name: 'only what is used',
    setup({ onResolve }) {
      onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir }) => ({
        path: join(resolveDir, path),
        sideEffects: false,
      }))
      // Modules that are left out import others.
      onResolve({ filter: /^[@a-z]/ }, ({ path, kind, importer }) => {
        if (kind === 'entry-point' || tryoutPackages.has(path)) return undefined
        // Rooms without sockets check addresses only (hack/layers.ts).
        const checksAddresses = path === 'node:net' && /\/lib\/(?:cel|crd|object)\//.test(importer)
        return checksAddresses ? { path: shims.net } : { path, external: true, sideEffects: false }
      })
    },
  }
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { tryout: 'lib/console/tryout/thread.ts' },
    outdir: 'page',
    entryNames: '[name]-[hash]',
    inject: [shims.buffer],
    plugins: [only],
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2024',
    format: 'iife',
    logLevel: 'warning',
    metafile: true,
    write: false,
  })
  const [program] = outputFiles
  const needs = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  if (!program || needs.length > 0) throw new Error(`the thread of the try-out box needs ${needs.join(', ')}`)
  return { name: basename(program.path), contents: program.contents }
}

/** What is in console/: scripts, a style sheet and a picture, named by their contents, and the pages that load them. */
export async function consoleFiles(): Promise<{ name: string; contents: Uint8Array }[]> {
  const { build } = await import('esbuild')
  const tryout = await tryoutProgram()
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'console/main.ts',
      signedin: 'console/signedin.ts',
      style: 'console/style.css',
      icon: 'console/icon.svg',
    },
    outdir: 'page',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    loader: { '.svg': 'copy' },
    define: { tryoutProgram: JSON.stringify(tryout.name) },
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    target: 'es2024',
    format: 'esm',
    logLevel: 'warning',
    metafile: true,
    write: false,
  })
  const files = [tryout, ...outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }))]
  for (const name of pages) {
    let page = readFileSync(join(root, 'console', name), 'utf8')
    for (const [path, { entryPoint }] of Object.entries(metafile.outputs))
      if (entryPoint !== undefined)
        page = page.replace(`%${basename(entryPoint).replace('.ts', '.js')}%`, basename(path))
    files.push({ name, contents: Buffer.from(page) })
  }
  return files
}

async function bundleConsole(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const { name, contents } of await consoleFiles()) writeFileSync(join(folder, name), contents)
}

async function bundleModules(folder: string, entryPoints: EntryPoints, more: BuildOptions): Promise<void> {
  // Loaded only for building: most starts of a clone find their bundle.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: Object.entries(entryPoints).map(([out, from]) => ({ in: from, out })),
    outdir: folder,
    bundle: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    packages: 'external',
    ...readable,
    logLevel: 'warning',
    ...more,
    write: false,
  })
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, inAscii(text), { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
}

/**
 * The folder with the bundled programs of this clone, for processes that get it as PILOTHOUSE_PROGRAMS. They are
 * bundled again when a source has changed. Earlier bundles stay for the processes that run them.
 */
export async function bundleClone(): Promise<string> {
  const folder = join(bundlesFolder, digestOfSources())
  if (existsSync(folder)) return folder
  const made = `${folder}.${process.pid}`
  try {
    await bundlePrograms(made)
    removeOld(bundlesFolder, keptBundles)
    renameSync(made, folder)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    // Unless another process was faster, a source can't be bundled.
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** Removes all but the newest ones of what is in the folder. */
export function removeOld(all: string, kept: number): void {
  const bundles = readdirSync(all).map((name) => join(all, name))
  const newestFirst = bundles.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const path of newestFirst.slice(kept)) rmSync(path, { recursive: true, force: true })
}

if (import.meta.main) await bundleClone()
