import assert from 'node:assert/strict'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const pods = '/api/v1/namespaces/default/pods'
const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'

interface TableJson {
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly conditions?: readonly object[] }[]
}

describe('endpoints: conditions of rows', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  after(() => kit.close())

  const completed = (reason: string, message: string): object => ({
    type: 'Completed',
    status: 'True',
    reason,
    message,
  })
  const phases: readonly [phase: string, conditions: readonly object[] | undefined][] = [
    ['Pending', undefined],
    ['Running', undefined],
    ['Unknown', undefined],
    ['Succeeded', [completed('Succeeded', 'The pod has completed successfully.')]],
    ['Failed', [completed('Failed', 'The pod failed.')]],
  ]
  for (const [phase, conditions] of phases)
    it(`a pod that is ${phase} has ${conditions ? 'a row that is Completed' : 'none'}`, async () => {
      const name = phase.toLowerCase()
      const spec = { containers: [{ name: 'main', image: 'image' }] }
      const { status } = await kit.request('POST', pods, { body: { metadata: { name }, spec } })
      assert.equal(status, 201)
      const patched = await kit.request('PATCH', `${pods}/${name}/status`, {
        body: { status: { phase } },
        headers: { 'content-type': 'application/merge-patch+json' },
      })
      assert.equal(patched.status, 200, patched.text)

      const one = await kit.request('GET', `${pods}/${name}`, { headers: { accept } })
      const list = await kit.request('GET', `${pods}?fieldSelector=metadata.name=${name}`, { headers: { accept } })
      const stream = await kit.watch(`${pods}?watch=1&fieldSelector=metadata.name=${name}`, { headers: { accept } })
      const [event] = await stream.until(1)
      stream.close()
      for (const table of [one.json, list.json, event?.object] as unknown as TableJson[]) {
        assert.equal(table.rows.length, 1)
        assert.deepEqual(table.rows[0]?.conditions, conditions)
      }
    })

  it('come between the cells and the object, in every format', async () => {
    const { text } = await kit.request('GET', `${pods}/failed`, { headers: { accept } })
    assert.match(text, /"cells":\[[^\]]*\],"conditions":\[\{"type":"Completed"[^\]]*\}\],"object":\{/)
    const yaml = await kit.request('GET', `${pods}/failed`, {
      headers: { accept: accept.replace('json', 'yaml') },
    })
    assert.match(yaml.text, /message: The pod failed\./)
  })

  it('kinds that never finish have none', async () => {
    const { json } = await kit.request('GET', '/api/v1/namespaces/default', { headers: { accept } })
    assert.equal((json as unknown as TableJson).rows[0]?.conditions, undefined)
  })
})
