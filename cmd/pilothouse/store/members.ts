import { parseFlags } from '../../../lib/flags/index.ts'
import { listMembers, StoreToolError } from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { membersFlags } from './flags.ts'
import { openReader } from './open.ts'
import { chooseOutput, formatJson, formatTable, print } from './output.ts'

const usage = `Lists the members of an etcd cluster, as the cluster knows them.

Usage:
  pilothouse store members --etcd-servers=https://10.0.0.1:2379
`

export async function members(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(membersFlags, line)
  if (isAnswered(parsed, usage, membersFlags)) return 0
  const output = chooseOutput(parsed.values.output, ['table', 'json'])
  const reader = await openReader(parsed.values)
  try {
    if (reader.kind !== 'etcd') throw new StoreToolError('an embedded store has no members: it is one folder')
    const listed = await listMembers(reader.connection)
    const rows = listed.map(({ id, name, peerUrls, clientUrls, isLearner }) => [
      id,
      name === '' ? '<not started>' : name,
      clientUrls.join(','),
      peerUrls.join(','),
      isLearner ? 'learner' : 'voter',
    ])
    const titles = ['MEMBER', 'NAME', 'CLIENTS', 'PEERS', 'ROLE']
    await print(output === 'json' ? formatJson(listed) : formatTable([titles, ...rows]))
    return 0
  } finally {
    await reader.close()
  }
}
