import assert from 'node:assert/strict'
import { join } from 'node:path'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { ask } from '../../support/plane.ts'

const url = '/api/v1/namespaces/default/configmaps'

describe('formats of stored objects', function () {
  this.timeout(120_000)
  const folder = scratchFolder('storageformat')
  after(() => folder.remove())

  const formats: readonly (readonly [name: string, flags: readonly string[]])[] = [
    ['json', ['--storage-media-type=application/json']],
    ['yaml', ['--storage-media-type=application/yaml']],
    ['cbor', ['--storage-media-type=application/cbor', '--feature-gates=CBORServingAndStorage=true']],
    ['protobuf', ['--storage-media-type=application/vnd.kubernetes.protobuf']],
  ]
  const written: string[] = []
  for (const [name, flags] of formats)
    it(`${name}: a server reads objects stored in any format, and writes this one`, async () => {
      const store = ['--storage-backend=embedded', `--data-dir=${join(folder.path, 'data')}`]
      const server = await startComposed(folder.path, [...store, ...flags])
      try {
        const body = { metadata: { name, labels: { kept: 'yes' } }, data: { format: name } }
        const { status, text } = await ask(server.url, url, { token: adminToken, body })
        assert.equal(status, 201, text)
        written.push(name)
        const list = await ask(server.url, `${url}?labelSelector=kept%3Dyes`, { token: adminToken })
        const items = (list.body as { items: { data: { format: string } }[] }).items
        assert.deepEqual(items.map(({ data }) => data.format).sort(), written.toSorted())
      } finally {
        await server.stop()
      }
    })
})
