import assert from 'node:assert/strict'
import { createFakeClock, createSeededRandom, silentLogger, silentMetrics } from '../../../lib/base/index.ts'
import type { Transport, WatchSink } from '../../../lib/client/index.ts'
import { defaultControllerSettings, startControllers } from '../../../lib/controller/index.ts'
import { statefulset } from '../../../lib/controllers/statefulset/index.ts'
import { type ApiObject, StatusError } from '../../../lib/object/index.ts'

const labels = { app: 'web' }
const set = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { namespace: 'a', name: 'web', uid: 's1', generation: 1, resourceVersion: '3' },
  spec: {
    replicas: 1,
    serviceName: 'web',
    updateStrategy: {},
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: {} },
  },
  status: {},
}
/** It was taken out of the set, and keeps the name. */
const taken = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'a', name: 'web-0', uid: 'p1', resourceVersion: '4', labels: { app: 'taken-out' } },
  spec: {},
  status: { phase: 'Running' },
}

describe('statefulset controller: a name that another pod has', () => {
  it('is taken as soon as that pod is deleted, however often the creation failed before', async () => {
    const clock = createFakeClock()
    const sinks: WatchSink<ApiObject>[] = []
    let attempts = 0
    const connect = (): Transport => ({
      async send({ method, type, object }) {
        if (method === 'GET') {
          const items = type?.resource === 'pods' ? [taken] : type?.resource === 'statefulsets' ? [set] : []
          return await Promise.resolve({ metadata: { resourceVersion: '5' }, items })
        }
        if (method !== 'POST' || type?.resource !== 'pods') return object
        attempts++
        throw new StatusError(409, 'AlreadyExists', 'pods "web-0" already exists')
      },
      watch({ url, type }, sink) {
        if (url.includes('sendInitialEvents'))
          queueMicrotask(() => sink.onEnd(new StatusError(422, 'Invalid', 'no streams')))
        else if (type?.resource === 'pods') sinks.push(sink)
        return { close: () => sink.onEnd() }
      },
      close() {},
    })
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    }
    const services = { clock, random: createSeededRandom(1), log: silentLogger, metrics: silentMetrics, connect }
    const manager = await startControllers({ ...services, gate: () => false }, [statefulset], {
      settings: defaultControllerSettings,
    })
    for (let second = 0; second < 120; second++) {
      await settle()
      clock.advance(1000)
    }
    await settle()
    const before = attempts
    assert.ok(before > 5 && before < 20, `${before} attempts`)
    for (const sink of sinks)
      sink.onEvents([{ type: 'DELETED', object: { ...taken, metadata: { ...taken.metadata, resourceVersion: '9' } } }])
    await settle()
    clock.advance(1)
    await settle()
    assert.equal(attempts, before + 1)
    await manager.close()
  })
})
