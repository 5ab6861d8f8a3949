import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/**
 * The modules that the server's script takes from where it runs: `save` keeps compiled code for the next start, and the
 * native code of the embedded store comes from its package, which `filename` can import.
 */
export function scriptModules(filename: string, save: () => void): Readonly<Record<string, unknown>> {
  return {
    'pilothouse:save': save,
    get 'pilothouse:lmdb'() {
      const main = createRequire(filename).resolve('lmdb')
      const loadNative = createRequire(main)('node-gyp-build-optional-packages') as (folder: string) => unknown
      return loadNative(dirname(dirname(main)))
    },
  }
}
