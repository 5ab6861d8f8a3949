// A namespace full of custom objects is deleted: how long until it is gone, the CPU of an object, and how much memory the
// process needs beyond what it had, which is the server with its controllers.
import { createClient, type Target } from './client.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'

const atOnce = 32
const limitMs = 600_000
const restMs = 5000
const group = 'bench.example.com'
const namespace = 'bench-gone'
const payload = 'x'.repeat(600)

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `notes.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'notes', singular: 'note', kind: 'Note', listKind: 'NoteList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { text: { type: 'string' } } } },
          },
        },
      },
    ],
  },
}

type Recorder = (name: string, cost: string, more: string) => void

export async function benchNamespace(target: Target, objects: number, record: Recorder): Promise<void> {
  const client = createClient(target, atOnce)
  const send = (method: string, path: string, body?: object): Promise<{ status: number }> =>
    client.request(method, path, body === undefined ? undefined : JSON.stringify(body))
  const path = `/apis/${group}/v1/namespaces/${namespace}/notes`

  async function until(isDone: () => Promise<boolean>, everyMs: number): Promise<void> {
    const end = performance.now() + limitMs
    while (!(await isDone())) {
      if (performance.now() > end) throw new Error('the controllers did not get there in time')
      await pause(everyMs)
    }
  }

  await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await until(async () => (await send('GET', path)).status === 200, 50)
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < objects; index = next++) {
      const note = { apiVersion: `${group}/v1`, kind: 'Note', metadata: { name: `n${index}` }, spec: { text: payload } }
      const { status } = await send('POST', path, note)
      if (status !== 201) throw new Error(`a create was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  await pause(restMs)

  const before = memoryMb(target.pid)
  record(`memory with ${objects} custom objects`, `${before.resident} MB`, `${before.file} MB of it pages of files`)
  let [peak, peakOwn] = [before.resident, before.resident - before.file]
  const [cpuUs, startedMs] = [cpuMicroseconds(target.pid), performance.now()]
  await send('DELETE', `/api/v1/namespaces/${namespace}`)
  await until(async () => {
    const { resident, file } = memoryMb(target.pid)
    peak = Math.max(peak, resident)
    peakOwn = Math.max(peakOwn, resident - file)
    return (await send('GET', `/api/v1/namespaces/${namespace}`)).status === 404
  }, 50)
  const seconds = (performance.now() - startedMs) / 1000
  const us = (cpuMicroseconds(target.pid) - cpuUs) / objects
  record('custom objects of a deleted namespace', `${Math.round(us)} µs`, `gone within ${seconds.toFixed(1)} s`)
  const own = `${peakOwn - before.resident + before.file} MB without pages of files`
  record('memory beyond, while they go', `${peak - before.resident} MB`, own)
  await pause(restMs)
  record(
    'memory afterwards',
    `${memoryMb(target.pid).resident} MB`,
    `${memoryMb(target.pid).file} MB of it pages of files`,
  )
  client.close()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
