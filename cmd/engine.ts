import { compileCacheFolder } from './compilecache.ts'
import type { ProgramName } from './scripts.ts'
import { findSnapshot, mayUseSnapshot, snapshotPlace } from './snapshot/place.ts'

/** Collecting a heap takes a few milliseconds for each ten mebibytes; up to this size that is short. */
export const smallHeapMiB = 64

export interface EngineOptions {
  /** Mebibytes of young objects between two collections. Default 8: concurrent requests of many clients make much garbage. */
  readonly youngMiB?: number
  /** Holds little memory rather than being fast: for a program that mostly waits for others. */
  readonly isFrugal?: boolean
}

/**
 * V8's settings; figures and reasons in hack/decisions/2026-11-21-engine.md. Young objects are collected by the thread
 * that made them, in a space of exactly `youngMiB`. Old ones are not collected until the heap grows: what a start
 * allocates mostly stays. `gc` can be called.
 */
export function engineFlags({ youngMiB = 8, isFrugal = false }: EngineOptions = {}): string[] {
  return [
    '--no-parallel-scavenge',
    `--min-semi-space-size=${youngMiB}`,
    `--max-semi-space-size=${youngMiB}`,
    '--heap-growing-percent=50',
    `--initial-old-space-size=${isFrugal ? smallHeapMiB / 2 : smallHeapMiB}`,
    '--expose-gc',
    // Its code would be mapped, and what it compiles is large; Maglev stays.
    ...(isFrugal ? ['--no-turbofan'] : []),
  ]
}

/** Few arenas: memory that one thread frees is reused by the others. */
const serverMemory: NodeJS.ProcessEnv = { MALLOC_ARENA_MAX: '2' }

/** In addition, what is not small goes back to the system when it is freed, instead of leaving a hole. */
const frugalMemory: NodeJS.ProcessEnv = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(32 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
}

/** Marks a process that has these settings. An operator can set it to keep Node's own settings. */
const markName = 'PILOTHOUSE_ENGINE'

/** The first file of the program that this process may replace itself by; undefined: it runs as it is. */
export function replaceableMain(): string | undefined {
  const [, ...words] = process.argv
  const mayReplace = process.env[markName] === undefined && process.execve !== undefined && !isBrief(words)
  return mayReplace ? words[0] : undefined
}

/**
 * Replaces the process by one that runs `main` with the engine's settings and with Node's compile cache enabled from the first
 * file (same pid, terminal and files): neither can be changed once a program runs. Where a snapshot of the program was made,
 * the process starts from it. Returns where the system can't replace a process; then the program runs all the same.
 */
export function runWithSettings(name: ProgramName, main: string, options: EngineOptions = {}): void {
  const [program = '', , ...words] = process.argv
  const flags = engineFlags(options)
  const environment: NodeJS.ProcessEnv = {
    ...(options.isFrugal ? frugalMemory : serverMemory),
    ...compileCacheOf(main, options),
    ...process.env,
    [markName]: '1',
  }
  const start = snapshotStart(name, [main, ...words], flags) ?? process.execArgv
  process.execve?.(program, [program, ...flags, ...start, main, ...words], environment)
}

/** The words by which Node runs the snapshot: its file, and the program's name before its other words. */
function snapshotStart(name: ProgramName, words: readonly string[], flags: readonly string[]): string[] | undefined {
  if (!mayUseSnapshot(name, words, [])) return undefined
  const place = snapshotPlace(words[0] ?? '', flags)
  const snapshot = place && findSnapshot(place)
  return snapshot ? ['--snapshot-blob', snapshot, name] : undefined
}

/**
 * Node keeps all of the cache that a start used in memory. A bundle is compiled in a tenth of a second without; sources would
 * have to be stripped of their types at each start.
 */
function compileCacheOf(main: string, { isFrugal = false }: EngineOptions): NodeJS.ProcessEnv {
  if (isFrugal && !main.endsWith('.ts')) return { NODE_DISABLE_COMPILE_CACHE: '1' }
  const cache = compileCacheFolder()
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }
}

/**
 * `--help` and the like, and all of `envtest` but its API server, are faster without replacing the process. `words` begin with
 * the program's own name.
 */
export function isBrief(words: readonly string[]): boolean {
  const [, command, program] = words
  if (command === 'envtest') return program !== 'kube-apiserver' || words.includes('--help')
  return words.some((word) => /^(-h|--help|--version|help|version|kubeconfig)(=|$)/.test(word))
}
