import { resolve } from 'node:path'
import { parseFlags } from '../../../lib/flags/index.ts'
import { openSnapshot, restoreSnapshot } from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { restoreFlags } from './flags.ts'
import { encryptionKeys, openTarget } from './open.ts'
import { print, say, sometimes } from './output.ts'
import { onlyFile } from './snapshot.ts'

const usage = `Fills an empty store from a file of \`pilothouse store snapshot\`, of either kind of store. The file is read to its end and its
checksum compared before anything is written. Refused for a store that has keys, or is in use. --data-encryption-key-file opens
a file that is encrypted, and encrypts a folder that is filled.

Every object gets a new revision, in the order of the old ones, above the snapshot's revision and --revision-margin. So
clients that continue after the restore list again, and never mistake one object for another. On etcd raising the revision takes one to
two minutes for each million.

Usage:
  pilothouse store restore backup.snapshot --data-dir=/var/lib/pilothouse
  pilothouse store restore backup.snapshot --etcd-servers=https://10.0.0.1:2379
`

export async function restore(line: readonly string[]): Promise<number> {
  const { values, positional } = parseFlags(restoreFlags, line)
  if (isAnswered({ values, positional: [] }, usage, restoreFlags)) return 0
  const file = onlyFile(positional)
  const target = await openTarget(values, `restore of ${file}`)
  try {
    const opened = await openSnapshot(resolve(file), {
      keys: await encryptionKeys(values),
      accept: (entry) => target.accept(entry),
    })
    try {
      const { header } = opened
      say(`${file}: ${opened.entries} keys at revision ${header.revision} of ${header.takenAt}`)
      const progress = sometimes()
      const { revision, entries } = await restoreSnapshot(opened, target, {
        margin: values['revision-margin'],
        onRaise: (reached, to) => progress(`the revision is raised: ${reached} of ${to}`),
        onEntries: (written) => progress(`${written} keys of ${opened.entries}`),
      })
      await print(`${target.description}: ${entries} keys are restored; its revision is ${revision}\n`)
      return 0
    } finally {
      await opened.close()
    }
  } finally {
    await target.close()
  }
}
