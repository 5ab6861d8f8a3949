import assert from 'node:assert/strict'
import type { Client } from '../../../lib/client/index.ts'
import { type Discovery, discover } from '../../../lib/controller/index.ts'

const verbs = ['get', 'list']
const resource = (name: string, kind: string, scope = 'Namespaced') => ({
  resource: name,
  responseKind: { group: '', version: 'v1', kind },
  scope,
  verbs,
})
const list = (items: object[]): object => ({ kind: 'APIGroupDiscoveryList', items })
const core = list([{ metadata: {}, versions: [{ version: 'v1', resources: [resource('pods', 'Pod')] }] }])

/** Asks a server of these documents; what it has not fails. `asked` takes the paths. */
async function ask(documents: Record<string, unknown>, asked: string[] = []): Promise<Discovery> {
  const document = async (path: string): Promise<unknown> => {
    asked.push(path)
    if (documents[path] === undefined) throw new Error('no answer')
    return await Promise.resolve(documents[path])
  }
  return await discover({ document } as Client)
}

const names = ({ resources }: Discovery): string[] =>
  resources.map(({ group, version, resource: name }) => `${group}/${version}/${name}`)

describe('discovery', () => {
  it('uses two answers of a server with aggregated discovery', async () => {
    const asked: string[] = []
    const widgets = { version: 'v1', freshness: 'Current', resources: [resource('widgets', 'Widget', 'Cluster')] }
    const apis = list([{ metadata: { name: 'example.com' }, versions: [widgets] }])
    const found = await ask({ '/api': core, '/apis': apis }, asked)
    assert.deepEqual(asked, ['/apis', '/api'])
    assert.deepEqual(found.resources, [
      { group: '', version: 'v1', resource: 'pods', kind: 'Pod', namespaced: true, verbs },
      { group: 'example.com', version: 'v1', resource: 'widgets', kind: 'Widget', namespaced: false, verbs },
    ])
    assert.equal(found.failed.size, 0)
  })

  it('uses the first version of each resource', async () => {
    const versions = ['v2', 'v1'].map((version) => ({ version, resources: [resource('widgets', 'Widget')] }))
    versions[1]?.resources.push(resource('gears', 'Gear'))
    const found = await ask({ '/api': core, '/apis': list([{ metadata: { name: 'example.com' }, versions }]) })
    assert.deepEqual(names(found), ['/v1/pods', 'example.com/v2/widgets', 'example.com/v1/gears'])
  })

  it('names the groups of which the server has only stale documents', async () => {
    const stale = { version: 'v1beta1', freshness: 'Stale', resources: [resource('nodes', 'NodeMetrics')] }
    const found = await ask({
      '/api': core,
      '/apis': list([{ metadata: { name: 'metrics.k8s.io' }, versions: [stale] }]),
    })
    assert.deepEqual(names(found), ['/v1/pods'])
    const words = 'stale GroupVersion discovery: metrics.k8s.io/v1beta1'
    assert.deepEqual([...found.failed], [['metrics.k8s.io/v1beta1', new Error(words)]])
  })

  it('leaves out resources that have subresources only', async () => {
    const virtual = { resource: 'reviews', scope: 'Cluster', subresources: [{ subresource: 'status' }] }
    const versions = [{ version: 'v1', resources: [virtual] }]
    const found = await ask({ '/api': core, '/apis': list([{ metadata: { name: 'example.com' }, versions }]) })
    assert.deepEqual(names(found), ['/v1/pods'])
  })

  it('reports that the core group does not answer', async () => {
    const found = await ask({ '/apis': list([]) })
    assert.deepEqual([...found.failed.keys()], ['v1'])
  })

  it('asks a server of another implementation for each group version', async () => {
    const kinds = [{ name: 'widgets', kind: 'Widget', namespaced: true, verbs }]
    const versions = [{ groupVersion: 'example.com/v1' }, { groupVersion: 'example.com/v2' }]
    const group = { name: 'example.com', versions, preferredVersion: versions[1] }
    const found = await ask({
      '/apis': { kind: 'APIGroupList', groups: [group] },
      '/api/v1': { resources: [{ name: 'pods/status', kind: 'Pod', namespaced: true, verbs }] },
      '/apis/example.com/v1': { resources: kinds },
      '/apis/example.com/v2': { resources: kinds },
    })
    assert.deepEqual(names(found), ['example.com/v2/widgets'])
  })

  it('fails when the server does not answer its groups', async () => {
    await assert.rejects(ask({ '/api': core }), /no answer/)
  })
})
