import { join, resolve } from 'node:path'
import type { Node } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import { silentLogger, systemClock, systemRandom } from '../../lib/base/index.ts'
import { type Client, createClient, createHttpTransport, loadKubeconfig } from '../../lib/client/index.ts'
import { reasonOf, StartError } from '../../lib/controlplane/index.ts'
import { FlagError, parseFlags } from '../../lib/flags/index.ts'
import type { Frozen } from '../../lib/object/index.ts'
import { findCommand } from '../commandline.ts'
import { processEnvironment } from '../processenvironment.ts'
import { nodesFlags } from './flags.ts'

const usage = `Lists nodes without machines of a running control plane, and lets them fail and recover.

Usage:
  pilothouse nodes list [flags]
  pilothouse nodes fail NAME… [flags]
  pilothouse nodes recover NAME… [flags]

A node that fails neither renews its lease nor works on its pods, as if its machine were lost.
`

const hollowLabel = 'hollow.pilothouse/node'
const lostAnnotation = 'hollow.pilothouse/lost'
const timeoutMs = 10_000

const commands: Readonly<Record<string, (client: Client, names: readonly string[]) => Promise<void>>> = {
  list,
  fail: async (client, names) => await setLost(client, names, true),
  recover: async (client, names) => await setLost(client, names, false),
}

/** `pilothouse nodes`: returns the exit code. */
export async function nodes(line: readonly string[]): Promise<number> {
  const { values, positional } = parseFlags(nodesFlags, line)
  const [name, ...rest] = positional
  if (values.help || name === undefined) {
    process.stdout.write(usage)
    return values.help ? 0 : 1
  }
  const command = findCommand('nodes', commands, name)
  const path = values.kubeconfig || join(resolve(values['data-dir']), 'admin.kubeconfig')
  const services = { ...processEnvironment, clock: systemClock, random: systemRandom, log: silentLogger }
  const endpoint = await loadKubeconfig(services, path).catch((error: unknown) => {
    throw new StartError(`${path}: ${reasonOf(error)}`, { cause: error })
  })
  const client = createClient(createHttpTransport(services, endpoint, { userAgent: 'pilothouse', timeoutMs }))
  try {
    await command(client, rest)
  } finally {
    await client.close()
  }
  return 0
}

async function list(client: Client): Promise<void> {
  const { items } = await client.resource(resources.core.v1.nodes).list({ labelSelector: `${hollowLabel}=true` })
  const rows = items.map((node) => [node.metadata.name ?? '', readiness(node), isLost(node) ? 'failed' : 'runs'])
  const all = [['NAME', 'STATUS', 'MACHINE'], ...rows]
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)) + 3)
  for (const row of all)
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('')}\n`)
}

async function setLost(client: Client, names: readonly string[], lost: boolean): Promise<void> {
  if (names.length === 0) throw new FlagError('name the nodes')
  const found = client.resource(resources.core.v1.nodes)
  for (const name of names) {
    const { metadata } = await found.get({ name })
    if (metadata.labels?.[hollowLabel] !== 'true') throw new StartError(`${name} is no node without a machine`)
    await found.patch({ name }, 'merge', { metadata: { annotations: { [lostAnnotation]: lost ? 'true' : null } } })
    process.stdout.write(`node/${name} ${lost ? 'fails' : 'recovers'}\n`)
  }
}

function readiness({ status }: Frozen<Node>): string {
  return status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True' ? 'Ready' : 'NotReady'
}

function isLost({ metadata }: Frozen<Node>): boolean {
  return metadata.annotations?.[lostAnnotation] === 'true'
}
