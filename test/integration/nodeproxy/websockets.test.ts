import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { adminToken, request, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually } from '../../support/eventually.ts'
import { createNode, createPod } from '../../support/fakekubelet/cluster.ts'
import { type FakeKubelet, startFakeKubelet } from '../../support/fakekubelet/fakekubelet.ts'
import { createKubeletLogs } from '../../support/fakekubelet/logs.ts'
import { createKubeletStreams } from '../../support/fakekubelet/streams.ts'
import { openWebSocket, openWebSocketOverHttp2, type TestWebSocket } from '../../support/websocket.ts'

const pods = '/api/v1/namespaces/default/pods'
const v5 = 'v5.channel.k8s.io'
const authorization = `Bearer ${adminToken}`
const browserToken = `base64url.bearer.authorization.k8s.io.${Buffer.from(adminToken).toString('base64url')}`

/** A kubelet that serves WebSockets: it sends one message on the first output, and closes. */
async function startWebSocketKubelet(): Promise<{ port: number; seen: IncomingMessage[]; close(): void }> {
  const services = { clock: systemClock, random: systemRandom }
  const pair = createAuthority(services, { commonName: 'k' }).issue({ commonName: 'k', usage: 'server' })
  const seen: IncomingMessage[] = []
  const server = https.createServer({ cert: pair.certificate, key: pair.key })
  server.on('upgrade', (asked: IncomingMessage, socket: Duplex) => {
    seen.push(asked)
    const key = asked.headers['sec-websocket-key'] ?? ''
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    const protocol = asked.headers['sec-websocket-protocol'] ?? ''
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
        `sec-websocket-accept: ${accept}\r\nsec-websocket-protocol: ${protocol}\r\n\r\n`,
    )
    socket.on('error', () => {}).resume()
    socket.write(Buffer.concat([Buffer.of(0x82, 8, 1), Buffer.from('kubelet')]))
    socket.write(Buffer.of(0x88, 2, 3, 232))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('WebSockets of pods', () => {
  const folder = scratchFolder('nodeproxy-websockets')
  const logs = createKubeletLogs()
  let kubelet: FakeKubelet
  let direct: Awaited<ReturnType<typeof startWebSocketKubelet>>
  let server: Apiserver
  let session: http2.ClientHttp2Session

  before(async () => {
    const inside = join(folder.path, 'inside')
    mkdirSync(inside)
    const streams = createKubeletStreams({ folder: inside, attached: ['cat'] })
    kubelet = await startFakeKubelet({ routes: [logs.route, ...streams.routes] })
    direct = await startWebSocketKubelet()
    server = await startComposed(folder.path, [
      '--disable-admission-plugins=ServiceAccount',
      '--max-connection-bytes-per-sec=200000',
      // The kubelet shares this process, which is busy.
      '--kubelet-timeout=60s',
    ])
    await createNode(server, 'node-1', kubelet.port)
    await createNode(server, 'node-2', direct.port)
    const answer = await request(server, '/api/v1/nodes/node-2/status', {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ status: { declaredFeatures: ['ExtendWebSocketsToKubelet'] } }),
    })
    assert.equal(answer.status, 200, answer.body)
    await createPod(server, 'web')
    await createPod(server, 'direct', { nodeName: 'node-2' })
    await createPod(server, 'other')
    logs.write('default/web/main', 'one', 'zwei ü')
    logs.write('default/other/main', 'begun')
    session = http2.connect(server.url, { rejectUnauthorized: false })
    await once(session, 'remoteSettings')
  })
  after(async () => {
    session.destroy()
    await server.stop()
    await kubelet.close()
    direct.close()
    folder.remove()
  })

  const open = (path: string, protocols: readonly string[]) =>
    openWebSocket(`${server.url}${pods}/${path}`, protocols, { authorization })
  const openOverHttp2 = (
    path: string,
    protocols: readonly string[],
    headers: Record<string, string> = { authorization },
  ) => openWebSocketOverHttp2(session, `${pods}/${path}`, protocols, headers)
  const fronts: readonly [string, typeof open][] = [
    ['HTTP/1.1', open],
    ['HTTP/2', openOverHttp2],
  ]
  const countOf = async (subresource: string, by: string): Promise<number> => {
    const { body } = await request(server, '/metrics')
    const parts = ['apiserver_websocket_streaming_requests_total{', `="${subresource}"`, `="${by}"`]
    const line = body.split('\n').find((each) => parts.every((part) => each.includes(part)))
    return Number(line?.split(' ')[1] ?? 0)
  }

  for (const [front, openThere] of fronts)
    describe(`over ${front}`, () => {
      it('are translated for a kubelet that does not declare them', async () => {
        const before = await countOf('exec', 'translated_at_apiserver')
        const socket = await openThere('web/exec?command=sh&command=-c&command=cat%3Bexit%204&stdin=1&stdout=1', [v5])
        assert.equal(socket.protocol, v5)
        socket.send(Buffer.concat([Buffer.of(0), Buffer.from('input')]))
        socket.send(Buffer.of(255, 0))
        assert.equal(await socket.closed, 1000)
        assert.equal(socket.textOf(1), 'input')
        assert.match(socket.textOf(3), /exit code 4/)
        assert.equal((await countOf('exec', 'translated_at_apiserver')) - before, 1)
      })

      for (const [subresource, query, protocol] of [
        ['exec', '?command=ls&stdout=1', v5],
        ['attach', '?stdout=1', v5],
        ['portforward', '?ports=80', 'SPDY/3.1+portforward.k8s.io'],
      ] as const)
        it(`of ${subresource} are passed on to a kubelet that declares them`, async () => {
          const before = await countOf(subresource, 'proxied_to_kubelet')
          const socket = await openThere(`direct/${subresource}${query}`, [protocol])
          assert.equal(socket.protocol, protocol)
          assert.equal(await socket.closed, 1000)
          assert.equal(socket.textOf(1), 'kubelet')
          const { method, headers } = direct.seen.at(-1) ?? {}
          assert.deepEqual(
            [method, headers?.['sec-websocket-protocol'], headers?.['sec-websocket-version'], headers?.authorization],
            ['GET', protocol, '13', undefined],
          )
          assert.equal(Buffer.from(headers?.['sec-websocket-key'] ?? '', 'base64').length, 16)
          assert.equal((await countOf(subresource, 'proxied_to_kubelet')) - before, 1)
        })

      it('of logs have a message for each part', async () => {
        const text = 'one\nzwei ü\n'
        for (const protocols of [[], ['binary.k8s.io'], ['unknown', 'binary.k8s.io']]) {
          const socket = await openThere('web/log', protocols)
          assert.equal(socket.protocol, protocols.at(-1) ?? '')
          assert.equal(await socket.closed, 1000)
          assert.equal(socket.messages[0]?.length, 0)
          assert.equal(Buffer.concat(socket.messages).toString(), text)
        }
        const encoded = await openThere('web/log', ['base64.binary.k8s.io'])
        await encoded.closed
        assert.equal(Buffer.concat(encoded.messages.map((one) => Buffer.from(String(one), 'base64'))).toString(), text)
        await assert.rejects(openThere('web/log', [v5]), /403.*requested protocol\(s\) are not supported: \[v5/)
        await assert.rejects(openThere('nobody/log', ['binary.k8s.io']), /404/)
      })

      it('of followed logs end at the kubelet when their client leaves', async () => {
        const socket = await openThere('other/log?follow=true&tailLines=0', ['binary.k8s.io'])
        await eventually(() => logs.followers('default/other/main') === 1, 'the log is followed')
        logs.write('default/other/main', 'three')
        await eventually(() => Buffer.concat(socket.messages).toString().includes('three'), 'the line has come')
        socket.destroy()
        await eventually(() => logs.followers('default/other/main') === 0, 'nobody follows')
      })

      it('take a browser’s token among the subprotocols, and pass it on to nobody', async () => {
        const bare = (path: string, protocols: readonly string[]): Promise<TestWebSocket> =>
          front === 'HTTP/2'
            ? openOverHttp2(path, protocols, {})
            : openWebSocket(`${server.url}${pods}/${path}`, protocols, {})
        const socket = await bare('direct/exec?command=ls&stdout=1', [browserToken, v5])
        assert.equal(socket.protocol, v5)
        await socket.closed
        assert.ok(!JSON.stringify(direct.seen.at(-1)?.rawHeaders).includes('bearer'))
        await assert.rejects(bare('direct/exec?command=ls&stdout=1', [v5]), /^Error: 40[13] /)
      })

      it('carry no more bytes a second than the flag allows', async () => {
        const sinceMs = performance.now()
        const socket = await openThere('web/exec?command=head&command=-c&command=100000&command=/dev/zero&stdout=1', [
          v5,
        ])
        await socket.closed
        assert.equal(socket.textOf(1).length, 100_000)
        assert.ok(performance.now() - sinceMs > 400, `${performance.now() - sinceMs} ms`)
      })
    })

  it('of one session are apart from each other', async () => {
    const success = '{"metadata":{},"status":"Success"}'
    const texts = Array.from({ length: 50 }, (_, index) => `client ${index} `.repeat(50))
    const sockets = await Promise.all(texts.map(() => openOverHttp2('web/exec?command=cat&stdin=1&stdout=1', [v5])))
    for (const [index, socket] of sockets.entries()) {
      socket.send(Buffer.concat([Buffer.of(0), Buffer.from(texts[index] ?? '')]))
      if (index % 5 === 4) socket.destroy()
      else socket.send(Buffer.of(255, 0))
    }
    for (const [index, socket] of sockets.entries()) {
      if (index % 5 === 4) continue
      const code = await socket.closed
      assert.deepEqual([code, socket.textOf(1), socket.textOf(3)], [1000, texts[index], success])
    }
  })
})
