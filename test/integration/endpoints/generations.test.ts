import assert from 'node:assert/strict'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

/** Clients choose the generation of kinds that have none of their own. */
const cases: readonly (readonly [chosen: string, next: string])[] = [
  ['7', '8'],
  ['9007199254740990', '9007199254740991'],
  ['9007199254740991', '9007199254740992'],
  ['9223372036854775806', '9223372036854775807'],
  ['9223372036854775807', '-9223372036854775808'],
]

describe('endpoints: generations that clients choose', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  after(() => kit.close())

  const url = '/api/v1/namespaces/default/configmaps'
  for (const [index, [chosen, next]] of cases.entries())
    it(`a deletion that waits for a finalizer sets ${next} from ${chosen}`, async () => {
      const name = `one-${index}`
      const metadata = `{"name":"${name}","finalizers":["a.b/c"],"generation":${chosen}}`
      const created = await kit.request('POST', url, { body: `{"metadata":${metadata}}` })
      assert.equal(created.status, 201, created.text)
      assert.match(created.text, new RegExp(`"generation":${chosen}[,}]`))
      const deleted = await kit.request('DELETE', `${url}/${name}`)
      assert.equal(deleted.status, 200, deleted.text)
      assert.match(deleted.text, new RegExp(`"generation":${next}[,}]`))
    })
})
