import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { adminToken, request, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually } from '../../support/eventually.ts'
import { createNode, createPod } from '../../support/fakekubelet/cluster.ts'
import { type FakeKubelet, startFakeKubelet } from '../../support/fakekubelet/fakekubelet.ts'
import { createKubeletLogs } from '../../support/fakekubelet/logs.ts'
import { freePort } from '../../support/ports.ts'

const pods = '/api/v1/namespaces/default/pods'

describe('logs of pods', () => {
  const folder = scratchFolder('nodeproxy-logs')
  const logs = createKubeletLogs()
  const clients = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'clients' })
  let instead: NonNullable<Parameters<typeof startFakeKubelet>[0]['instead']> | undefined
  let kubelet: FakeKubelet
  let impostor: FakeKubelet
  let server: Apiserver

  before(async () => {
    const routes = [logs.route]
    kubelet = await startFakeKubelet({ routes, instead: (...args) => instead?.(...args) ?? false })
    impostor = await startFakeKubelet({ routes })
    const pair = clients.issue({ commonName: 'kube-apiserver-kubelet-client', usage: 'client' })
    const at = (name: string): string => join(folder.path, name)
    writeFileSync(at('client.crt'), pair.certificate)
    writeFileSync(at('client.key'), pair.key)
    writeFileSync(at('kubelets.crt'), kubelet.authority)
    server = await startComposed(
      folder.path,
      [
        `--kubelet-client-certificate=${at('client.crt')}`,
        `--kubelet-client-key=${at('client.key')}`,
        `--kubelet-certificate-authority=${at('kubelets.crt')}`,
        '--kubelet-preferred-address-types=InternalIP',
        '--kubelet-timeout=2s',
        '--authorization-mode=RBAC',
        '--disable-admission-plugins=ServiceAccount',
      ],
      { tokens: ['jane-token,jane,jane'] },
    )
    await createNode(server, 'node-1', kubelet.port)
    await createNode(server, 'impostor', impostor.port)
    await createNode(server, 'silent', await freePort())
    await createPod(server, 'web')
    await createPod(server, 'several', { containers: ['a', 'b'], initContainers: ['prepare'] })
    await createPod(server, 'waiting', { nodeName: '' })
    await createPod(server, 'lost', { nodeName: 'gone' })
    await createPod(server, 'elsewhere', { nodeName: 'silent' })
    await createPod(server, 'untrusted', { nodeName: 'impostor' })
    logs.write('default/web/main', 'one', 'two', 'three')
    logs.write('default/untrusted/main', 'forged')
  })
  afterEach(() => (instead = undefined))
  after(async () => {
    await server.stop()
    await kubelet.close()
    await impostor.close()
    folder.remove()
  })

  const read = (path: string, token?: string) =>
    request(server, `${pods}/${path}`, token === undefined ? {} : { token })
  const problem = async (path: string): Promise<[number, string, string]> => {
    const { status, body } = await read(path)
    const { message, reason = '' } = JSON.parse(body) as { message: string; reason?: string }
    return [status, reason, message]
  }

  it('come from the kubelet of the pod’s node, which gets the server’s certificate', async () => {
    const answer = await read('web/log')
    assert.deepEqual(
      [answer.status, answer.headers['content-type'], answer.body],
      [200, 'text/plain', 'one\ntwo\nthree\n'],
    )
    const seen = kubelet.seen.at(-1)
    assert.deepEqual(
      [seen?.method, seen?.url, seen?.client, seen?.headers.authorization],
      ['GET', '/containerLogs/default/web/main', 'kube-apiserver-kubelet-client', undefined],
    )
  })

  it('are requested with the kubelet’s parameters, in the order of their names', async () => {
    const query =
      'timestamps=1&tailLines=2&previous=true&limitBytes=66&sinceTime=2026-01-01T02:00:00.5%2B02:00&follow=false&container=main&pretty=1'
    assert.match((await read(`web/log?${query}`)).body, /^\S{26}Z two\n\S{26}Z three\n$/)
    assert.equal(
      kubelet.seen.at(-1)?.url,
      '/containerLogs/default/web/main?limitBytes=66&previous=true&sinceTime=2026-01-01T00%3A00%3A00Z&tailLines=2&timestamps=true',
    )
    await read('web/log?sinceSeconds=5')
    assert.equal(kubelet.seen.at(-1)?.url, '/containerLogs/default/web/main?sinceSeconds=5')
  })

  it('followed logs arrive line by line, and end at the kubelet when the client leaves', async () => {
    logs.write('default/several/a', 'begin')
    const arrived: string[] = []
    const call = https.get(
      `${server.url}${pods}/several/log?container=a&follow=true`,
      { rejectUnauthorized: false, agent: false, headers: { authorization: `Bearer ${adminToken}` } },
      (answer) => answer.setEncoding('utf8').on('data', (chunk: string) => arrived.push(chunk)),
    )
    call.on('error', () => {})
    await eventually(() => arrived.join('') === 'begin\n', 'the beginning arrives')
    for (const line of ['x', 'y']) {
      logs.write('default/several/a', line)
      await eventually(() => arrived.at(-1) === `${line}\n`, 'each line arrives')
    }
    call.destroy()
    await eventually(() => logs.followers('default/several/a') === 0, 'the kubelet sees its client leave')
  })

  it('logs of an unscheduled pod are empty', async () => {
    assert.equal((await read('waiting/log')).status, 204)
  })

  it('logs need a container’s name where a pod has several', async () => {
    assert.deepEqual(await problem('several/log'), [
      400,
      'BadRequest',
      'a container name must be specified for pod several, choose one of: [prepare a b]',
    ])
    assert.deepEqual(await problem('several/log?container=c'), [
      400,
      'BadRequest',
      'container c is not valid for pod several',
    ])
  })

  it('are refused for invalid parameters', async () => {
    assert.deepEqual(await problem('web/log?tailLines=-1&sinceSeconds=0'), [
      422,
      'Invalid',
      'PodLogOptions "web" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, sinceSeconds: Invalid value: 0: must be greater than 0]',
    ])
    assert.deepEqual(await problem('web/log?tailLines=x'), [
      400,
      'BadRequest',
      'strconv.ParseInt: parsing "x": invalid syntax',
    ])
    assert.match(
      (await problem('web/log?sinceTime=yesterday'))[2],
      /^parsing time "yesterday" as "2006-01-02T15:04:05Z07:00"/,
    )
    assert.match(
      (await problem('web/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z'))[2],
      /at most one of `sinceTime` or `sinceSeconds` may be specified/,
    )
  })

  it('logs of missing pods and nodes are not found', async () => {
    assert.deepEqual(await problem('none/log'), [404, 'NotFound', 'pods "none" not found'])
    assert.deepEqual(await problem('lost/log'), [404, 'NotFound', 'nodes "gone" not found'])
  })

  it('name the kubelet that can’t be reached', async () => {
    const [status, reason, message] = await problem('elsewhere/log?tailLines=1')
    assert.deepEqual([status, reason], [500, ''])
    assert.match(
      message,
      /^Get "https:\/\/127\.0\.0\.1:\d+\/containerLogs\/default\/elsewhere\/main\?tailLines=1": dial tcp 127\.0\.0\.1:\d+: connect: connection refused$/,
    )
  })

  it('are not read from an impostor, unless the client allows it', async () => {
    assert.match(
      (await problem('untrusted/log'))[2],
      /tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
    )
    assert.equal((await read('untrusted/log?insecureSkipTLSVerifyBackend=true')).body, 'forged\n')
  })

  it('need the permission to get them', async () => {
    const answer = await read('web/log', 'jane-token')
    assert.equal(answer.status, 403)
    assert.match(answer.body, /cannot get resource \\"pods\/log\\"/)
  })

  it('are read, and neither written nor watched', async () => {
    const answer = await request(server, `${pods}/web/log`, { method: 'POST', body: '{}' })
    assert.equal(answer.status, 405)
    assert.equal((await request(server, '/api/v1/watch/namespaces/default/pods/web/log')).status, 405)
    assert.equal((await read('web/log/more')).status, 404)
  })

  it('report why a kubelet refuses them', async () => {
    instead = (_request, response) => {
      response.writeHead(404).end('container main is waiting')
      return true
    }
    assert.deepEqual(await problem('web/log'), [
      404,
      'NotFound',
      'the server could not find the requested resource ( pods/log web)',
    ])
    instead = (_request, response) => {
      response.writeHead(403).end('Forbidden (user=jane, verb=get)')
      return true
    }
    assert.deepEqual(await problem('web/log'), [403, 'Forbidden', 'Forbidden (user=jane, verb=get) ( pods/log web)'])
    instead = (_request, response) => {
      response.writeHead(400).end('container "main" is waiting to start')
      return true
    }
    assert.deepEqual(await problem('web/log'), [400, 'BadRequest', 'container "main" is waiting to start'])
  })

  it('do not follow a kubelet’s redirect', async () => {
    instead = (_request, response) => {
      response
        .writeHead(302, { location: `https://127.0.0.1:${impostor.port}/containerLogs/default/untrusted/main` })
        .end()
      return true
    }
    const before = impostor.seen.length
    const [status, , message] = await problem('web/log')
    assert.deepEqual([status, message.endsWith(': redirects forbidden')], [500, true])
    assert.equal(impostor.seen.length, before)
  })

  it('logs that break off end early at the client', async () => {
    instead = (_request, response) => {
      response.write('half')
      setTimeout(() => response.destroy(), 20)
      return true
    }
    await assert.rejects(read('web/log'), /aborted|socket hang up/)
  })

  it('logs of a kubelet that answers an error of a gigabyte are refused after its beginning', async () => {
    let written = 0
    instead = (_request, response) => {
      response.writeHead(400)
      const more = (): void => {
        while (!response.destroyed && written < 1e9) {
          written += 65_536
          if (!response.write(Buffer.alloc(65_536, 'x'))) return void response.once('drain', more)
        }
      }
      more()
      return true
    }
    const [status, , message] = await problem('web/log')
    assert.deepEqual([status, message.length], [400, 50_000])
    assert.ok(written < 50e6, `${written} bytes were taken`)
  })
})
