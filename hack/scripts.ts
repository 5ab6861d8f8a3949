// The programs as scripts that cmd/scripts.ts runs: one function each, with all sources inside and packages outside.
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { type ProgramName, runScript, type ScriptName } from '../cmd/scripts.ts'

const root = join(import.meta.dirname, '..')

/** What a script for `--help`, `--version` and envtest's etcd contains beyond the programs' first files. */
const briefFiles = /^cmd\/[\w-]+\/program\.ts$|^cmd\/pilothouse\/envtest\/index\.ts$|^lib\/features\/index\.ts$/

const programsOf = {
  brief: ['apiserver', 'controller-manager', 'pilothouse', 'scheduler'],
  server: ['apiserver', 'pilothouse'],
} as const satisfies Readonly<Record<string, readonly ProgramName[]>>

/** Loads what each start of a server needs: a snapshot has it loaded. */
const preload = `export const preload = () => Promise.all([
  ...Object.values(programs).map((load) => load()),
  import('./cmd/apiserver/serve.ts'),
  import('./cmd/pilothouse/runup.ts'),
])`

/** Packages that no usual start loads. */
const rarePackages = ['@grpc/grpc-js', '@koa/router', '@opentelemetry/*', 'koa', 'msgpackr-extract', 'pprof-format']

/** Names and lines stay, so that stack traces can be read; white space is a quarter of the texts. */
export const readable = { minifyWhitespace: true, lineLimit: 120 } as const

/**
 * Leaves the rest of the programs to another script, which starts the program again; what waits for the import waits forever.
 */
export const handOver: Plugin = {
  name: 'rest of the programs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
      const target = join(resolveDir, path)
      const isHere = kind !== 'dynamic-import' || briefFiles.test(relative(root, target))
      return isHere ? undefined : { path: target, namespace: 'handover' }
    })
    onLoad({ filter: /./, namespace: 'handover' }, () => ({
      contents: `require('pilothouse:handover')(); module.exports = { then() {} }`,
    }))
  },
}

const saving: Plugin = {
  name: 'compiled code of scripts',
  setup({ onLoad }) {
    onLoad({ filter: /\/cmd\/compiledcode\.ts$/ }, () => ({
      contents: `export const saveCompiledCode = () => require('pilothouse:save')()`,
    }))
  },
}

/**
 * The packages of the embedded store, taken as CommonJS: one of them evaluates a text with names of its own variables, which
 * bundling ES modules renames. Where the script runs decides where the native code comes from.
 */
export const storePackages: Plugin = {
  name: 'packages of the embedded store',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^lmdb$/ }, () => ({ path: createRequire(import.meta.url).resolve('lmdb') }))
    onResolve({ filter: /^node-gyp-build-optional-packages$/ }, () => ({ path: 'lmdb', namespace: 'addon' }))
    onLoad({ filter: /./, namespace: 'addon' }, () => ({
      contents: `module.exports = () => require('pilothouse:lmdb')`,
    }))
  },
}

/** Threads of a program in a snapshot abort when they load node:net: it has processes for large objects. */
const workersAsProcesses: Plugin = {
  name: 'processes in the place of threads',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/startworker\.ts$/ }, ({ importer, resolveDir }) =>
      importer.endsWith('/workerthread.ts') ? { path: join(resolveDir, 'workerprocess.ts') } : undefined,
    )
  },
}

/** A snapshot can't hold these of Node's modules: they are loaded when one of their exports is used. */
const loadedOnUse: Plugin = {
  name: "Node's modules on use",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?(http2?|https|tls)$/ }, ({ path }) => ({
      path: path.replace(/^(node:)?/, 'node:'),
      namespace: 'onuse',
    }))
    onLoad({ filter: /./, namespace: 'onuse' }, async ({ path }) => {
      const { default: _, ...named } = (await import(path)) as object & { default: unknown }
      const getters = Object.keys(named).map((name) => `get ${name}() { return load().${name} },`)
      return {
        contents: `let loaded; const load = () => loaded ??= process.getBuiltinModule('${path}')
          module.exports = {${getters.join('\n')}}`,
      }
    })
  },
}

/** The texts of the scripts, and the names of their files. */
export async function bundleScripts(): Promise<readonly { script: ScriptName; file: string; text: string }[]> {
  const texts: Readonly<Record<ScriptName, Promise<string>>> = {
    brief: bundleScript(programsOf.brief, { packages: 'external', external: ['pilothouse:*'], plugins: [handOver] }),
    server: bundleScript(
      programsOf.server,
      {
        external: [...rarePackages, 'pilothouse:*'],
        plugins: [saving, storePackages, workersAsProcesses, loadedOnUse],
      },
      preload,
    ),
    maker: bundleText({ entryPoints: ['cmd/snapshot/maker.ts'] }),
  }
  return await Promise.all(
    (Object.keys(texts) as ScriptName[]).map(async (script) => {
      const text = await texts[script]
      const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
      return { script, file: `${script}-${digest}.cjs`, text }
    }),
  )
}

async function bundleScript(programs: readonly ProgramName[], options: BuildOptions, more = ''): Promise<string> {
  const entries = programs.map((name) => `${JSON.stringify(name)}: () => import('./cmd/${name}/program.ts')`)
  const text = await bundleText({
    stdin: { contents: `export const programs = {${entries.join(', ')}}\n${more}`, resolveDir: root, loader: 'ts' },
    // Imports at run time become calls of the script's own `require`.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__url' },
    ...options,
  })
  return `(function (exports, require, module, __filename, __dirname, __url) {${text}\n})`
}

async function bundleText(options: BuildOptions): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    ...readable,
    logLevel: 'warning',
    ...options,
    write: false,
  })
  return inAscii(outputFiles?.[0]?.text ?? '')
}

/** The programs' first files run scripts in the place of their sources, or the modules in these files, by program. */
export function programsByScripts(modules: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'programs in scripts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/program\.ts$/ }, ({ importer }) => {
        const [, name] = /\/cmd\/([\w-]+)\/main\.ts$/.exec(importer) ?? []
        return name === undefined ? undefined : { path: name, namespace: 'script' }
      })
      onResolve({ filter: /./, namespace: 'script' }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path, external: true } : undefined,
      )
      onLoad({ filter: /./, namespace: 'script' }, ({ path }) => {
        const [name, module] = [path, `../${modules[path]}.js`].map((text) => JSON.stringify(text))
        return {
          contents: `import { ${runScript.name} } from './cmd/scripts.ts'\nexport const run = () => ${runScript.name}(${name}, () => import(${module}))`,
          resolveDir: root,
        }
      })
    },
  }
}

/**
 * With one character beyond Latin-1, V8 would keep the whole text with two bytes a character. esbuild escapes them in
 * strings; the others are in comments and regular expressions, where an escape means the same.
 */
export function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
