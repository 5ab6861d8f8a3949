import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Opens a file without a name (open(2)); Node has no constant for it. */
const O_TMPFILE = 0o20000000

/**
 * Loads a native addon from its bytes. The system loads libraries only from files: this one has no name where the system can
 * do that, and else is deleted at once. Throws the system's error when it can't be loaded from anywhere, with the reason of the last try.
 */
export function loadAddon(bytes: Uint8Array): unknown {
  let failure: unknown
  for (const folder of folders())
    for (const load of [loadUnnamed, loadNamed])
      try {
        return load(folder, bytes)
      } catch (error) {
        failure = error
      }
  const reason = failure instanceof Error ? failure.message : String(failure)
  throw new Error(`the embedded store can't be loaded: ${reason}${libraryHint(reason)}`, { cause: failure })
}

/** In memory first. Some are mounted so that nothing there can be run. */
function folders(): string[] {
  const own = process.env['XDG_RUNTIME_DIR']
  return ['/dev/shm', tmpdir(), ...(own ? [own] : []), '/var/tmp', '/run']
}

function loadUnnamed(folder: string, bytes: Uint8Array): unknown {
  const file = openSync(folder, constants.O_RDWR | O_TMPFILE | constants.O_DIRECTORY, 0o700)
  try {
    writeFileSync(file, bytes)
    return open(`/proc/self/fd/${file}`)
  } finally {
    closeSync(file)
  }
}

function loadNamed(folder: string, bytes: Uint8Array): unknown {
  const own = mkdtempSync(join(folder, 'pilothouse-'))
  try {
    const path = join(own, 'addon.node')
    writeFileSync(path, bytes, { mode: 0o700, flag: 'wx' })
    return open(path)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

function open(path: string): unknown {
  const module = { exports: {} }
  process.dlopen(module, path)
  return module.exports
}

function libraryHint(reason: string): string {
  if (!/GLIBC|version/.test(reason)) return ''
  return "; this machine's C library is too old for it: --etcd-servers and --storage-backend=memory work without"
}
