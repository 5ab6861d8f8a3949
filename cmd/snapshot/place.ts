// Where the snapshot of a program is: beside Node's compiled code, as it is made on this machine for this Node.
import { compileCacheFolder } from '../compilecache.ts'
import type { ProgramName } from '../scripts.ts'
import { findYoungDeath } from './youngprocess.ts'

export interface SnapshotPlace {
  /** The script that the snapshot contains, and the program that makes it. */
  readonly script: string
  readonly maker: string
  /** The folder of snapshots, and the file that names the one to use. */
  readonly folder: string
  readonly note: string
  /** Names all that the snapshot depends on. */
  readonly madeFor: string
}

/** Contents of the note. */
export interface SnapshotNote {
  readonly madeFor: string
  /** Name of the snapshot's file; null: none could be made. */
  readonly file: string | null
  readonly bytes: number
}

/**
 * Undefined where none can be kept or `main`, the program's file, is no bundle. `flags` are V8's settings, for which alone V8
 * takes the snapshot.
 */
export function snapshotPlace(main: string, flags: readonly string[]): SnapshotPlace | undefined {
  const cache = compileCacheFolder()
  const { join } = process.getBuiltinModule('node:path')
  const scripts = scriptsOf(main)
  if (cache === undefined || scripts === undefined) return undefined
  const { size, mtimeMs } = process.getBuiltinModule('node:fs').statSync(process.execPath)
  const folder = join(cache, 'snapshots')
  const { version, arch, execPath } = process
  return {
    ...scripts,
    folder,
    note: join(folder, `${version}-${arch}.json`),
    madeFor: [scripts.script, version, arch, execPath, size, mtimeMs, ...flags].join(' '),
  }
}

/** The names of scripts have a digest of their contents (hack/scripts.ts). */
function scriptsOf(main: string): { readonly script: string; readonly maker: string } | undefined {
  const { readdirSync, realpathSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  try {
    const chunks = join(realpathSync(main), '../../../chunks')
    const names = readdirSync(chunks)
    const pathOf = (pattern: RegExp): string | undefined => {
      const [, name] = pattern.exec(names.find((each) => pattern.test(each)) ?? '') ?? []
      return name && join(chunks, name)
    }
    const [script, maker] = [pathOf(/^(server-\w+\.cjs)(\.gz)?$/), pathOf(/^(maker-\w+\.cjs)$/)]
    return script && maker ? { script, maker } : undefined
  } catch {
    return undefined
  }
}

/** The snapshot's path; null where making it failed or a process that ran it died young, undefined where none was made. */
export function findSnapshot({ folder, note, madeFor }: SnapshotPlace): string | null | undefined {
  const { readFileSync, statSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  try {
    const made = JSON.parse(readFileSync(note, 'utf8')) as SnapshotNote
    if (made.madeFor !== madeFor) return undefined
    if (made.file === null) return null
    if (findYoungDeath(folder)) {
      writeFileSync(note, JSON.stringify({ ...made, file: null }), { mode: 0o600 })
      return null
    }
    const path = join(folder, made.file)
    return statSync(path).size === made.bytes ? path : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a process with these words may run from the snapshot, where Node's own settings are `nodeFlags` alone: others may need what
 * a snapshot can't do, such as loading a module first. API servers of an installation start rarely, and live long: theirs is to
 * be asked for (PILOTHOUSE_SNAPSHOT=1; 0 refuses it to all). The parent of several processes needs little of the server.
 */
export function mayUseSnapshot(program: ProgramName, words: readonly string[], nodeFlags: readonly string[]): boolean {
  if (process.execArgv.join(' ') !== nodeFlags.join(' ') || process.env['NODE_OPTIONS']) return false
  const { PILOTHOUSE_SNAPSHOT: asked } = process.env
  if (asked === '0') return false
  if (program === 'pilothouse') return true
  return program === 'apiserver' && asked === '1' && !words.some((word) => word.startsWith('--processes'))
}
