import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../../lib/client/index.ts'
import { discoverTypes } from '../../../lib/controller/index.ts'

const { v1, v1beta1 } = resources.resource
const versions = [v1.resourceclaims, v1beta1.resourceclaims as typeof v1.resourceclaims]

/** A server with these versions of the group, the first one preferred; those in `broken` don't answer. */
function serving(names: readonly string[], broken: readonly string[] = []): Client {
  const all = names.map((name) => ({ groupVersion: `resource.k8s.io/${name}` }))
  return {
    document: async (path: string) => {
      if (path === '/apis') return { groups: [{ name: 'resource.k8s.io', versions: all, preferredVersion: all[0] }] }
      if (broken.some((name) => path.endsWith(`/${name}`))) throw new Error('no answer')
      if (!path.startsWith('/apis/resource.k8s.io/')) return { resources: [] }
      return { resources: [{ name: 'resourceclaims', kind: 'ResourceClaim', namespaced: true, verbs: ['get'] }] }
    },
  } as Client
}

describe('types that a server serves', () => {
  const picked = async (client: Client): Promise<string | undefined> =>
    (await discoverTypes(client)).pick(versions)?.version

  it('are picked in the version that the server prefers', async () => {
    assert.equal(await picked(serving(['v1', 'v1beta1'])), 'v1')
    assert.equal(await picked(serving(['v1beta1', 'v1'])), 'v1beta1')
  })

  it('are none where the server serves no version of them', async () => {
    assert.equal(await picked(serving([])), undefined)
    assert.equal(await picked(serving(['v2'])), undefined)
  })

  it('are unknown where a version does not answer', async () => {
    await assert.rejects(picked(serving(['v1', 'v1beta1'], ['v1'])), /no answer/)
  })
})
