import assert from 'node:assert/strict'
import type { Pod } from '../../../api/gen/core/v1.ts'
import type { ResourceClaim } from '../../../api/gen/resource.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { podsNow } from '../../../lib/controllers/resourceclaim/observe.ts'
import {
  claimNamesOf,
  generateNameOf,
  planClaim,
  planPod,
  podOwner,
} from '../../../lib/controllers/resourceclaim/plan.ts'
import { type Frozen, validateDns1123Subdomain } from '../../../lib/object/index.ts'
import { givenObject, runScripts } from '../../support/controllerscript.ts'

runScripts('resourceclaim', ({ key, lister }) => {
  const [kind, at = ''] = key.split(':')
  const pods = lister(resources.core.v1.pods)
  const claims = lister(resources.resource.v1.resourceclaims)
  const namesOf = (list: readonly { readonly metadata: { readonly name?: string } }[]) =>
    list.length === 0 ? undefined : list.map(({ metadata }) => metadata.name)
  if (kind === 'pod') {
    const pod = pods.get(at)
    assert.ok(pod)
    const owned = Array.from(claims.all()).filter(({ metadata }) => podOwner(metadata)?.uid === pod.metadata.uid)
    const { known, make, reserve } = planPod(pod, (name) => claims.get(`default/${name}`), owned)
    return {
      known: known.size === 0 ? undefined : Object.fromEntries(known),
      make: make.length === 0 ? undefined : make.map(({ name }) => name),
      reserve: namesOf(reserve),
    }
  }
  const claim = claims.get(at)
  assert.ok(claim)
  const { reservedFor, deallocate, remove } = planClaim(claim, (name) => pods.get(`default/${name}`))
  return {
    reservedFor: reservedFor?.map(({ name }) => name),
    deallocate: deallocate || reservedFor ? deallocate : undefined,
    remove: remove || undefined,
  }
})

describe('names of claims', () => {
  it('begin with those of the pod and its entry, both cut in proportion where they are long', () => {
    assert.equal(generateNameOf('web', 'gpu'), 'web-gpu-')
    const long = generateNameOf('p'.repeat(200), 'c'.repeat(50))
    assert.match(long, /^p{45}-c{11}-$/)
  })

  it('are valid where the cut is behind a dot', () => {
    const name = `${generateNameOf(`${'p'.repeat(44)}.${'q'.repeat(155)}`, 'c'.repeat(50))}abcde`
    assert.deepEqual(validateDns1123Subdomain(name), [])
    assert.match(name, /^p{44}-c{11}-abcde$/)
  })
})

describe('names of the claims that a pod uses', () => {
  it('are those it names, those that were made for it, and that of its extended resources', () => {
    const pod = givenObject({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name: 'web' },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        resourceClaims: [
          { name: 'a', resourceClaimName: 'shared' },
          { name: 'b', resourceClaimTemplateName: 'one' },
        ],
      },
      status: {
        resourceClaimStatuses: [{ name: 'b', resourceClaimName: 'made' }, { name: 'none' }],
        extendedResourceClaimStatus: { resourceClaimName: 'extended', requestMappings: [] },
      },
    }) as Frozen<Pod>
    assert.deepEqual(claimNamesOf(pod), ['shared', 'made', 'extended'])
  })
})

describe('pods of a claim', () => {
  const pod = (uid: string): Frozen<Pod> =>
    givenObject({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name: 'web', uid },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }) as Frozen<Pod>
  const claim = (...reservedFor: object[]): Frozen<ResourceClaim> =>
    givenObject({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { namespace: 'default', name: 'c' },
      spec: { devices: {} },
      status: { allocation: { devices: {} }, reservedFor },
    }) as Frozen<ResourceClaim>
  const asked: string[] = []
  const server = (answer: Frozen<Pod> | undefined) => async (name: string) => {
    asked.push(name)
    return answer
  }
  beforeEach(() => {
    asked.length = 0
  })

  it('are those that the informer shows', async () => {
    const known = await podsNow(claim({ resource: 'pods', name: 'web', uid: 'p1' }), () => pod('p1'), server(undefined))
    assert.deepEqual([known.get('web')?.metadata.uid, asked], ['p1', []])
  })

  it('are read where the informer still shows a pod of that name from before', async () => {
    const late = claim({ resource: 'pods', name: 'web', uid: 'p1' })
    const known = await podsNow(late, () => pod('p0'), server(pod('p1')))
    assert.deepEqual([known.get('web')?.metadata.uid, asked], ['p1', ['web']])
    assert.equal(planClaim(late, (name) => known.get(name)).reservedFor, undefined)
  })

  it('are read once, also for two consumers of one name', async () => {
    const consumers = ['p0', 'p1', 'p2'].map((uid) => ({ resource: 'pods', name: 'web', uid }))
    const known = await podsNow(claim(...consumers), () => pod('p0'), server(pod('p2')))
    assert.deepEqual([known.get('web')?.metadata.uid, asked], ['p2', ['web']])
  })

  it('are not read where the consumer is no pod', async () => {
    const other = { apiGroup: 'example.com', resource: 'pods', name: 'web', uid: 'p1' }
    await podsNow(claim(other), () => undefined, server(undefined))
    assert.deepEqual(asked, [])
  })
})
