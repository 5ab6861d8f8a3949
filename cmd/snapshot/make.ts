import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename, join } from 'node:path'
import type { SnapshotNote, SnapshotPlace } from './place.ts'

/** Snapshots that are kept in a folder; one has 20 MB. */
const keptSnapshotsMax = 2

/** Folders in which snapshots are made. */
const scratchName = /^made-\w+$/

/** A slow and busy machine needs a minute for a step. */
const stepMsMax = 120_000

/** No process makes a snapshot for so long. */
const makingMsMax = 4 * stepMsMax

/**
 * Makes the snapshot: runs a server until its code is compiled, builds the snapshot with this code, tries it, and notes it.
 * All in processes of the lowest priority, which the system ends first when memory is short. Where a step fails, that is
 * noted instead. Does nothing where the folder can't be written, and while another process makes one. `main`: a program's file; `version`: what it prints.
 */
export async function makeSnapshot(
  place: SnapshotPlace,
  flags: readonly string[],
  { main, version }: { readonly main: string; readonly version: string },
): Promise<void> {
  let scratch: string
  try {
    mkdirSync(place.folder, { recursive: true, mode: 0o700 })
    if (isBeingMade(place.folder)) return
    scratch = mkdtempSync(join(place.folder, 'made-'))
  } catch {
    return
  }
  const ended = (): void => {
    try {
      rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // A process that was ended just now may still write: the next snapshot's maker removes it.
    }
  }
  process.once('exit', ended)
  try {
    const made = join(scratch, 'snapshot')
    const file = (await build(place, flags, scratch, made, { main, version })) ? `${basename(scratch)}.blob` : null
    if (file !== null) keep(made, join(place.folder, file))
    writeNote(place, scratch, {
      madeFor: place.madeFor,
      file,
      bytes: file === null ? 0 : statSync(join(place.folder, file)).size,
    })
    removeOldest(place.folder)
  } catch {
    // The folder was removed, or the disk is full: programs start from their modules.
  } finally {
    process.off('exit', ended)
    ended()
  }
}

/** Several servers may start at once. */
function isBeingMade(folder: string): boolean {
  const sinceMs = Date.now() - makingMsMax
  return readdirSync(folder).some((name) => scratchName.test(name) && statSync(join(folder, name)).mtimeMs > sinceMs)
}

/** False when a step fails. */
async function build(
  { script, maker }: SnapshotPlace,
  flags: readonly string[],
  scratch: string,
  made: string,
  { main, version }: { readonly main: string; readonly version: string },
): Promise<boolean> {
  const code = join(scratch, 'code')
  const server = [
    'pilothouse',
    'up',
    `--data-dir=${join(scratch, 'plane')}`,
    '--bind-address=127.0.0.1',
    '--secure-port=0',
  ]
  const steps: readonly (readonly string[])[] = [
    ['--no-node-snapshot', maker, script, code, ...server],
    ['--snapshot-blob', made, '--build-snapshot', maker, script, code],
  ]
  for (const step of steps) if ((await run([...flags, ...step])) === undefined) return false
  return (await run([...flags, '--snapshot-blob', made, 'pilothouse', main, 'version'])) === version
}

/** Resolves with the process's output; with undefined when it failed. It gets nothing of the environment, which a snapshot would keep on disk. */
async function run(line: readonly string[]): Promise<string | undefined> {
  const environment = { PATH: process.env['PATH'], PILOTHOUSE_ENGINE: '1' }
  const child = spawn(process.execPath, line, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
  const end = (): void => void child.kill('SIGKILL')
  const timer = setTimeout(end, stepMsMax)
  // Before its folder is removed.
  process.prependOnceListener('exit', end)
  giveWay(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  const status = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  clearTimeout(timer)
  process.off('exit', end)
  return status === 0 ? output : undefined
}

function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // Only Linux has the file, and the process may have ended.
  }
}

/** V8 does not look at each byte: the file is whole before it has its name, also if the machine crashes. */
function keep(made: string, path: string): void {
  const file = openSync(made, 'r+')
  try {
    fchmodSync(file, 0o600)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(made, path)
}

function writeNote({ note }: SnapshotPlace, scratch: string, contents: SnapshotNote): void {
  const made = join(scratch, 'note')
  writeFileSync(made, JSON.stringify(contents), { mode: 0o600, flush: true })
  renameSync(made, note)
}

/** And what was left by processes that were killed. */
function removeOldest(folder: string): void {
  const entries = readdirSync(folder).map((name) => ({
    path: join(folder, name),
    at: statSync(join(folder, name)).mtimeMs,
  }))
  const isSnapshot = ({ path }: { path: string }): boolean => path.endsWith('.blob')
  const newestFirst = entries.filter(isSnapshot).sort((a, b) => b.at - a.at)
  const left = entries.filter(({ path, at }) => scratchName.test(basename(path)) && at < Date.now() - makingMsMax)
  for (const { path } of [...newestFirst.slice(keptSnapshotsMax), ...left])
    rmSync(path, { recursive: true, force: true })
}
