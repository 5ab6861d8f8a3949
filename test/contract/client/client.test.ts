import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resources } from '../../../api/gen/resources.ts'
import { tables } from '../../../api/index.ts'
import { systemClock } from '../../../lib/base/index.ts'
import {
  type Client,
  createClient,
  createHttpTransport,
  createLoopbackTransport,
  createProtobufEncoding,
  type ServerEndpoint,
} from '../../../lib/client/index.ts'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { adminToken } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { testClient } from './suite.ts'

const strangerToken = 'stranger-token'

describe('the API as clients see it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pilothouse-client-'))
  let server: Apiserver | undefined
  const clients = new Map<string, Client>()

  before(async () => {
    server = await startComposed(folder, ['--authorization-mode=RBAC', '--disable-admission-plugins=ServiceAccount'], {
      tokens: [`${strangerToken},stranger,stranger,`],
    })
  })
  after(async () => {
    for (const client of clients.values()) await client.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function running(): Apiserver {
    if (!server) throw new Error('the server does not run')
    return server
  }

  function client(name: string, make: () => Client): Client {
    const known = clients.get(name) ?? make()
    clients.set(name, known)
    return known
  }

  const endpoint = (token: string): ServerEndpoint => ({
    url: running().url,
    insecure: true,
    authorization: `Bearer ${token}`,
  })
  const overHttp = (token: string, protobuf: boolean): Client =>
    client(`http ${token} ${protobuf}`, () =>
      createClient(
        createHttpTransport({ clock: systemClock }, endpoint(token), {
          userAgent: 'suite',
          ...(protobuf ? { protobuf: createProtobufEncoding(createScheme({ tables })) } : {}),
        }),
      ),
    )
  const local = (name: string, groups: readonly string[]): Client =>
    client(`local ${name}`, () =>
      createClient(
        createLoopbackTransport(running().local, {
          user: { name, uid: '', groups: [...groups, 'system:authenticated'], extra: {} },
          userAgent: 'suite',
        }),
      ),
    )

  testClient('over HTTP in JSON', {
    admin: () => overHttp(adminToken, false),
    stranger: () => overHttp(strangerToken, false),
  })
  testClient('over HTTP in protobuf', {
    admin: () => overHttp(adminToken, true),
    stranger: () => overHttp(strangerToken, true),
  })
  it('a client that does not read managed fields leaves those of the server as they are', async () => {
    const brief = client('brief', () =>
      createClient(
        createHttpTransport({ clock: systemClock }, endpoint(adminToken), {
          userAgent: 'brief',
          protobuf: createProtobufEncoding(createScheme({ tables }), { managedFields: false }),
        }),
      ),
    )
    const [theirs, ours] = [overHttp(adminToken, true), brief].map((each) =>
      each.resource(resources.core.v1.configmaps),
    )
    const metadata = { namespace: 'default', name: 'brief' }
    await theirs?.create(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } },
      { fieldManager: 'theirs' },
    )
    const read = (await ours?.get(metadata)) ?? assert.fail()
    assert.deepEqual([read.metadata.managedFields, read.data], [undefined, { a: '1' }])
    await ours?.update({ ...read, data: { ...read.data, b: '2' } })
    const whole = await theirs?.get(metadata)
    // Their order is that of their times, in seconds, and then of their names.
    assert.deepEqual(whole?.metadata.managedFields?.map(({ manager }) => manager).toSorted(), ['brief', 'theirs'])
  })
  it('a client in this process that does not send managed fields leaves those of the server as they are', async () => {
    const user = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} }
    const as = (userAgent: string, managedFields: boolean) =>
      client(`local ${userAgent}`, () =>
        createClient(createLoopbackTransport(running().local, { user, userAgent, managedFields })),
      ).resource(resources.core.v1.configmaps)
    const metadata = { namespace: 'default', name: 'brief-local' }
    const made = await as('whole', true).create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } })
    // One empty entry would clear the owners of all fields.
    const cleared = { ...made, metadata: { ...made.metadata, managedFields: [{}] }, data: { a: '1', b: '2' } }
    const updated = await as('brief', false).update(cleared)
    const managers = updated.metadata.managedFields?.map(({ manager }) => manager).toSorted()
    assert.deepEqual([updated.data, managers], [{ a: '1', b: '2' }, ['brief', 'whole']])
  })
  testClient('in process', {
    admin: () => local('admin', ['system:masters']),
    stranger: () => local('stranger', []),
  })
})
