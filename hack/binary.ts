// `npm run build:binary [-- FILE]`: all programs as one file that needs no Node, binaries/pilothouse.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { digestOfSources } from '../cmd/clonebundle.ts'
import { copyStripped, writeExecutable } from './binary/executable.ts'
import { bundleParts } from './binary/parts.ts'
import { warmUp } from './binary/warmup.ts'
import { removeOld } from './bundle.ts'

const root = join(import.meta.dirname, '..')

/** Builds the binary at `target`, which is replaced in one step. Takes some 20 seconds. */
export async function buildBinary(target: string): Promise<void> {
  mkdirSync(dirname(target), { recursive: true })
  const scratch = mkdtempSync(`${target}-new-`)
  try {
    const parts = await bundleParts()
    const node = join(scratch, 'node')
    copyStripped(process.execPath, node)
    // Started once, it saves the code that V8 compiled; the final one finds it compiled.
    const recording = join(scratch, 'recording')
    writeExecutable(recording, node, new Map([...parts, ['record-folder', scratch]]), scratch)
    await warmUp(recording, scratch)
    const compiled = readdirSync(scratch).filter((name) => name.endsWith('.cache'))
    const made = join(scratch, 'pilothouse')
    const caches = compiled.map((name) => [name, readFileSync(join(scratch, name))] as const)
    writeExecutable(made, node, new Map<string, string | Uint8Array>([...parts, ...caches]), scratch)
    renameSync(made, target)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Number of binaries of this clone that are kept, of 135 MB each. */
const keptBinaries = 3

/** The binary of this clone as it is; built again when a source has changed. */
export async function binaryOfClone(): Promise<string> {
  const all = join(root, 'node_modules', '.cache', 'pilothouse-binary')
  const folder = join(all, digestOfSources('hack/binary', 'hack/binary.ts'))
  const target = join(folder, 'pilothouse')
  if (existsSync(target)) return target
  mkdirSync(all, { recursive: true })
  removeOld(all, keptBinaries)
  await buildBinary(target)
  return target
}

if (import.meta.main) {
  const target = resolve(process.argv[2] ?? join(root, 'binaries', 'pilothouse'))
  await buildBinary(target)
  process.stdout.write(`${target} (${(statSync(target).size / 1e6).toFixed(0)} MB)\n`)
}
