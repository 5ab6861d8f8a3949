import { resolve } from 'node:path'
import { systemClock } from '../../../lib/base/index.ts'
import { FlagError, parseFlags } from '../../../lib/flags/index.ts'
import { StoreToolError, writeNativeSnapshot, writeSnapshot } from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { snapshotFlags } from './flags.ts'
import { openReader, snapshotEncryption } from './open.ts'
import { formatBytes, print } from './output.ts'

const usage = `Writes every key of the store as of one revision to a new file with a checksum, while servers go on using it. The file holds
what the store holds, Secrets included; it is readable by you alone, and encrypted with --data-encryption-key-file.

Usage:
  pilothouse store snapshot backup.snapshot --data-dir=/var/lib/pilothouse
  pilothouse store snapshot backup.snapshot --etcd-servers=https://10.0.0.1:2379
  pilothouse store snapshot backup.db --format=etcd --etcd-servers=https://10.0.0.1:2379
`

export async function snapshot(line: readonly string[]): Promise<number> {
  const { values, positional } = parseFlags(snapshotFlags, line)
  if (isAnswered({ values, positional: [] }, usage, snapshotFlags)) return 0
  const isNative = values.format === 'etcd'
  if (!isNative && values.format !== 'pilothouse')
    throw new FlagError(`--format: ${JSON.stringify(values.format)} is none of pilothouse, etcd`)
  const file = onlyFile(positional)
  const reader = await openReader(values)
  try {
    if (isNative) {
      if (reader.kind !== 'etcd')
        throw new StoreToolError('--format=etcd is for etcd: an embedded store has no such form')
      const { bytes } = await writeNativeSnapshot(reader.connection, resolve(file))
      await print(`${file}: ${formatBytes(bytes)}, for \`etcdutl snapshot restore\`\n`)
      return 0
    }
    const encryption = await snapshotEncryption(values)
    const { revision, entries, bytes, sha256 } = await writeSnapshot(systemClock, reader, resolve(file), encryption)
    const size = `${formatBytes(bytes)}${encryption ? ', encrypted' : ''}`
    await print(`${file}: ${entries} keys at revision ${revision}, ${size}, sha256 ${sha256}\n`)
    return 0
  } finally {
    await reader.close()
  }
}

export function onlyFile(positional: readonly string[]): string {
  const [file, ...rest] = positional
  if (file === undefined || file === '') throw new FlagError('name a file')
  if (rest.length > 0) throw new FlagError(`unexpected argument: ${rest[0]}`)
  return file
}
