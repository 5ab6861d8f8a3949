import assert from 'node:assert/strict'
import { createBindingParamAccess, createPolicyParamAccess } from '../../../lib/authz/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { mastersGroup, type UserInfo } from '../../../lib/request/index.ts'

const jane: UserInfo = { name: 'jane', uid: 'u1', groups: ['a', 'b'], extra: { z: ['1'], k: ['2', '3'] } }
const object = (spec: object): ApiObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x' },
  spec: spec as never,
})
const secrets = { apiVersion: 'v1', kind: 'Secret' }
const { signal } = new AbortController()

/** What is asked for a write; an authorizer that allows nothing. */
function recording(served: string | undefined = 'secrets', policy?: ApiObject) {
  const asked: string[] = []
  const dependencies = {
    authorizer: {
      name: 'recording',
      authorize(question: {
        verb: string
        group: string
        version: string
        resource: string
        namespace: string
        name: string
      }) {
        const { verb, group, version, resource, namespace, name } = question
        asked.push([verb, group, version, resource, namespace, name].join('|'))
        return { decision: 'deny', reason: '' } as const
      },
    },
    resourceOf: () => served,
    findPolicy: () => Promise.resolve(policy),
  }
  return { asked, dependencies }
}

describe('access to the parameters of admission policies', () => {
  it('is checked for all objects of the kind, and for everything where the kind is not served', async () => {
    for (const [served, question] of [
      ['secrets', 'get||v1|secrets|*|*'],
      [undefined, 'get||v1|*|*|*'],
    ] as const) {
      const { asked, dependencies } = recording(served)
      const check = createPolicyParamAccess({ ...dependencies, resourceOf: () => served })
      const fault = await check({ user: jane, object: object({ paramKind: secrets }), old: undefined, signal })
      assert.deepEqual(asked, [question])
      assert.match(
        fault?.message ?? '',
        /user &\{jane u1 \[a b\] map\[k:\[2 3\] z:\[1\]\]\} must have "get" permission on all objects of the referenced paramKind/,
      )
    }
  })

  const bindings: readonly (readonly [
    what: string,
    paramRef: object,
    policy: ApiObject | undefined,
    question: string,
  ])[] = [
    ['one object', { name: 's', namespace: 'n' }, object({ paramKind: secrets }), 'get||v1|secrets|n|s'],
    ['all of a namespace', { namespace: 'n', selector: {} }, object({ paramKind: secrets }), 'list||v1|secrets|n|'],
    ['all of all namespaces', { selector: {} }, object({ paramKind: secrets }), 'list||v1|secrets||'],
    ['a policy that is not there', { name: 's' }, undefined, 'get|*|*|*||s'],
    ['a policy without parameters', { name: 's' }, object({}), 'get|*|*|*||s'],
  ]
  for (const [what, paramRef, policy, question] of bindings)
    it(`is checked for ${what} of a binding`, async () => {
      const { asked, dependencies } = recording('secrets', policy)
      const check = createBindingParamAccess(dependencies, { selectVerb: 'list' })
      assert.ok(await check({ user: jane, object: object({ policyName: 'p', paramRef }), old: undefined, signal }))
      assert.deepEqual(asked, [question])
    })

  it('is not checked for members of system:masters, without parameters, and where they are unchanged', async () => {
    const { asked, dependencies } = recording()
    const [policy, binding] = [
      createPolicyParamAccess(dependencies),
      createBindingParamAccess(dependencies, { selectVerb: 'get' }),
    ]
    const root = { ...jane, groups: [mastersGroup] }
    const withKind = object({ paramKind: secrets })
    const bound = (paramRef: object, policyName = 'p') => object({ policyName, paramRef })
    const ref = { name: 's', selector: { matchLabels: { a: 'b' } } }
    const faults = [
      await policy({ user: root, object: withKind, old: undefined, signal }),
      await policy({ user: jane, object: object({}), old: withKind, signal }),
      await policy({ user: jane, object: withKind, old: structuredClone(withKind), signal }),
      await binding({ user: root, object: bound(ref), old: undefined, signal }),
      await binding({ user: jane, object: object({ policyName: 'p' }), old: bound(ref), signal }),
      await binding({ user: jane, object: bound(ref), old: bound(structuredClone(ref)), signal }),
    ]
    assert.deepEqual([faults.filter((fault) => fault !== undefined), asked], [[], []])
    assert.ok(await binding({ user: jane, object: bound(ref), old: bound(ref, 'other'), signal }))
  })
})
