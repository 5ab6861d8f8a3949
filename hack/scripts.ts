// The programs as scripts that cmd/scripts.ts runs: one function each, with all sources inside and packages outside.
import { createHash } from 'node:crypto'
import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { type ProgramName, runScript, type ScriptName } from '../cmd/scripts.ts'

const root = join(import.meta.dirname, '..')

/** What a script for `--help`, `--version` and envtest's etcd contains beyond the programs' first files. */
const briefFiles = /^cmd\/[\w-]+\/program\.ts$|^cmd\/pilothouse\/envtest\/index\.ts$|^lib\/features\/index\.ts$/

const programsOf: Readonly<Record<ScriptName, readonly ProgramName[]>> = {
  brief: ['apiserver', 'controller-manager', 'pilothouse', 'scheduler'],
  server: ['apiserver', 'pilothouse'],
}

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

/** The texts of the scripts, and the names of their files. */
export async function bundleScripts(): Promise<readonly { script: ScriptName; file: string; text: string }[]> {
  const names = Object.keys(programsOf) as ScriptName[]
  return await Promise.all(
    names.map(async (script) => {
      const text = await bundleScript(programsOf[script], script === 'brief' ? [handOver] : [saving])
      const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
      return { script, file: `${script}-${digest}.cjs`, text }
    }),
  )
}

async function bundleScript(programs: readonly ProgramName[], plugins: Plugin[]): Promise<string> {
  const { build } = await import('esbuild')
  const entries = programs.map((name) => `${JSON.stringify(name)}: () => import('./cmd/${name}/program.ts')`)
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: `export const programs = {${entries.join(', ')}}`, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    packages: 'external',
    external: ['pilothouse:*'],
    // Imports at run time become calls of the script's own `require`.
    supported: { 'dynamic-import': false },
    ...readable,
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__url' },
    plugins,
    logLevel: 'warning',
    write: false,
  })
  return inAscii(
    `(function (exports, require, module, __filename, __dirname, __url) {${outputFiles[0]?.text ?? ''}\n})`,
  )
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
