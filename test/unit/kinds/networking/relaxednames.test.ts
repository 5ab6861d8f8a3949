import assert from 'node:assert/strict'
import type { IngressSpec } from '../../../../api/gen/networking.k8s.io/v1.ts'
import { createFeatureGates } from '../../../../lib/features/index.ts'
import type { ApiObject } from '../../../../lib/object/index.ts'
import { anonymousUser } from '../../../../lib/request/index.ts'
import { contextOf, created, updated } from '../../../support/kindrun.ts'

const { gate } = createFeatureGates()
const strict = contextOf(anonymousUser, (name) => name !== 'RelaxedServiceNameValidation' && gate(name))

function ingressTo(...services: string[]): ApiObject {
  const backends = services.map((name) => ({ service: { name, port: { number: 80 } } }))
  const [defaultBackend, ...others] = backends
  const paths = others.map((backend) => ({ path: '/', pathType: 'Prefix', backend }))
  const spec = { defaultBackend, ...(paths.length > 0 && { rules: [{ http: { paths } }] }) }
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'i', namespace: 'default' }, spec }
}
const change = (old: ApiObject, ...services: string[]): string[] =>
  updated(old, (object) => void (object['spec'] = ingressTo(...services)['spec']), { context: strict }).findings

describe('an ingress to services whose names begin with a digit', () => {
  const relaxed = created(ingressTo('1st')).object
  const inRule = created(ingressTo('web', '2nd')).object

  it('is created with the gate only', () => {
    assert.deepEqual(created(ingressTo('1st')).findings, [])
    assert.equal(created(ingressTo('1st'), strict).findings.length, 1)
    assert.equal(created(ingressTo('web', '1st'), strict).findings.length, 1)
  })

  it('can be updated without the gate, and then name more such services', () => {
    for (const old of [relaxed, inRule]) {
      assert.deepEqual(change(old, '1st'), [])
      assert.deepEqual(change(old, '1st', '3rd'), [])
      assert.equal(change(old, 'No_Name').length, 1)
    }
  })

  it('is not made of another ingress without the gate', () => {
    const old = created(ingressTo('web')).object
    assert.equal((old['spec'] as IngressSpec).defaultBackend?.service?.name, 'web')
    assert.deepEqual(change(old, 'api'), [])
    assert.equal(change(old, '1st').length, 1)
  })
})
