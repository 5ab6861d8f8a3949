// Lists by label of a server that has just started: few of its ConfigMaps of 1 KB and pods of 5 KB match. The figures
// are the server's own CPU for the first list, and for one of many that follow.
import type { ServerProcess } from '../support/apiserver.ts'
import { createClient } from './client.ts'
import { cpuMicroseconds, cpuOfSpan, memoryMb } from './process.ts'
import { fillPods, targetOf } from './size.ts'

interface LabelsOptions {
  readonly configMaps: number
  readonly pods: number
  /** Starts the server; the second time on what the first one stored. */
  start(): Promise<ServerProcess>
  record(name: string, cost: string, more: string): void
}

const configMapsPath = '/api/v1/namespaces/labels/configmaps'
const warmLists = 20
/** Keys that no object has, asked for one after the other. */
const strangeKeys = 1000

const pods = '/api/v1/pods?resourceVersion=0&labelSelector='
const configMaps = `${configMapsPath}?resourceVersion=0&labelSelector=`

const forms: readonly (readonly [name: string, path: string])[] = [
  ['ConfigMaps, equality', `${configMaps}shard%3D7`],
  ['ConfigMaps, two equalities', `${configMaps}app%3Dbench,shard%3D8`],
  ['ConfigMaps, a set', `${configMaps}shard%20in%20(1,2,3)`],
  ['ConfigMaps, none', `${configMaps}shard%3Dnowhere`],
  ['ConfigMaps, most recent', `${configMapsPath}?labelSelector=shard%3D7`],
  ['ConfigMaps, absence', `${configMaps}!shard`],
  ['pods, equality', `${pods}app%3Da7`],
  ['pods, a set', `${pods}app%20in%20(a1,a2)`],
  ['pods, inequality', `${pods}tier!%3Dx`],
]

export async function benchLabels({ configMaps, pods, start, record }: LabelsOptions): Promise<void> {
  let server = await start()
  try {
    await fillConfigMaps(server, configMaps)
    await fillPods(targetOf(server), pods, record)
    await server.stop()
    server = await start()
    const target = targetOf(server)
    const client = createClient(target)
    const read = async (path: string): Promise<number> => (await client.request('GET', path, undefined, false)).bytes
    // V8 compiles the code of a list; what the server does after its start comes to rest.
    for (let round = 0; round < 5; round++) await read('/api/v1/namespaces?labelSelector=a%3Db')
    await untilQuiet(target.pid)
    record('start until quiet', `${Math.round(cpuMicroseconds(target.pid) / 1000)} ms`, '')
    record('memory then', `${memoryMb(target.pid).resident} MB`, '')
    for (const [name, path] of forms) {
      let bytes = 0
      const list = async (): Promise<void> => void (bytes = await read(path))
      const firstUs = await cpuOfSpan(target.pid, list)
      const laterUs = await cpuOfSpan(target.pid, async () => {
        for (let round = 0; round < warmLists; round++) await list()
      })
      const later = (laterUs / warmLists / 1000).toFixed(1)
      record(name, `${(firstUs / 1000).toFixed(1)} / ${later} ms`, `first / later, ${bytes} bytes`)
    }
    const strangeUs = await cpuOfSpan(target.pid, async () => {
      for (let key = 0; key < strangeKeys; key++) await read(`${forms[0]?.[1]},strange-${key}%3Dx`)
    })
    record('keys that nobody has', `${(strangeUs / strangeKeys / 1000).toFixed(1)} ms`, `${strangeKeys} of them`)
    client.close()
    record('memory at the end', `${memoryMb(target.pid).resident} MB`, '')
  } finally {
    await server.stop()
  }
}

async function fillConfigMaps(server: ServerProcess, count: number): Promise<void> {
  const client = createClient(targetOf(server), 32)
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'labels' } }
  await client.request('POST', '/api/v1/namespaces', JSON.stringify(namespace))
  let next = 0
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (next < count) {
        const { status, body } = await client.request('POST', configMapsPath, configMap(next++))
        if (status !== 201) throw new Error(`filling failed: ${status} ${body}`)
      }
    }),
  )
  client.close()
}

function configMap(index: number): string {
  const labels = { app: 'bench', shard: String(index % 1000) }
  const metadata = { name: `cm-${String(index).padStart(6, '0')}`, labels }
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { payload: 'x'.repeat(900) } })
}

/** Waits until the process uses less than a fiftieth of a core. */
async function untilQuiet(pid: number): Promise<void> {
  for (let spans = 0; spans < 60; spans++) {
    const usedUs = await cpuOfSpan(pid, () => new Promise((resolve) => setTimeout(resolve, 500)))
    if (usedUs < 10_000) return
  }
}
