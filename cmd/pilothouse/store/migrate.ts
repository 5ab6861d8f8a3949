import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { systemClock } from '../../../lib/base/index.ts'
import { reasonOf, StartError } from '../../../lib/controlplane/index.ts'
import { FlagError, parseFlags } from '../../../lib/flags/index.ts'
import { migrateStore } from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { migrateFlags } from './flags.ts'
import { openReader, openTarget, type StoreFlagValues, snapshotEncryption } from './open.ts'
import { print, say, sometimes } from './output.ts'

const usage = `Copies every key of a store into an empty one: from the embedded store to etcd, or back. Objects get new revisions in the order
of the old ones, and the new store's revision is no less than the old one's, so that clients list again and miss nothing.

Without --follow no server may use the source. With it servers continue: the copy is made, then every write is carried over
until the servers have stopped. Stop them when the command reports that it has caught up, and start them on the new store when it ends.

Usage:
  pilothouse store migrate --from=/var/lib/pilothouse --to=https://10.0.0.1:2379,https://10.0.0.2:2379 --follow
  pilothouse store migrate --from=https://10.0.0.1:2379 --to=/var/lib/pilothouse
`

export async function migrate(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(migrateFlags, line)
  if (isAnswered(parsed, usage, migrateFlags)) return 0
  const { values } = parsed
  const source = await openReader(storeAt('from', values.from, values))
  try {
    const target = await openTarget(storeAt('to', values.to, values), `migration from ${source.description}`)
    const work = await workFolder(values['work-dir'])
    const progress = sometimes()
    try {
      const done = await migrateStore(systemClock, source, target, {
        workFile: join(work, 'source.snapshot'),
        encryption: await snapshotEncryption(values),
        follow: values.follow,
        idleMs: values['idle-period'],
        onRaise: (reached, to) => progress(`the revision is raised: ${reached} of ${to}`),
        onEntries: (written, of) => progress(`${written} keys of ${of}`),
        onBehind: (revisions) => progress(`${revisions} revisions of the source remain`),
        onCaughtUp(revision) {
          if (values.follow) say(`caught up at revision ${revision} of the source: stop its servers now`)
        },
      })
      await print(
        `${target.description}: ${done.entries} keys and ${done.changes} later writes are copied; its revision is ` +
          `${done.revision}, that of the source ${done.sourceRevision}. Start servers on it, and no more on the source\n`,
      )
      return 0
    } finally {
      await rm(work, { recursive: true, force: true })
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** The API server's flags for this store. */
function storeAt(
  flag: 'from' | 'to',
  given: string,
  common: Omit<StoreFlagValues, 'etcd-servers' | 'data-dir' | 'etcd-prefix'>,
): StoreFlagValues {
  if (given === '')
    throw new FlagError(`--${flag} must name a folder, or endpoints of etcd as https://host:port or unix://path`)
  const isEtcd = /^(https?|unixs?):\/\//.test(given)
  return {
    'etcd-servers': isEtcd ? given.split(',') : [],
    'data-dir': isEtcd ? '' : given,
    'etcd-prefix': '/registry',
    'etcd-cafile': common['etcd-cafile'],
    'etcd-certfile': common['etcd-certfile'],
    'etcd-keyfile': common['etcd-keyfile'],
    'data-encryption-key-file': common['data-encryption-key-file'],
  }
}

async function workFolder(given: string): Promise<string> {
  const parent = given === '' ? tmpdir() : resolve(given)
  try {
    return await mkdtemp(join(parent, 'pilothouse-migrate-'))
  } catch (error) {
    throw new StartError(`--work-dir: ${parent} can't be written to: ${reasonOf(error)}`, { cause: error })
  }
}
