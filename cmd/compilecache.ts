import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Keeps what Node makes of the sources (types stripped, code compiled) beside the installed packages, so that all
 * starts but the first take a third of the time. Must run before the rest of a program is imported. Not in the system's
 * folder for temporary files, where somebody else could put code for us. Does nothing where the folder can't be written.
 */
export function useCompileCache(): void {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(join(folder, 'package.json'))) continue
    if (existsSync(join(folder, 'node_modules')))
      nodeModule.enableCompileCache(join(folder, 'node_modules', '.cache', 'pilothouse'))
    return
  }
}
