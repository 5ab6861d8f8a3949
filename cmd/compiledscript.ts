import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { crc32, gunzipSync } from 'node:zlib'

/** Files of compiled code that are kept in a folder; a server's has 5 MB. */
export const keptCodeMax = 16

interface CompiledScript {
  readonly exports: unknown
  /** Whether V8 took the code that was kept. */
  readonly isCompiled: boolean
  /** Keeps what V8 has compiled meanwhile, unless the code was taken; once. */
  save(): void
}

type ScriptFunction = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: object },
  filename: string,
  folder: string,
  url: string,
) => void

/**
 * Runs a script: one function of these arguments, in ASCII. `code` is the path of its compiled code, undefined where none can be
 * kept: it is taken if V8 made it of this text's length with the same settings, so the path should name the text's digest.
 * `special` are modules that only this script has. Throws what the script throws.
 */
export function loadCompiledScript(
  filename: string,
  code: string | undefined,
  special: (script: CompiledScript) => Readonly<Record<string, unknown>> = () => ({}),
): CompiledScript {
  const cachedData = code === undefined ? undefined : readCode(code)
  const script = new Script(readScript(filename), { filename, ...(cachedData && { cachedData }) })
  const isCompiled = cachedData !== undefined && script.cachedDataRejected !== true
  let isKept = isCompiled || code === undefined
  const module: { exports: object } = { exports: {} }
  const compiled: CompiledScript = {
    get exports() {
      return module.exports
    },
    isCompiled,
    save() {
      if (!isKept && code !== undefined) keepCode(code, script)
      isKept = true
    },
  }
  const define = script.runInThisContext() as ScriptFunction
  const require = requireFor(filename, special(compiled))
  define(module.exports, require, module, filename, dirname(filename), pathToFileURL(filename).href)
  return compiled
}

/** Refers to nothing of V8's script, which no snapshot can hold (cmd/snapshot). */
function requireFor(filename: string, own: Readonly<Record<string, unknown>>): (name: string) => unknown {
  let require: NodeJS.Require | undefined
  return (name) => {
    if (Object.hasOwn(own, name)) return own[name]
    return process.getBuiltinModule(name) ?? (require ??= createRequire(filename))(name)
  }
}

/** Packages have large scripts compressed. */
function readScript(filename: string): string {
  if (existsSync(filename)) return readFileSync(filename, 'latin1')
  return gunzipSync(readFileSync(`${filename}.gz`)).toString('latin1')
}

/** V8 does not check each byte: a file that a crash of the machine left half written could crash it, too. */
const checksumBytes = 4

function readCode(path: string): Buffer | undefined {
  try {
    const file = readFileSync(path)
    const code = file.subarray(0, -checksumBytes)
    return file.readUInt32LE(code.length) === crc32(code) ? code : undefined
  } catch {
    return undefined
  }
}

function withChecksum(code: Buffer): Buffer {
  const checksum = Buffer.alloc(checksumBytes)
  checksum.writeUInt32LE(crc32(code))
  return Buffer.concat([code, checksum])
}

/** Nothing depends on it: where the folder can't be written, each start compiles. */
function keepCode(path: string, script: Script): void {
  const folder = dirname(path)
  const made = `${path}.${process.pid}`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    return
  }
  try {
    writeFileSync(made, withChecksum(script.createCachedData()), { mode: 0o600 })
    renameSync(made, path)
    removeOldest(folder)
  } catch {
    rmSync(made, { force: true })
  }
}

function removeOldest(folder: string): void {
  const paths = readdirSync(folder).map((name) => join(folder, name))
  if (paths.length <= keptCodeMax) return
  const newestFirst = paths.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((a, b) => b.at - a.at)
  for (const { path } of newestFirst.slice(keptCodeMax)) rmSync(path, { force: true })
}
