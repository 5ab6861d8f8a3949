import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { basename, dirname, join } from 'node:path'

/** Keeps compiled code in `compileCacheFolder`. Must run before the rest of a program is imported. */
export function useCompileCache(): void {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return
  const folder = compileCacheFolder()
  if (folder !== undefined) nodeModule.enableCompileCache(folder)
}

/**
 * Where Node keeps what it makes of the sources (types stripped, code compiled), so that all starts but the first take a
 * third of the time: beside the installed packages. Not in the system's folder for temporary files, where somebody else
 * could put code for us. A folder that can't be written is no mistake: nothing is kept then.
 */
export function compileCacheFolder(): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(join(folder, 'package.json'))) continue
    const parent = dirname(folder)
    const modules = basename(parent) === 'node_modules' ? parent : join(folder, 'node_modules')
    return existsSync(modules) ? join(modules, '.cache', 'pilothouse') : undefined
  }
  return undefined
}
