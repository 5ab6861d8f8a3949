import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
const sources = [
  'api',
  'cmd',
  'console',
  'lib',
  'package.json',
  'package-lock.json',
  'hack/bundle.ts',
  'hack/scripts.ts',
]
const makingMsMax = 60_000

/** The folder of this clone's bundles, one for each state of the sources. */
export const bundlesFolder = join(root, 'node_modules', '.cache', 'pilothouse-programs')

/**
 * The bundled form of a program of this clone, whose first file is `main`. It is made where a source has changed, which takes a
 * second or two. Undefined where that fails: the sources run as well, and show what is wrong with them.
 */
export function bundledMain(main: string): string | undefined {
  const file = relative(root, realpathSync(main)).replace(/\.ts$/, '.js')
  const bundled = join(bundlesFolder, digestOfSources(), file)
  if (!existsSync(bundled)) makeBundle()
  return existsSync(bundled) ? bundled : undefined
}

/** A process of its own, so that nothing of esbuild is left in this one. */
function makeBundle(): void {
  try {
    accessSync(join(root, 'node_modules'), constants.W_OK)
  } catch {
    return
  }
  spawnSync(process.execPath, [join(root, 'hack/bundle.ts')], { stdio: 'ignore', timeout: makingMsMax })
}

/** Names a state of the sources by their sizes and times; to read their contents would take as long as to bundle them. */
export function digestOfSources(...more: readonly string[]): string {
  const digest = createHash('sha256')
  for (const top of [...sources, ...more])
    for (const path of filesBelow(join(root, top))) {
      const { size, mtimeMs } = statSync(path)
      digest.update(`${path} ${size} ${mtimeMs}\n`)
    }
  return digest.digest('hex').slice(0, 16)
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
