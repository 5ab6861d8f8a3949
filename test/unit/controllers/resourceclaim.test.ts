import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { generateNameOf, planClaim, planPod, podOwner } from '../../../lib/controllers/resourceclaim/plan.ts'
import { runScripts } from '../../support/controllerscript.ts'

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
    const { known, make, reserve, problems } = planPod(pod, (name) => claims.get(`default/${name}`), owned)
    return {
      known: known.size === 0 ? undefined : Object.fromEntries(known),
      make: make.length === 0 ? undefined : make.map(({ name }) => name),
      reserve: namesOf(reserve),
      problems: problems.length === 0 ? undefined : problems,
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
})
