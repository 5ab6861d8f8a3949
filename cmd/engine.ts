import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * How servers run; figures and reasons in hack/decisions/2026-11-21-engine.md.
 * Young objects are collected by the thread that made them, in a space that stops growing at 16 MiB.
 */
const engineFlags = ['--no-parallel-scavenge', '--max-semi-space-size=16', '--heap-growing-percent=50']

/** Says that the settings are made; also for whoever wants to make others: set it, and nothing is changed. */
const markName = 'PILOTHOUSE_ENGINE'

/**
 * Starts the program anew in its own process (the same pid, terminal and files) with the engine's settings and with
 * Node's cache of compiled code switched on from the first file, neither of which can be had once a program runs. Does
 * nothing when that has been done, and where the system can't replace a process; then the program runs all the same.
 */
export function runWithSettings(): void {
  if (process.env[markName] !== undefined || process.execve === undefined) return
  const [program, ...words] = process.argv
  if (program === undefined || asksForText(words)) return
  const cache = cacheFolder()
  const environment: NodeJS.ProcessEnv = {
    // Few arenas: memory that one thread frees serves the others.
    MALLOC_ARENA_MAX: '2',
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
    ...process.env,
    [markName]: '1',
  }
  process.execve(program, [program, ...engineFlags, ...process.execArgv, ...words], environment)
}

/** `--help` and the like are answered faster than a process is replaced. */
function asksForText(words: readonly string[]): boolean {
  return words.some((word) => /^(-h|--help|--version|help|version|kubeconfig)(=|$)/.test(word))
}

/**
 * Beside the installed packages, so that all starts but the first take a third of the time. Not in the system's folder
 * for temporary files, where somebody else could put code for us.
 */
function cacheFolder(): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(join(folder, 'package.json'))) continue
    const modules = join(folder, 'node_modules')
    return existsSync(modules) ? join(modules, '.cache', 'pilothouse') : undefined
  }
  return undefined
}
