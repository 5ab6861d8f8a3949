import { compileCacheFolder } from './compilecache.ts'

/** Collecting a heap takes a few milliseconds for each ten mebibytes; up to this size that is short. */
export const smallHeapMiB = 64

/** Concurrent requests of many clients make much garbage. */
const serverYoungMiB = 8

/**
 * V8's settings; figures and reasons in hack/decisions/2026-11-21-engine.md. Young objects are collected by the thread
 * that made them, in a space of exactly `youngMiB`. Old ones are not collected until the heap grows: what a start
 * allocates mostly stays. `gc` can be called.
 */
export function engineFlags(youngMiB = serverYoungMiB): string[] {
  return [
    '--no-parallel-scavenge',
    `--min-semi-space-size=${youngMiB}`,
    `--max-semi-space-size=${youngMiB}`,
    '--heap-growing-percent=50',
    `--initial-old-space-size=${smallHeapMiB}`,
    '--expose-gc',
  ]
}

/** Marks a process that has these settings. An operator can set it to keep Node's own settings. */
const markName = 'PILOTHOUSE_ENGINE'

/**
 * Replaces the process by one with the engine's settings and with Node's compile cache enabled from the first file
 * (same pid, terminal and files): neither can be changed once a program runs. Does nothing when that has been done, and
 * where the system can't replace a process; then the program runs all the same.
 */
export function runWithSettings({ youngMiB = serverYoungMiB }: { readonly youngMiB?: number } = {}): void {
  if (process.env[markName] !== undefined || process.execve === undefined) return
  const [program, ...words] = process.argv
  if (program === undefined || isBrief(words)) return
  const cache = compileCacheFolder()
  const environment: NodeJS.ProcessEnv = {
    // Few arenas: memory that one thread frees is reused by the others.
    MALLOC_ARENA_MAX: '2',
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
    ...process.env,
    [markName]: '1',
  }
  process.execve(program, [program, ...engineFlags(youngMiB), ...process.execArgv, ...words], environment)
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
