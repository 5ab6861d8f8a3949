import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { engineFlags } from '../../cmd/engine.ts'
import { addonOfStore } from './addon.ts'

/** A copy without symbols: they take a fifth of Node, and more of the addon. */
export function copyStripped(source: string, target: string): void {
  copyFileSync(source, target)
  chmodSync(target, 0o755)
  const { status, error } = spawnSync('strip', [target], { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0)
    process.stderr.write(`the symbols of ${basename(source)} stay in the binary: ${error?.message ?? 'strip failed'}\n`)
}

/**
 * Writes the executable: Node with the parts as assets and the settings of its engine (cmd/engine.ts). `more`: further assets by
 * their names. `scratch` keeps what is put into it.
 */
export function writeExecutable(
  target: string,
  node: string,
  parts: ReadonlyMap<string, string | Uint8Array>,
  scratch: string,
): void {
  const addon = join(scratch, 'lmdb.node')
  copyStripped(addonOfStore(), addon)
  const assets: Record<string, string> = { 'lmdb.node': addon }
  for (const [name, contents] of parts) {
    const path = join(scratch, name)
    writeFileSync(path, contents)
    if (name !== 'main.cjs') assets[name] = path
  }
  const config = join(scratch, 'sea.json')
  writeFileSync(
    config,
    JSON.stringify({
      main: join(scratch, 'main.cjs'),
      output: target,
      executable: node,
      disableExperimentalSEAWarning: true,
      // Accepted by V8 only with the flags that it was made with.
      execArgv: engineFlags(),
      assets,
    }),
  )
  mkdirSync(dirname(target), { recursive: true })
  execFileSync(process.execPath, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  chmodSync(target, 0o755)
}
