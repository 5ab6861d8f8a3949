import { parseFlags } from '../../../lib/flags/index.ts'
import { asRevision } from '../../../lib/object/index.ts'
import { compactEtcd, compactFolder, openEtcdReader } from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { compactFlags } from './flags.ts'
import { dependencies, encryptionKeys, etcdAddress, isEtcd, storeFolder } from './open.ts'
import { print } from './output.ts'

const usage = `Drops the revisions before one: they can't be read any more, and watches can't start from them. Servers do that every five
minutes. An embedded store must not be in use.

Usage:
  pilothouse store compact --revision=120000 --etcd-servers=https://10.0.0.1:2379
  pilothouse store compact --data-dir=/var/lib/pilothouse
`

export async function compact(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(compactFlags, line)
  if (isAnswered(parsed, usage, compactFlags)) return 0
  const { values } = parsed
  const asked = asRevision(values.revision)
  if (!isEtcd(values)) {
    const folder = storeFolder(values['data-dir'])
    const revision = await compactFolder(dependencies, folder, asked, await encryptionKeys(values))
    await print(`revisions before ${revision} are gone\n`)
    return 0
  }
  const reader = await openEtcdReader(dependencies, await etcdAddress(values, values['etcd-servers']))
  try {
    await print(`revisions before ${await compactEtcd(reader, asked)} are gone\n`)
    return 0
  } finally {
    await reader.close()
  }
}
