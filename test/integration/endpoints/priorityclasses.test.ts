import assert from 'node:assert/strict'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const url = '/apis/scheduling.k8s.io/v1/priorityclasses'
const system = { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 }

describe('endpoints: classes of the system', () => {
  let kit: EndpointKit
  beforeEach(async () => {
    kit = await createEndpointKit()
    const created = await kit.request('POST', url, { body: system })
    assert.equal(created.status, 201, created.text)
  })
  afterEach(() => kit.close())

  it('the deletion of a system class is refused', async () => {
    const { status, json } = await kit.request('DELETE', `${url}/${system.metadata.name}`)
    assert.deepEqual([status, json.reason], [403, 'Forbidden'])
  })

  it('a dry run of the deletion of all answers the list', async () => {
    const { status, json } = await kit.request('DELETE', `${url}?dryRun=All`)
    assert.deepEqual([status, json.items.map(({ metadata }) => metadata.name)], [200, [system.metadata.name]])
    assert.equal((await kit.request('GET', `${url}/${system.metadata.name}`)).status, 200)
  })

  it('a table of roles has the columns of kinds that define none', async () => {
    const path = '/apis/rbac.authorization.k8s.io/v1/roles'
    const { json } = await kit.request('GET', path, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    const { columnDefinitions } = json as unknown as { columnDefinitions: { name: string }[] }
    assert.deepEqual(
      columnDefinitions.map(({ name }) => name),
      ['Name', 'Created At'],
    )
  })
})
