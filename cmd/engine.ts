import { compileCacheFolder } from './compilecache.ts'

/** A heap up to this size is collected in a few milliseconds for each ten of its mebibytes. */
const smallHeapMiB = 64

/**
 * How programs run; figures and reasons in hack/decisions/2026-11-21-engine.md.
 * Young objects are collected by the thread that made them, in a space of this many MiB, no more and no less. The old ones
 * are left alone until the heap isn't small any more: what a start makes mostly stays. `gc` can be called.
 */
function engineFlags(youngMiB: number): string[] {
  return [
    '--no-parallel-scavenge',
    `--min-semi-space-size=${youngMiB}`,
    `--max-semi-space-size=${youngMiB}`,
    '--heap-growing-percent=50',
    `--initial-old-space-size=${smallHeapMiB}`,
    '--expose-gc',
  ]
}

/** Requests of many clients at once leave much garbage behind. */
const serverYoungMiB = 8

/** Marks a process that has these settings. An operator who wants others sets it, and nothing is changed. */
const markName = 'PILOTHOUSE_ENGINE'

/**
 * Starts the program anew in its own process (the same pid, terminal and files) with the engine's settings and with
 * Node's cache of compiled code switched on from the first file, neither of which can be had once a program runs. Does
 * nothing when that has been done, and where the system can't replace a process; then the program runs all the same.
 */
export function runWithSettings({ youngMiB = serverYoungMiB }: { readonly youngMiB?: number } = {}): void {
  if (process.env[markName] !== undefined || process.execve === undefined) return
  const [program, ...words] = process.argv
  if (program === undefined || asksForText(words)) return
  const cache = compileCacheFolder()
  const environment: NodeJS.ProcessEnv = {
    // Few arenas: memory that one thread frees serves the others.
    MALLOC_ARENA_MAX: '2',
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
    ...process.env,
    [markName]: '1',
  }
  process.execve(program, [program, ...engineFlags(youngMiB), ...process.execArgv, ...words], environment)
}

/**
 * Gives back the memory that only the start needed. V8 would keep it until a first collection of the whole heap, which a
 * server with little to do may never see; one that loaded much is not held up by it, as what it loaded weighs more.
 */
export function forgetStart(): void {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  if (heapUsed + arrayBuffers < smallHeapMiB * 1024 * 1024) globalThis.gc?.({ type: 'major', flavor: 'last-resort' })
}

/** `--help` and the like are answered faster than a process is replaced. */
function asksForText(words: readonly string[]): boolean {
  return words.some((word) => /^(-h|--help|--version|help|version|kubeconfig)(=|$)/.test(word))
}
