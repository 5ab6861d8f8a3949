import { deepEqual, equal, rejects } from 'node:assert/strict'
import { createNodeGraph, type NodeReach } from '../../../../lib/authz/index.ts'
import { createFakeClock, silentMetrics } from '../../../../lib/base/index.ts'
import type { FollowListener } from '../../../../lib/cache/index.ts'
import { createNodeReach } from '../../../../lib/controlplane/access/nodereach.ts'
import type { ApiObject } from '../../../../lib/object/index.ts'

describe('What a node reaches', () => {
  const clock = createFakeClock()
  /** Followers that are open, with the promise of their first state. */
  let open: Map<string, { listener: FollowListener; ready: PromiseWithResolvers<void> }>
  let begun: string[]
  let reach: NodeReach & { close(): void }

  beforeEach(() => {
    open = new Map()
    begun = []
    const graph = createNodeGraph({ clock, metrics: silentMetrics })
    graph.listeners.volumeattachments.set(object('VolumeAttachment', 'a', { nodeName: 'n1' }))
    reach = createNodeReach(
      {
        clock,
        graph,
        followPodsOf(node, listener) {
          begun.push(node)
          const ready = Promise.withResolvers<void>()
          open.set(node, { listener, ready })
          return {
            ready: ready.promise,
            close() {
              open.delete(node)
              ready.reject(new Error('closed'))
            },
          }
        },
      },
      { nodesMax: 2, waitMsMax: 1000 },
    )
  })

  afterEach(() => reach.close())

  const object = (kind: string, name: string, spec: unknown): ApiObject => ({
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace: 'ns' },
    spec,
  })
  const podOf = (nodeName: string): ApiObject =>
    object('Pod', 'p', { nodeName, containers: [], volumes: [{ name: 'v', secret: { secretName: 's' } }] })

  function answer(node: string): void {
    const { listener, ready } = open.get(node)!
    listener.set(podOf(node), undefined as never)
    ready.resolve()
  }

  it('is answered once its pods are known, and at once from then on', async () => {
    const first = reach.reaches('n1', 'secret', 'ns', 's')
    const other = reach.reaches('n1', 'secret', 'ns', 'other')
    answer('n1')
    deepEqual([await first, await other], [true, false])
    equal(reach.reaches('n1', 'secret', 'ns', 's'), true)
    deepEqual(begun, ['n1'])
  })

  it('waits for no pods where none lead to the object', () => {
    equal(reach.reaches('n1', 'attachment', '', 'a'), true)
    deepEqual(begun, [])
  })

  it('is an error, and no access, while its pods are not known', async () => {
    const refused = rejects(async () => await reach.reaches('n1', 'secret', 'ns', 's'), /not known yet/)
    open.get('n1')?.listener.set(podOf('n1'), undefined as never)
    clock.advance(1000)
    await refused
    answer('n1')
    equal(await reach.reaches('n1', 'secret', 'ns', 's'), true)
  })

  it('is forgotten of the node that asked longest ago, beyond the maximum of nodes', async () => {
    for (const node of ['n1', 'n2', 'n1', 'n3']) {
      const asked = reach.reaches(node, 'secret', 'ns', 's')
      if (begun.at(-1) === node) answer(node)
      equal(await asked, true)
    }
    deepEqual([...open.keys()], ['n1', 'n3'])
    const again = reach.reaches('n2', 'secret', 'ns', 's')
    answer('n2')
    equal(await again, true)
    deepEqual(begun, ['n1', 'n2', 'n3', 'n2'])
    reach.close()
    equal(open.size, 0)
  })
})
