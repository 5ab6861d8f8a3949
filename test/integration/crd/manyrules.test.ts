import assert from 'node:assert/strict'
import { type CrdKit, createCrdKit, definitionOf, definitionsUrl } from '../../support/crdkit.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { heldMs, heldMsBound } from '../../support/holdmeter.ts'

/** The longest that one slice may hold the event loop. Compiling all expressions of a case takes several times as long. */
const heldMsMax = heldMsBound()
const count = 6000

const times = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const ruleOf = (index: number): string =>
  `self.text.startsWith('a${index}') || self.text.size() < ${index + 10} || self.text.matches('^x${index % 7}')`

describe('very many expressions', function () {
  this.timeout(60_000)
  let kit: CrdKit
  /** A second try makes objects of its own. */
  let tries = 0
  let group = ''
  before(async () => {
    kit = await createCrdKit({ gates: ['MutatingAdmissionPolicy'] })
  })
  after(() => kit.close())

  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string', maxLength: 20 } },
        'x-kubernetes-validations': times((index) => ({ rule: ruleOf(index), message: `rule ${index}` })),
      },
      status: { type: 'object', properties: { phase: { type: 'string' } } },
    },
  }
  const version = { subresources: { status: {} } }

  it('expressions of a definition are compiled in time slices, and all are checked', async () => {
    group = `try${++tries}.example.com`
    const bad = structuredClone(schema)
    bad.properties.spec['x-kubernetes-validations'][count - 1] = { rule: 'self.nothing', message: 'last' }
    let refusal = ''
    const refused = await heldMs(async () => {
      const answer = await kit.request('POST', definitionsUrl, { body: definitionOf({ group, schema: bad }) })
      assert.equal(answer.status, 422)
      refusal = answer.text
    })
    assert.match(refusal, new RegExp(`x-kubernetes-validations\\[${count - 1}\\]\\.rule: Invalid value`))
    assert(refused < heldMsMax, `refused: ${refused} ms`)
    const made = await heldMs(() => kit.define(definitionOf({ group, schema, version })))
    assert(made < heldMsMax, `created: ${made} ms`)
  })

  it('expressions of a schema are compiled in time slices for its first object, and all are evaluated', async () => {
    const body = (name: string, text: string): object => ({
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      metadata: { name },
      spec: { text },
    })
    const prefix = `try${++tries}`
    const things = `/apis/${group}/v1/namespaces/default/things`
    await eventuallyEquals(async () => (await kit.request('GET', things)).status, 200, 'things are served')
    const held = await heldMs(async () => {
      const answers = await Promise.all(
        ['y'.repeat(15), 'y'].map((text, index) =>
          kit.request('POST', things, { body: body(`${prefix}-${index}`, text) }),
        ),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        [422, 201],
      )
      assert.deepEqual(
        answers[0]?.json.details?.causes?.map(({ message = '' }) => message.replace(/^.*: /, '')),
        [0, 1, 2, 3, 4, 5].map((index) => `rule ${index}`),
      )
    })
    assert(held < heldMsMax, `${held} ms`)
  })

  it('expressions of webhooks are compiled in time slices', async () => {
    const webhook = (index: number): object => ({
      name: `w${index}.example.com`,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ apiGroups: ['none'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['none'] }],
      matchConditions: Array.from({ length: 64 }, (_, condition) => ({
        name: `c${condition}`,
        expression: `object.metadata.name.startsWith('a${64 * index + condition}') || request.name.matches('^x${index}')`,
      })),
    })
    const webhooks = Array.from({ length: 100 }, (_, index) => webhook(index))
    const url = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
    const held = await heldMs(async () => {
      const answer = await kit.request('POST', url, { body: { metadata: { name: `many-${++tries}` }, webhooks } })
      assert.equal(answer.status, 201, answer.text.slice(0, 500))
    })
    assert(held < heldMsMax, `${held} ms`)
  })

  for (const [plural, parts] of Object.entries({
    validatingadmissionpolicies: {
      validations: times((index) => ({ expression: `object.n${index} > 1 || ${index} < params.n` })),
    },
    mutatingadmissionpolicies: {
      reinvocationPolicy: 'Never',
      mutations: times((index) => ({
        patchType: 'JSONPatch',
        jsonPatch: { expression: `[JSONPatch{op: 'add', path: '/data/n${index}', value: object.kind}]` },
      })),
    },
  }))
    it(`expressions of ${plural} are compiled in time slices`, async () => {
      const spec = {
        failurePolicy: 'Fail',
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
        },
        ...parts,
      }
      const v1 = '/apis/admissionregistration.k8s.io/v1'
      const held = await heldMs(async () => {
        const answer = await kit.request('POST', `${v1}/${plural}`, {
          body: { metadata: { name: `many-${++tries}` }, spec },
        })
        assert.equal(answer.status, 201, answer.text.slice(0, 500))
      })
      assert(held < heldMsMax, `${held} ms`)
    })
})
