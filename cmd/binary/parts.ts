// The parts of the binary: scripts with their compiled code, kept as assets of the executable (hack/binary).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getAsset, getAssetKeys, getRawAsset } from 'node:sea'
import { Script } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { loadAddon } from './addon.ts'

/** The exports of a program's file. */
interface Runnable {
  run(): Promise<void>
}

/** The exports of a part. */
export interface Part {
  readonly programs: Readonly<Record<string, () => Promise<Runnable>>>
  /** Runs the program of a thread, within a thread. */
  readonly thread?: () => Promise<unknown>
  /** Packages that other parts load when they need them. */
  readonly packages: Readonly<Record<string, () => unknown>>
}

type PartFunction = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: object },
  filename: string,
  folder: string,
) => void

/** Called where a part without the code of a command comes to it. */
type HandOver = () => void

const loaded = new Map<string, Part>()

/**
 * The part of this name; its code runs once. `use` names the functions that are compiled already: those that a start of this
 * program needs. `handOver` starts the same program from another part.
 */
export function loadPart(name: string, use: string, handOver?: HandOver): Part {
  const known = loaded.get(name)
  if (known) return known
  const keys = getAssetKeys()
  const cache = `${name}.${use}.cache`
  const script = new Script(Buffer.from(getRawAsset(`${name}.js`)).toString('latin1'), {
    filename: `pilothouse/${name}.js`,
    ...(keys.includes(cache) ? { cachedData: Buffer.from(getRawAsset(cache)) } : {}),
  })
  if (isMainThread && keys.includes(recordFolder)) recordAtExit(script, join(getAsset(recordFolder, 'utf8'), cache))
  const module: { exports: object } = { exports: {} }
  // A part's text is a function of these arguments.
  const define = script.runInThisContext() as PartFunction
  define(module.exports, requireFor(handOver), module, `/pilothouse/${name}.js`, '/pilothouse')
  const part = module.exports as Part
  loaded.set(name, part)
  return part
}

/** Only a binary that is made to find out which functions a start compiles has this asset: the folder to save them to. */
const recordFolder = 'record-folder'

function recordAtExit(script: Script, path: string): void {
  process.once('exit', () => writeFileSync(path, script.createCachedData()))
}

function requireFor(handOver: HandOver | undefined): (name: string) => unknown {
  return (name) => {
    if (name === 'pilothouse:handover') return handOver
    if (name === 'pilothouse:lmdb') return loadAddon(Buffer.from(getRawAsset('lmdb.node')))
    if (name.startsWith(packagePrefix)) return optionalPackage(name.slice(packagePrefix.length))
    const builtin: unknown = process.getBuiltinModule(name)
    if (builtin !== undefined) return builtin
    // Packages look for others and do without them, by this code.
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
  }
}

const packagePrefix = 'pilothouse:package/'

function optionalPackage(name: string): unknown {
  return loadPart('optional', '').packages[name]?.()
}
