import assert from 'node:assert/strict'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'

const zone = 'topology.kubernetes.io/zone'
const region = 'topology.kubernetes.io/region'
const pods = '/api/v1/namespaces/default/pods'

describe('PodTopologyLabels', () => {
  let plane: ControlPlane
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await plane.fetch(path, { method: 'POST', body: JSON.stringify(body) })
    assert.equal(answer.status, 201, await answer.clone().text())
    return (await answer.json()) as Record<string, unknown>
  }
  const labelsOf = async (name: string): Promise<object | undefined> => {
    const pod = (await (await plane.fetch(`${pods}/${name}`)).json()) as { metadata: { labels?: object } }
    return pod.metadata.labels
  }
  const pod = (name: string, more: { labels?: object; nodeName?: string } = {}) => ({
    metadata: { name, ...(more.labels && { labels: more.labels }) },
    spec: { containers: [{ name: 'c', image: 'i' }], ...(more.nodeName && { nodeName: more.nodeName }) },
  })
  const bind = (name: string, node: string, more: object = {}): Promise<object> =>
    post(`${pods}/${name}/binding`, { metadata: { name, ...more }, target: { kind: 'Node', name: node } })
  const start = async (isOn: boolean): Promise<void> => {
    plane = await startControlPlane({ featureGates: { PodTopologyLabelsAdmission: isOn } })
    const labels = { [zone]: 'z1', [region]: 'r1', 'kubernetes.io/hostname': 'n1' }
    await post('/api/v1/nodes', { metadata: { name: 'n1', labels } })
    await post('/api/v1/nodes', { metadata: { name: 'bare' } })
  }
  afterEach(() => plane.stop())

  it('gives bound pods the zone and region of their node, except for labels that they already have', async () => {
    await start(true)
    await post(pods, pod('a', { labels: { app: 'x' } }))
    await bind('a', 'n1')
    assert.deepEqual(await labelsOf('a'), { app: 'x', [region]: 'r1', [zone]: 'z1' })
    await post(pods, pod('b', { labels: { [zone]: 'mine' } }))
    await bind('b', 'n1', { labels: { extra: 'bound' } })
    assert.deepEqual(await labelsOf('b'), { extra: 'bound', [region]: 'r1', [zone]: 'mine' })
    for (const [name, node] of [
      ['c', 'bare'],
      ['d', 'missing'],
    ] as const) {
      await post(pods, pod(name))
      await bind(name, node)
      assert.equal(await labelsOf(name), undefined)
    }
  })

  it('gives the labels to pods that are created on a node, too', async () => {
    await start(true)
    await post(pods, pod('static', { nodeName: 'n1', labels: { app: 'x' } }))
    assert.deepEqual(await labelsOf('static'), { app: 'x', [region]: 'r1', [zone]: 'z1' })
  })

  it('does nothing while its gate is off, as by default', async () => {
    await start(false)
    await post(pods, pod('a'))
    await bind('a', 'n1', { labels: { extra: 'x' } })
    assert.equal(await labelsOf('a'), undefined)
  })
})
