import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Path of the embedded store's native code for this machine, by Node's stable interface. Throws when there is none. */
export function addonOfStore(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('lmdb'))
  const folder = dirname(require.resolve(`@lmdb/lmdb-${process.platform}-${process.arch}/package.json`))
  const name = readdirSync(folder).find((file) => /^node\.napi(\.glibc)?\.node$/.test(file))
  if (name === undefined) throw new Error(`${folder} has no native code for Node's stable interface`)
  return join(folder, name)
}
