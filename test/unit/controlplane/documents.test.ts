import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { systemClock } from '../../../lib/base/index.ts'
import { decodeCbor, decodeYaml, readEnvelope } from '../../../lib/codec/index.ts'
import { documentRoutes } from '../../../lib/controlplane/api/documents.ts'
import type { ApiserverConfig } from '../../../lib/controlplane/index.ts'
import { createServedGroups } from '../../../lib/schema/index.ts'
import { createScheme, selectServed } from '../../../lib/scheme/index.ts'

const scheme = createScheme({ tables })
const served = createServedGroups(selectServed(scheme, { runtimeConfig: {}, gate: () => false }))
const sources = { served, groups: () => served.list(), remote: () => [], handle: () => undefined }
// The part of a configuration that documents contain.
const config = { externalHost: 'localhost', version: { gitVersion: 'v1.33.0' } } as ApiserverConfig
const [discovery] = documentRoutes(scheme, sources, config, { clock: systemClock, gate: () => true }, () => 6443)

function ask(path: string, accept: string): Uint8Array {
  let sent: { status: number; body: Uint8Array | undefined } | undefined
  const responder = { send: (status: number, _headers: unknown, body?: Uint8Array) => void (sent = { status, body }) }
  const call = { method: 'GET', path, headers: { accept }, query: new URLSearchParams(), responder }
  void discovery?.handle(call as unknown as Parameters<typeof discovery.handle>[0], {})
  assert.equal(sent?.status, 200)
  assert(sent?.body)
  return sent.body
}

interface Found {
  readonly kind?: unknown
  readonly versions?: unknown
  readonly groupVersion?: unknown
}

describe('cmd: discovery in every format', () => {
  for (const path of ['/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1'])
    it(`has at ${path} the content that it has in JSON`, () => {
      const json = JSON.parse(Buffer.from(ask(path, 'application/json')).toString()) as Found
      const yaml = decodeYaml(ask(path, 'application/yaml')).value as Found
      const cbor = decodeCbor(ask(path, 'application/cbor')) as Found
      for (const other of [yaml, cbor]) {
        assert.equal(other.kind, json.kind)
        assert.deepEqual(other.versions, json.versions)
        assert.equal(other.groupVersion, json.groupVersion)
      }
      assert.equal(readEnvelope(ask(path, 'application/vnd.kubernetes.protobuf')).kind, json.kind)
    })
})
