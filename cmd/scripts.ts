// The programs as hack/scripts.ts bundles them: scripts whose compiled code is kept with all functions that a start called.
// Node's own cache has only what V8 compiles while it loads a file, so that each start compiles the rest.
import { existsSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { assert } from '../lib/base/assert.ts'
import { markName } from './apiserver/processes/messages.ts'
import { compileCacheFolder } from './compilecache.ts'
import { loadCompiledScript } from './compiledscript.ts'
import { engineFlags, isBrief } from './engine.ts'
import { scriptModules } from './scriptmodules.ts'
import { findSnapshot, mayUseSnapshot, snapshotPlace } from './snapshot/place.ts'

/** File names of the scripts, which end with a digest of their contents; hack/scripts.ts defines it. */
declare const scriptFiles: Readonly<Record<ScriptName, string>>

/**
 * brief: `--help` and the like, of all programs; server: what serves the API, and the tools beside it, compressed in packages;
 * maker: makes a snapshot of the latter.
 */
export type ScriptName = 'brief' | 'server' | 'maker'

export type ProgramName = 'apiserver' | 'controller-manager' | 'pilothouse' | 'scheduler'

/** The exports of a program's file. */
interface Runnable {
  run(): Promise<void>
}

interface ScriptExports {
  readonly programs: Readonly<Record<string, () => Promise<Runnable>>>
}

/** Marks servers that live for seconds: the tests of this project set it. */
const briefName = 'PILOTHOUSE_BRIEF'

/**
 * Runs the program of this command line to its end: from a script what ends soon, otherwise from its modules, which `modules` loads.
 * A server's start costs a quarter less from the script and each request a tenth more, as V8 optimizes a function of
 * thousands of variables less (hack/decisions/2026-11-28-starts-from-scripts.md).
 */
export async function runScript(program: ProgramName, modules: () => Promise<Runnable>): Promise<void> {
  const words = process.argv.slice(1)
  const runRest = async (): Promise<void> => {
    const use = useOf(program, words)
    if (use !== undefined && existsSync(fileOf('server'))) return await run('server', program, use)
    makeSnapshotLater(program, words)
    const { run: runModules } = await modules()
    await runModules()
  }
  await (isBrief(words) ? run('brief', program, program, () => void runRest()) : runRest())
}

/** The use of the server's script: each finds those functions compiled that it calls. Undefined: the script isn't used. */
function useOf(program: ProgramName, words: readonly string[]): string | undefined {
  const [, command = ''] = words
  if (program === 'pilothouse' && command !== 'up') return command === 'envtest' ? command : 'command'
  if (process.env[briefName] === undefined) return undefined
  if (program === 'pilothouse') return command
  // The parent of several processes needs little of the server; its children need it.
  const isParent = words.some((word) => word.startsWith('--processes')) && process.env[markName] === undefined
  return program === 'apiserver' && !isParent ? program : undefined
}

/** A life of this length may be one of many. */
const snapshotAfterMs = 3000

/** Makes the snapshot for later starts; machines that test changes have no later ones. */
function makeSnapshotLater(program: ProgramName, words: readonly string[]): void {
  const flags = engineFlags()
  if (process.env['CI'] || !mayUseSnapshot(program, words, flags)) return
  const [, main = ''] = process.argv
  const place = snapshotPlace(main, flags)
  if (place === undefined || findSnapshot(place) !== undefined) return
  const make = async (): Promise<void> => {
    const { makeSnapshot } = await import('./snapshot/make.ts')
    const { versionLine } = await import('./versionline.ts')
    await makeSnapshot(place, flags, { main, version: versionLine() })
  }
  setTimeout(() => void make(), snapshotAfterMs).unref()
}

/** This file is in a chunk beside the scripts. */
function fileOf(name: ScriptName): string {
  return join(import.meta.dirname, scriptFiles[name])
}

/** `handOver` starts the program again, where the script lacks the command; what waited for it waits forever. */
async function run(name: 'brief' | 'server', program: ProgramName, use: string, handOver?: () => void): Promise<void> {
  const cache = compileCacheFolder()
  // V8 takes compiled code only with the settings that it was made with.
  const code = cache && join(cache, 'scripts', `${scriptFiles[name]}-${use}-${cachedDataVersionTag()}`)
  const file = fileOf(name)
  const script = loadCompiledScript(file, code, ({ save }) => {
    if (handOver !== undefined) return { 'pilothouse:handover': handOver }
    return scriptModules(file, () => {
      save()
      flushCompileCache()
    })
  })
  // A command that failed has called few functions.
  process.once('exit', (status) => status === 0 && script.save())
  const load = (script.exports as ScriptExports).programs[program]
  assert(load, 'the script has the program')
  const { run: runProgram } = await load()
  await runProgram()
}
