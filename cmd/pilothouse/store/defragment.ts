import { parseFlags } from '../../../lib/flags/index.ts'
import { defragmentEtcd, defragmentFolder, openEtcdReader } from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { defragmentFlags } from './flags.ts'
import { dependencies, etcdAddress, isEtcd, storeFolder } from './open.ts'
import { formatBytes, print } from './output.ts'

const usage = `Gives back the space that is free within the store's files. Every member of an etcd cluster is defragmented, one at a time and
the leader last; each answers nothing meanwhile. An embedded store must not be in use.

Usage:
  pilothouse store defragment --etcd-servers=https://10.0.0.1:2379
  pilothouse store defragment --data-dir=/var/lib/pilothouse
`

export async function defragment(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(defragmentFlags, line)
  if (isAnswered(parsed, usage, defragmentFlags)) return 0
  const { values } = parsed
  if (!isEtcd(values)) {
    const folder = storeFolder(values['data-dir'])
    await print(lineOf(folder, await defragmentFolder(dependencies, folder)))
    return 0
  }
  const reader = await openEtcdReader(dependencies, await etcdAddress(values, values['etcd-servers']))
  try {
    await defragmentEtcd(dependencies.clock, reader.connection, (done) => {
      process.stdout.write(lineOf(`${done.endpoint} (${done.memberId})`, done))
    })
    return 0
  } finally {
    await reader.close()
  }
}

function lineOf(name: string, { bytesBefore, bytesAfter }: { bytesBefore: number; bytesAfter: number }): string {
  return `${name}: ${formatBytes(bytesBefore)} before, ${formatBytes(bytesAfter)} now\n`
}
