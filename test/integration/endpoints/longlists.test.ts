import assert from 'node:assert/strict'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { createHoldMeter } from '../../support/holdmeter.ts'
import { scheme } from '../../support/kindrun.ts'

const path = '/api/v1/namespaces/default/configmaps'
const objects = 1000
/** 12 MB together: as a whole they take half a second and more in each of these forms. */
const data = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`key-${i}`, `value ${i} `.repeat(5)]))
const heldMsMax = 100

describe('long lists', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit({ ownership: createFieldOwnership(scheme.objects) })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    for (let i = 0; i < objects; i++) {
      const { status } = await kit.request('POST', path, { body: { metadata: { name: `c${i}` }, data } })
      assert.equal(status, 201)
    }
  })
  after(() => kit.close())

  const table = 'as=Table;v=v1;g=meta.k8s.io'
  const forms: [string, string, string, Record<string, string>][] = [
    ['indented JSON', 'GET', '?pretty=true', { accept: 'application/json' }],
    ['YAML', 'GET', '', { accept: 'application/yaml' }],
    ['an indented table', 'GET', '?pretty=true&includeObject=Object', { accept: `application/json;${table}` }],
    ['a table in YAML', 'GET', '?includeObject=Object', { accept: `application/yaml;${table}` }],
    ['a collection deleted for a try', 'DELETE', '?dryRun=All', { accept: 'application/vnd.kubernetes.protobuf' }],
  ]
  for (const [form, method, query, headers] of forms)
    it(`block the event loop for moments only as ${form}`, async () => {
      const meter = createHoldMeter()
      try {
        // The second time all code is compiled.
        for (let round = 0; round < 2; round++) {
          meter.reset()
          const { status } = await kit.request(method, path + query, { headers })
          assert.equal(status, 200)
        }
        assert.ok(meter.longestMs() < heldMsMax, `held for ${meter.longestMs()} ms`)
      } finally {
        meter.close()
      }
    })
})
