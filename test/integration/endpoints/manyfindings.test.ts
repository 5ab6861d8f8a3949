import assert from 'node:assert/strict'
import { causesMax } from '../../../lib/object/index.ts'
import { processCpuMs } from '../../support/cputime.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

function pod(spec: object): object {
  return { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'b' }], ...spec } }
}

/** What was quadratic, overflowed the stack, or was answered with a hundred megabytes. */
const cases: readonly [title: string, resource: string, object: object][] = [
  [
    '90,000 bad annotations',
    'configmaps',
    { metadata: { name: 'c', annotations: Object.fromEntries(many(90_000, (index) => [`@${index}`, ''])) } },
  ],
  [
    '25,000 topology spread constraints of one key',
    'pods',
    pod({ topologySpreadConstraints: many(25_000, () => ({})) }),
  ],
  [
    '25,000 topology spread constraints of one key each',
    'pods',
    pod({ topologySpreadConstraints: many(25_000, (index) => ({ topologyKey: `k${index}` })) }),
  ],
  ['45,000 containers', 'pods', pod({ containers: many(45_000, () => ({})) })],
  ['45,000 volumes', 'pods', pod({ volumes: many(45_000, () => ({})) })],
  ['45,000 ports', 'pods', pod({ containers: [{ name: 'a', image: 'b', ports: many(45_000, () => ({})) }] })],
  ['45,000 variables', 'pods', pod({ containers: [{ name: 'a', image: 'b', env: many(45_000, () => ({})) }] })],
  [
    '15,000 owners that are all the controller',
    'configmaps',
    {
      metadata: {
        name: 'c',
        ownerReferences: many(15_000, (index) => ({
          apiVersion: 'v1',
          kind: 'Pod',
          name: `p${index}`,
          uid: `u${index}`,
          controller: true,
        })),
      },
    },
  ],
]

describe('endpoints: objects with mistakes by the ten thousand', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  after(() => kit.close())

  for (const [title, resource, body] of cases)
    it(`${title} are refused within seconds, in an answer of bounded size`, async () => {
      const began = processCpuMs()
      const answer = await kit.request('POST', `/api/v1/namespaces/default/${resource}`, { body })
      assert.equal(answer.status, 422)
      assert.ok((answer.json.details?.causes?.length ?? 0) <= causesMax)
      assert.match(answer.json.message ?? '', /, and \d+ more\]$/)
      assert.ok(answer.bytes.length < 6_000_000, `${answer.bytes.length} bytes`)
      // A tenth of that on a machine with nothing else to do.
      assert.ok(processCpuMs() - began < 5000)
    })
})
