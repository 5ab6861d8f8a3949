import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../../lib/base/index.ts'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, request, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually } from '../../support/eventually.ts'
import { createNode, createPod } from '../../support/fakekubelet/cluster.ts'
import { type FakeKubelet, startFakeKubelet } from '../../support/fakekubelet/fakekubelet.ts'
import { createKubeletStreams, type KubeletStreams } from '../../support/fakekubelet/streams.ts'
import { freePort } from '../../support/ports.ts'
import { openWebSocket, type TestWebSocket } from '../../support/websocket.ts'

const pods = '/api/v1/namespaces/default/pods'
const v5 = 'v5.channel.k8s.io'

describe('commands and terminals of pods', () => {
  const folder = scratchFolder('nodeproxy-streams')
  const lines: string[] = []
  let streams: KubeletStreams
  let kubelet: FakeKubelet
  let server: Apiserver

  before(async () => {
    const inside = join(folder.path, 'inside')
    mkdirSync(inside)
    streams = createKubeletStreams({ folder: inside, attached: ['cat'] })
    kubelet = await startFakeKubelet({ routes: streams.routes })
    server = await startComposed(
      folder.path,
      ['--authorization-mode=RBAC', '--disable-admission-plugins=ServiceAccount', '--emulated-version=1.36'],
      { tokens: ['jane-token,jane,jane'], log: loggerInto(lines) },
    )
    await createNode(server, 'node-1', kubelet.port)
    await createNode(server, 'silent', await freePort())
    await createPod(server, 'web')
    await createPod(server, 'waiting', { nodeName: '' })
    await createPod(server, 'elsewhere', { nodeName: 'silent' })
  })
  after(async () => {
    await server.stop()
    await kubelet.close()
    folder.remove()
  })

  const open = (path: string, protocols: readonly string[], token: string | undefined = adminToken) =>
    openWebSocket(
      `${server.url}${pods}/${path}`,
      protocols,
      token === undefined ? {} : { authorization: `Bearer ${token}` },
    )
  const statusOf = (socket: TestWebSocket): unknown => JSON.parse(socket.textOf(3)) as unknown
  const message = async (path: string, options: Parameters<typeof request>[2] = {}): Promise<[number, string]> => {
    const { status, body } = await request(server, `${pods}/${path}`, options)
    return [status, (JSON.parse(body) as { message: string }).message]
  }

  it('are run for a client of v5.channel.k8s.io', async () => {
    const socket = await open(
      'web/exec?command=sh&command=-c&command=cat%3Becho err>%262%3Bexit 7&stdin=1&stdout=1&stderr=true',
      [v5],
    )
    assert.equal(socket.protocol, v5)
    socket.send(Buffer.concat([Buffer.of(0), Buffer.from('input')]))
    socket.send(Buffer.of(255, 0))
    assert.equal(await socket.closed, 1000)
    assert.deepEqual([socket.textOf(1), socket.textOf(2)], ['input', 'err\n'])
    assert.deepEqual(statusOf(socket), {
      metadata: {},
      status: 'Failure',
      message: 'command terminated with non-zero exit code: command terminated with exit code 7',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '7' }] },
    })
    assert.deepEqual(socket.messages[0], Buffer.of(1))
    const seen = kubelet.seen.at(-1)
    assert.equal(seen?.method, 'POST')
    assert.match(
      seen?.url ?? '',
      /^\/exec\/default\/web\/main\?command=sh&command=-c&command=\S+&error=1&input=1&output=1$/,
    )
  })

  it('commands of a terminal get its sizes, and have one output', async () => {
    const socket = await open('web/exec?command=cat&stdin=1&stdout=1&stderr=1&tty=1', [v5])
    socket.send(Buffer.concat([Buffer.of(4), Buffer.from('{"Width":80,"Height":24}')]))
    socket.send(Buffer.concat([Buffer.of(4), Buffer.from('{"Width":-1,"Height":{}}')]))
    socket.send(Buffer.concat([Buffer.of(4), Buffer.from('{"Width":100,"Height":40,"more":1}')]))
    await eventually(() => streams.sizes.length === 2, 'the terminal has got its sizes')
    assert.deepEqual(streams.sizes, [
      { Width: 80, Height: 24 },
      { Width: 100, Height: 40 },
    ])
    socket.send(Buffer.of(255, 0))
    assert.equal(await socket.closed, 1000)
    assert.deepEqual(statusOf(socket), { metadata: {}, status: 'Success' })
  })

  it('errors of commands that can’t be started arrive on the error channel', async () => {
    const socket = await open('elsewhere/attach?stdout=1', [v5])
    await socket.closed
    const { reason, message: text } = statusOf(socket) as { reason: string; message: string }
    assert.equal(reason, 'InternalError')
    assert.match(
      text,
      /^Internal error occurred: error sending request: Post "https:\/\/127\.0\.0\.1:\d+\/attach\/default\/elsewhere\/main\?output=1": dial tcp 127\.0\.0\.1:\d+: connect: connection refused$/,
    )
  })

  it('end at the kubelet when the client leaves', async () => {
    const socket = await open('web/exec?command=sleep&command=100&stdout=1', [v5])
    await eventually(() => streams.sessions.size === 1, 'the command runs')
    socket.destroy()
    await eventually(() => streams.sessions.size === 0, 'the command is over')
  })

  it('commands need a client that requests an upgrade', async () => {
    assert.deepEqual(await message('web/exec?command=ls', { method: 'POST' }), [400, 'Upgrade request required'])
    assert.deepEqual(await message('web/attach'), [400, 'Upgrade request required'])
    assert.deepEqual(await message('web/portforward', { method: 'POST' }), [400, 'Upgrade request required'])
  })

  it('are refused where their pod has no node, and for dry runs', async () => {
    assert.deepEqual(await message('waiting/exec?command=ls'), [400, 'pod waiting does not have a host assigned'])
    assert.deepEqual(await message('web/exec?command=ls&dryRun=All'), [400, 'dryRun is not supported'])
    assert.match((await message('web/portforward?ports=80,x'))[1], /strconv.ParseUint: parsing "x": invalid syntax/)
    assert.equal((await request(server, `${pods}/web/exec`, { method: 'DELETE' })).status, 405)
  })

  it('pass a kubelet’s refusal on to SPDY clients', async () => {
    const answer = await upgrade(`${server.url}${pods}/elsewhere/exec?command=ls&stdout=1`, {})
    assert.deepEqual(
      [answer.status, (JSON.parse(answer.body) as { message: string }).message.slice(0, 32)],
      [500, 'error dialing backend: dial tcp '],
    )
    const refused = await upgrade(`${server.url}${pods}/web/exec?command=ls&stdout=1`, {
      'x-stream-protocol-version': 'v9.channel.k8s.io',
    })
    assert.equal(refused.status, 403)
  })

  it('commands by GET need the permission to create them, too', async () => {
    for (const [verbs, status] of [
      [['get'], 403],
      [['get', 'create'], 101],
    ] as const) {
      await grant(server, verbs)
      const socket = await open(`web/exec?command=true&stdout=1`, [v5], 'jane-token').catch((error: unknown) =>
        String(error),
      )
      if (status === 101) assert.ok(typeof socket !== 'string', String(socket))
      else assert.match(String(socket), /403.*cannot create resource \\"pods\/exec\\"/)
    }
  })

  it('are admitted with their options', async () => {
    const policy = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'no-shells' },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/exec'] }],
        },
        validations: [{ expression: "!('sh' in object.command)", message: 'no shells' }],
      },
    }
    const binding = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'no-shells' },
      spec: { policyName: 'no-shells', validationActions: ['Deny'] },
    }
    const group = '/apis/admissionregistration.k8s.io/v1'
    for (const [path, object] of [
      ['validatingadmissionpolicies', policy],
      ['validatingadmissionpolicybindings', binding],
    ] as const)
      assert.equal(
        (await request(server, `${group}/${path}`, { method: 'POST', body: JSON.stringify(object) })).status,
        201,
      )
    await eventually(async () => (await message('web/exec?command=sh'))[0] === 422, 'the policy is in force')
    assert.match((await message('web/exec?command=sh'))[1], /PodExecOptions "web" is invalid.*no shells|no shells/)
    assert.deepEqual(await message('web/exec?command=ls'), [400, 'Upgrade request required'])
    assert.equal(
      (await request(server, `${group}/validatingadmissionpolicybindings/no-shells`, { method: 'DELETE' })).status,
      200,
    )
    await eventually(async () => (await message('web/exec?command=sh'))[0] === 400, 'the policy is gone')
  })

  it("accept a browser’s token in the list of subprotocols, and don't pass it on", async () => {
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from(adminToken).toString('base64url')}`
    const socket = await openWebSocket(`${server.url}${pods}/web/exec?command=true&stdout=1`, [token, v5], {})
    assert.equal(socket.protocol, v5)
    await socket.closed
    await openWebSocket(`${server.url}${pods}/web/exec?command=true&stdout=1`, [token, 'v4.channel.k8s.io'], {}).catch(
      () => {},
    )
    assert.ok(!JSON.stringify(kubelet.seen).includes('bearer.authorization'))
    assert.ok(!lines.join('\n').includes(Buffer.from(adminToken).toString('base64url')))
  })

  it('end with an error where the kubelet breaks off', async () => {
    const socket = await open('web/exec?command=sleep&command=100&stdout=1', [v5])
    await eventually(() => streams.sessions.size === 1, 'the command runs')
    for (const session of streams.sessions) session.destroy()
    await socket.closed
    assert.match((statusOf(socket) as { message: string }).message, /error reading from error stream: unexpected EOF/)
  })

  it('end at frames that are malformed, or too long', async () => {
    const broken = await open('web/exec?command=cat&stdin=1&stdout=1', [v5])
    broken.raw.write(Buffer.from('ffffffffffffffff', 'hex'))
    assert.equal(await broken.closed, 1002)
    const long = await open('web/exec?command=cat&stdin=1&stdout=1', [v5])
    long.send(Buffer.alloc(5_000_000))
    assert.equal(await long.closed, 1009)
    await eventually(() => streams.sessions.size === 0, 'their commands are over')
  })

  it('leak nothing of clients that break off at any moment', async () => {
    for (let round = 0; round < 10; round++)
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const socket = await open('web/exec?command=cat&stdin=1&stdout=1', [v5])
          await pause(index * 3)
          socket.destroy()
        }),
      )
    await eventually(() => kubelet.connections.size === 0, 'no connection to the kubelet is left')
    assert.equal(streams.sessions.size, 0)
  })
})

async function grant(server: { url: string }, verbs: readonly string[]): Promise<void> {
  const group = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'exec' },
    rules: [{ apiGroups: [''], resources: ['pods/exec'], verbs }],
  }
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'exec' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'exec' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  }
  await request(server, `${group}/roles/exec`, { method: 'DELETE' })
  assert.equal((await request(server, `${group}/roles`, { method: 'POST', body: JSON.stringify(role) })).status, 201)
  await request(server, `${group}/rolebindings`, { method: 'POST', body: JSON.stringify(binding) })
  await pause(100)
}

function upgrade(url: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((done, failed) => {
    const call = https.request(url, {
      method: 'POST',
      rejectUnauthorized: false,
      agent: false,
      headers: { authorization: `Bearer ${adminToken}`, connection: 'Upgrade', upgrade: 'SPDY/3.1', ...headers },
    })
    call.on('response', (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      answer.on('end', () => done({ status: answer.statusCode ?? 0, body }))
    })
    call.on('upgrade', (_answer, socket) => {
      socket.destroy()
      done({ status: 101, body: '' })
    })
    call.on('error', failed)
    call.end()
  })
}

function loggerInto(lines: string[]): Logger {
  const log = (text: string, fields?: object): void => void lines.push(text + JSON.stringify(fields ?? {}))
  const logger = new Proxy({} as Logger, {
    get: (_target, name) =>
      name === 'named' ? () => logger : name === 'verbosity' ? 9 : name === 'enabled' ? () => true : log,
  })
  return logger
}
