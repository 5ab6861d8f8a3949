import assert from 'node:assert/strict'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { yamlInlineBytesMax } from '../../../lib/codec/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { scheme } from '../../support/kindrun.ts'

const path = '/api/v1/namespaces/default/configmaps'
const filler = `# ${'x'.repeat(yamlInlineBytesMax)}\n`
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: "1"\n  a: "2"\n'

describe('endpoints: large YAML is answered as small YAML is', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit({ ownership: createFieldOwnership(scheme.objects) })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  after(() => kit.close())

  const duplicate = (line: number): string => `line ${line}: key "a" already set in map`

  for (const [title, lead, line] of [
    ['small', '', 6],
    ['large', filler, 7],
  ] as const) {
    it(`${title}: created with a warning of each duplicate`, async () => {
      const headers = { 'content-type': 'application/yaml' }
      const body = lead + configMap.replace('name: c', `name: ${title}`)
      const { status, json, warnings } = await kit.request('POST', path, { body, headers })
      assert.equal(status, 201)
      assert.deepEqual((json as unknown as { data: object }).data, { a: '2' })
      assert.ok(
        warnings.some((text) => text.includes(duplicate(line))),
        warnings.join(),
      )
      const strict = await kit.request('POST', `${path}?fieldValidation=Strict`, { body, headers })
      assert.equal(strict.status, 400)
      assert.ok(strict.json.message?.includes(duplicate(line)))
    })

    it(`${title}: refused with the line of the mistake`, async () => {
      const headers = { 'content-type': 'application/yaml' }
      const { status, json } = await kit.request('POST', path, { body: `${lead}a: b: c\n`, headers })
      assert.equal(status, 400)
      assert.match(
        json.message ?? '',
        /^the object provided is unrecognized \(must be of type ConfigMap\): yaml: line \d+: [^(]+ \([0-9a-f]+( \.\.\.)?\)$/,
      )
    })

    it(`${title}: applied`, async () => {
      const headers = { 'content-type': 'application/apply-patch+yaml' }
      const body = lead + configMap.replace('name: c', `name: applied-${title}`)
      const { status, json } = await kit.request('PATCH', `${path}/applied-${title}?fieldManager=m`, { body, headers })
      assert.equal(status, 201)
      assert.deepEqual((json as unknown as { data: object }).data, { a: '2' })
    })
  }
})
