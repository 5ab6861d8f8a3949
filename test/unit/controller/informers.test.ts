import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { createFakeClock, createSeededRandom, silentLogger, silentMetrics } from '../../../lib/base/index.ts'
import type { Transport } from '../../../lib/client/index.ts'
import { type ControllerContext, defaultControllerSettings, startControllers } from '../../../lib/controller/index.ts'

const { configmaps } = resources.core.v1

/** Counts the watches that are open. */
function createServer() {
  const server = { watches: 0 }
  const transport: Transport = {
    send: () => Promise.reject(new Error('nothing is asked here')),
    watch() {
      server.watches++
      return { close: () => void server.watches-- }
    },
    close() {},
  }
  return { server, transport }
}

describe('controller: informers', () => {
  async function open() {
    const { server, transport } = createServer()
    const contexts = new Map<string, ControllerContext>()
    const manager = await startControllers(
      {
        clock: createFakeClock(),
        random: createSeededRandom(1),
        log: silentLogger,
        metrics: silentMetrics,
        connect: () => transport,
        gate: () => true,
      },
      ['one', 'two'].map((name) => ({ name, account: name, start: (context) => void contexts.set(name, context) })),
      { settings: defaultControllerSettings },
    )
    const context = (name: string): ControllerContext => contexts.get(name) as ControllerContext
    return { server, transport, manager, one: context('one'), two: context('two') }
  }
  const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

  it('informers of metadata are shared, and end when the last controller has released them', async () => {
    const { server, manager, one, two } = await open()
    const informer = one.metadataInformer(configmaps)
    assert.equal(two.metadataInformer(configmaps), informer)
    one.metadataInformer(configmaps)
    await settled()
    assert.equal(server.watches, 1)
    one.dropMetadataInformer(configmaps)
    assert.equal(server.watches, 1, 'the other controller follows still')
    assert.equal(two.metadataInformer(configmaps), informer)
    two.dropMetadataInformer(configmaps)
    assert.equal(server.watches, 0)
    assert.notEqual(one.metadataInformer(configmaps), informer)
    await manager.close()
    assert.equal(server.watches, 0)
  })

  it('informers of metadata are those of whole objects, where there are any', async () => {
    const { server, manager, one, two } = await open()
    const whole = one.informer(configmaps)
    assert.equal(two.metadataInformer(configmaps), whole)
    await settled()
    assert.equal(server.watches, 1)
    two.dropMetadataInformer(configmaps)
    assert.equal(server.watches, 1, 'the whole objects are followed still')
    assert.equal(two.metadataInformer(configmaps), whole)
    await manager.close()
  })

  it('informers of metadata outlast a controller that releases one that it does not hold', async () => {
    const { server, manager, one, two } = await open()
    two.metadataInformer(configmaps)
    await settled()
    one.dropMetadataInformer(configmaps)
    one.dropMetadataInformer(configmaps)
    assert.equal(server.watches, 1)
    await manager.close()
  })

  it('informers that are requested while the manager closes do not follow any more', async () => {
    const { server, manager, one } = await open()
    await manager.close()
    one.metadataInformer(configmaps)
    one.informer(configmaps)
    await settled()
    assert.equal(server.watches, 0)
  })

  it('pause where a watch ends at once, in order and without a state', async () => {
    const { server, transport, manager, one } = await open()
    let opened = 0
    transport.watch = (_request, sink) => {
      opened++
      // Enough to see it; without a pause there would be no end, and nothing else would run.
      if (opened < 100) queueMicrotask(() => sink.onEnd())
      return { close: () => void server.watches-- }
    }
    one.metadataInformer(configmaps)
    await settled()
    assert.equal(opened, 1)
    await manager.close()
  })
})
