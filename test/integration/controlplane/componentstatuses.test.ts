import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { systemClock } from '../../../lib/base/index.ts'
import { createEndpointClient } from '../../../lib/client/index.ts'
import {
  type Component,
  createComponentStatuses,
  webComponent,
} from '../../../lib/controlplane/api/componentstatuses.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { createKubectl, findKubectl } from '../../support/kubectl.ts'

const url = '/api/v1/componentstatuses'
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

/** A component that answers with these, and one where nobody listens. */
async function listening(status: number, text: string): Promise<{ component: Component; close(): Promise<void> }> {
  const server = http.createServer((_, response) => response.writeHead(status).end(text))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = createEndpointClient({ clock: systemClock }, { url: `http://127.0.0.1:${port}/healthz` })
  return {
    component: webComponent(`web-${status}`, client),
    async close() {
      client.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function refusalOf(object: ApiObject | undefined): string {
  const [condition] = (object?.['conditions'] ?? []) as { message: string }[]
  return condition?.message ?? ''
}

describe('componentstatuses', () => {
  let kit: EndpointKit
  const opened: { close(): Promise<void> }[] = []
  before(async () => {
    kit = await createEndpointKit()
    const [fine, broken, gone] = await Promise.all([listening(200, 'ok'), listening(500, 'no'), listening(201, '')])
    opened.push(fine, broken)
    await gone.close()
    const registry = createComponentStatuses({ scheme: kit.scheme, kinds: createKindSet(builtInKinds) }, [
      gone.component,
      broken.component,
      fine.component,
      { name: 'odd', check: () => Promise.resolve({ error: 'no way to ask' }), close() {} },
    ])
    const { gvr, gvk, table: served } = registry.definition
    kit.resources.mount({ gvr, gvk, table: served, registry })
  })
  after(async () => {
    for (const each of opened) await each.close()
    await kit.close()
  })

  it('reports every component on request', async () => {
    const { json, warnings } = await kit.request('GET', url)
    assert.deepEqual(json.metadata, {})
    assert.deepEqual(
      json.items.map(({ metadata, conditions }) => [metadata.name, conditions]),
      [
        ['odd', [{ type: 'Healthy', status: 'Unknown', error: 'no way to ask' }]],
        ['web-200', [{ type: 'Healthy', status: 'True', message: 'ok' }]],
        ['web-201', [{ type: 'Healthy', status: 'False', message: refusalOf(json.items[2]) }]],
        ['web-500', [{ type: 'Healthy', status: 'False', message: 'HTTP probe failed with statuscode: 500' }]],
      ],
    )
    assert.match(refusalOf(json.items[2]), /^Get "http:.*": dial tcp 127\.0\.0\.1:\d+: connect: connection refused$/)
    assert.deepEqual(warnings, ['v1 ComponentStatus is deprecated in v1.19+'])
  })

  it('shows tables, one component, those that a selector matches, and other formats', async () => {
    const { json } = await kit.request('GET', url, { headers: table })
    const rows = json['rows'] as { cells: unknown[] }[]
    assert.deepEqual(rows[1]?.cells, ['web-200', 'Healthy', 'ok', ''])
    assert.deepEqual(rows[0]?.cells, ['odd', 'Unhealthy', '', 'no way to ask'])
    assert.equal((await kit.request('GET', `${url}/web-200`)).json.metadata.name, 'web-200')
    const selected = await kit.request('GET', `${url}?fieldSelector=metadata.name%3Dweb-500`)
    assert.deepEqual(
      selected.json.items.map(({ metadata }) => metadata.name),
      ['web-500'],
    )
    const { bytes } = await kit.request('GET', url, { headers: { accept: 'application/vnd.kubernetes.protobuf' } })
    assert.equal(Buffer.from(bytes.subarray(0, 4)).toString('latin1'), 'k8s\0')
  })

  it('has no unknown component, and refuses changes', async () => {
    assert.equal((await kit.request('GET', `${url}/other`)).status, 404)
    assert.equal((await kit.request('POST', url, { body: {} })).status, 405)
    assert.equal((await kit.request('DELETE', `${url}/web-200`)).status, 405)
    assert.equal((await kit.request('GET', `${url}?watch=true`)).status, 405)
  })

  it('a whole server reports its store, the scheduler and the controller manager', async function () {
    if (!findKubectl()) return this.skip()
    await using plane = await startControlPlane()
    const folder = scratchFolder('componentstatuses')
    try {
      const kubectl = createKubectl(plane, folder.path, plane.adminToken)
      const { stdout, stderr } = await kubectl(['get', 'cs', '--no-headers'])
      assert.match(stdout, /^controller-manager +Unhealthy .*\nscheduler +Unhealthy .*\nstore +Healthy +ok/)
      assert.match(stderr, /Warning: v1 ComponentStatus is deprecated in v1\.19\+/)
    } finally {
      folder.remove()
    }
  })
})
