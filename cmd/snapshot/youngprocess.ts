/** A process that runs a snapshot is young for so long. */
const youngMs = 10_000
/** A note that is older is of a process that died when it was young. */
const deadMs = 30_000

const noteName = /^young-\d+$/

/** Notes in the folder of the snapshot that this process is young. One that ends takes its note away; one that crashes leaves it. */
export function noteYouth(folder: string): void {
  const { rmSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  const note = join(folder, `young-${process.pid}`)
  const remove = (): void => rmSync(note, { force: true })
  try {
    writeFileSync(note, '', { mode: 0o600 })
  } catch {
    return // The disk is full, or the folder gone: nothing will be known of this process.
  }
  process.once('exit', remove)
  setTimeout(() => {
    process.off('exit', remove)
    remove()
  }, youngMs).unref()
}

/** Whether a process that ran a snapshot of this folder died young; its note is taken away. */
export function findYoungDeath(folder: string): boolean {
  const { readdirSync, rmSync, statSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  let found = false
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!noteName.test(name) || (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > Date.now() - deadMs)
      continue
    found = true
    rmSync(path, { force: true })
  }
  return found
}
