import assert from 'node:assert/strict'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { collectGarbage } from '../../support/collectgarbage.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { heldMs, heldMsBound } from '../../support/holdmeter.ts'
import { scheme } from '../../support/kindrun.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const own = `${maps}/x?dryRun=All`
const json = 'application/json'
const heldMsMax = heldMsBound()
const parallel = 5
/** What so many requests may need at a time, whatever their number. */
const heapBytesMax = 100 * 1024 * 1024

const data = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`key-${index}`, `value${index}`]))
const large = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
const added = JSON.stringify({ data: { added: 'x' } })

interface Row {
  readonly title: string
  readonly method: string
  readonly url: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Each way to decode, to change and to encode at least once: every row takes seconds. */
const rows: readonly Row[] = [
  { title: 'creations', method: 'POST', url: `${maps}?dryRun=All`, body: large('y') },
  {
    title: 'updates, answered as protobuf',
    method: 'PUT',
    url: own,
    body: large('x'),
    headers: { accept: 'application/vnd.kubernetes.protobuf' },
  },
  {
    title: 'JSON patches',
    method: 'PATCH',
    url: own,
    body: JSON.stringify([{ op: 'add', path: '/data/added', value: 'x' }]),
    headers: { 'content-type': 'application/json-patch+json' },
  },
  {
    title: 'merge patches',
    method: 'PATCH',
    url: own,
    body: added,
    headers: { 'content-type': 'application/merge-patch+json' },
  },
  {
    title: 'applies',
    method: 'PATCH',
    url: `${own}&fieldManager=me&force=true`,
    body: large('x'),
    headers: { 'content-type': 'application/apply-patch+yaml' },
  },
  { title: 'gets as YAML', method: 'GET', url: `${maps}/x`, headers: { accept: 'application/yaml' } },
  { title: 'gets of indented JSON', method: 'GET', url: `${maps}/x?pretty=1` },
  { title: 'lists as YAML', method: 'GET', url: maps, headers: { accept: 'application/yaml' } },
]

describe('parallel requests for one object of 40,000 keys', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit({ ownership: createFieldOwnership(scheme.objects) })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    assert.equal((await kit.request('POST', maps, { body: large('x') })).status, 201)
  })
  after(() => kit.close())

  for (const { title, method, url, body, headers = {} } of rows)
    it(`${title} block the event loop no longer together than one does, and wait for each other with little memory`, async function () {
      this.timeout(240_000)
      const send = async (): Promise<void> => {
        const { status } = await kit.request(method, url, {
          ...(body === undefined ? {} : { body }),
          headers: { 'content-type': json, ...headers },
        })
        assert(status < 300, `${status}`)
      }
      await send()
      collectGarbage()
      const before = process.memoryUsage().heapUsed
      let most = before
      const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().heapUsed)), 5)
      const ms = await heldMs(() => Promise.all(Array.from({ length: parallel }, send)))
      clearInterval(watching)
      assert(ms < heldMsMax, `${ms} ms`)
      assert(most - before < heapBytesMax, `${most - before} bytes`)
    })
})
