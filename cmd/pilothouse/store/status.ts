import { parseFlags } from '../../../lib/flags/index.ts'
import { type EmbeddedStoreReader, type EtcdReader, memberStatuses } from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { statusFlags } from './flags.ts'
import { openReader } from './open.ts'
import { chooseOutput, formatBytes, formatJson, formatTable, print } from './output.ts'

const usage = `Shows the members of the store, their sizes, and its revision.

Usage:
  pilothouse store status --etcd-servers=https://10.0.0.1:2379,https://10.0.0.2:2379
  pilothouse store status --data-dir=/var/lib/pilothouse
`

/** Exit code 1: a member doesn't answer, or reports an error. */
export async function status(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(statusFlags, line)
  if (isAnswered(parsed, usage, statusFlags)) return 0
  const output = chooseOutput(parsed.values.output, ['table', 'json'])
  const reader = await openReader(parsed.values)
  try {
    return reader.kind === 'etcd' ? await ofEtcd(reader, output) : await ofFolder(reader, output)
  } finally {
    await reader.close()
  }
}

async function ofEtcd({ connection }: EtcdReader, output: 'table' | 'json'): Promise<number> {
  const members = await memberStatuses(connection)
  const isWell = members.every(({ error, errors }) => error === undefined && errors.length === 0)
  if (output === 'json') {
    await print(formatJson({ store: 'etcd', members }))
    return isWell ? 0 : 1
  }
  const rows = members.map((member) =>
    member.error === undefined
      ? [
          member.endpoint,
          member.memberId,
          member.version,
          formatBytes(member.sizeBytes),
          formatBytes(member.sizeInUseBytes),
          member.isLeader ? 'leader' : member.isLearner ? 'learner' : '',
          String(member.raftTerm),
          String(member.raftAppliedIndex),
          String(member.revision),
          member.errors.join(', '),
        ]
      : [member.endpoint, '', '', '', '', '', '', '', '', member.error],
  )
  const titles = ['ENDPOINT', 'MEMBER', 'VERSION', 'SIZE', 'IN USE', 'ROLE', 'TERM', 'APPLIED', 'REVISION', 'ERRORS']
  await print(formatTable([titles, ...rows]))
  return isWell ? 0 : 1
}

async function ofFolder({ reader }: EmbeddedStoreReader, output: 'table' | 'json'): Promise<number> {
  const snapshot = reader.snapshot()
  const { revision, compacted } = snapshot
  snapshot.close()
  const owner = reader.owner()
  const { directory, isEncrypted } = reader
  const sizeBytes = reader.sizeBytes()
  if (output === 'json') {
    const shown = {
      store: 'embedded',
      directory,
      isEncrypted,
      sizeBytes,
      revision,
      oldestRevision: compacted,
      ownerPid: owner?.pid,
    }
    await print(formatJson(shown))
    return 0
  }
  const titles = ['FOLDER', 'SIZE', 'REVISION', 'OLDEST', 'ENCRYPTED', 'USED BY']
  const user = owner ? `process ${owner.pid}` : ''
  await print(
    formatTable([
      titles,
      [directory, formatBytes(sizeBytes), String(revision), String(compacted), isEncrypted ? 'yes' : 'no', user],
    ]),
  )
  return 0
}
