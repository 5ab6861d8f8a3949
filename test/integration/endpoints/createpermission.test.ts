import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import type { AdmissionPlugin } from '../../../lib/admission/index.ts'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import type { AuthorizationAttributes, AuthorizationResult } from '../../../lib/authz/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { type Answer, createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const collection = '/api/v1/namespaces/default/limitranges'
const range = (cpu: string): object => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'l' },
  spec: { limits: [{ type: 'Pod', max: { cpu } }] },
})
type Result = AuthorizationResult | Promise<AuthorizationResult>
const no: AuthorizationResult = { decision: 'no-opinion', reason: 'not that' }
const yes: AuthorizationResult = { decision: 'allow', reason: '' }
const failures = (['no-opinion', 'deny'] as const).map(
  (decision): AuthorizationResult => ({ decision, reason: '', error: new Error('secret detail') }),
)

const requests: Record<string, (kit: EndpointKit, query?: string) => Promise<Answer>> = {
  'a PUT': (kit, query = '') => kit.request('PUT', `${collection}/l?${query}`, { body: range('2') }),
  'an apply': (kit, query = '') =>
    kit.request('PATCH', `${collection}/l?fieldManager=m&${query}`, {
      body: range('2'),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    }),
}

interface World {
  readonly kit: EndpointKit
  readonly asked: AuthorizationAttributes[]
  /** Operations that the validating phase of admission saw. */
  readonly validated: string[]
}

async function withKit(answer: Result, run: (world: World) => Promise<void>): Promise<void> {
  const asked: AuthorizationAttributes[] = []
  const validated: string[] = []
  const plugin: AdmissionPlugin = {
    name: 'Recorder',
    handles: () => true,
    validate: ({ operation, kind }) => void (kind.kind === 'LimitRange' && validated.push(operation)),
  }
  const authorizer = { name: 'test', authorize: (about: AuthorizationAttributes) => (asked.push(about), answer) }
  const scheme = createScheme({ tables, kinds: createKindSet(builtInKinds).get })
  const kit = await createEndpointKit({
    authorizer,
    plugins: [plugin],
    ownership: createFieldOwnership(scheme.objects),
  })
  try {
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    await run({ kit, asked, validated })
  } finally {
    await kit.close()
  }
}

describe('endpoints: who may make an object by', () => {
  for (const [title, send] of Object.entries(requests)) {
    for (const query of ['', 'dryRun=All'])
      it(`${title}${query && ' in a dry run'} without the right to create is refused, and nothing is created`, () =>
        withKit(Promise.resolve(no), async ({ kit, asked, validated }) => {
          const refused = await send(kit, query)
          assert.equal(refused.status, 403, refused.text)
          assert.match(
            refused.json.message ?? '',
            /^limitranges "l" is forbidden: User "\S+" cannot create resource "limitranges" in API group "" in the namespace "default": not that$/,
          )
          assert.deepEqual(
            asked.map(({ verb, name, namespace, resource }) => [verb, name, namespace, resource]),
            [['create', 'l', 'default', 'limitranges']],
          )
          assert.deepEqual(validated, [])
          assert.equal((await kit.request('GET', `${collection}/l`)).status, 404)
        }))

    it(`${title} with the right to create creates it`, () =>
      withKit(yes, async ({ kit, asked, validated }) => {
        assert.equal((await send(kit)).status, 201)
        assert.deepEqual([asked.length, validated], [1, ['CREATE']])
      }))

    it(`${title} of an existing object needs no such right`, () =>
      withKit(no, async ({ kit, asked }) => {
        assert.equal((await kit.request('POST', collection, { body: range('1') })).status, 201)
        const changed = await send(kit, 'force=true')
        assert.equal(changed.status, 200, changed.text)
        assert.deepEqual(asked, [])
      }))

    for (const failed of failures)
      it(`${title} is refused without a detail where an authorizer failed, of ${failed.decision}`, () =>
        withKit(failed, async ({ kit }) => {
          const { status, text } = await send(kit)
          assert.equal(status, 500)
          assert.match(text, /authorization could not be decided/)
          assert.doesNotMatch(text, /secret detail/)
        }))
  }

  it('a merge patch, which creates nothing, needs no such right', () =>
    withKit(no, async ({ kit, asked }) => {
      const headers = { 'content-type': 'application/merge-patch+json' }
      assert.equal((await kit.request('PATCH', `${collection}/l`, { body: {}, headers })).status, 404)
      assert.deepEqual(asked, [])
    }))
})
