import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { adminToken, request, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually } from '../../support/eventually.ts'
import { createNode, createPod } from '../../support/fakekubelet/cluster.ts'
import { openWebSocket, type TestWebSocket } from '../../support/websocket.ts'

const pods = '/api/v1/namespaces/default/pods'
const switching = 'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\n'
const upgraded = `${switching}x-stream-protocol-version: v4.channel.k8s.io\r\n\r\n`

/** A frame of data of a SPDY stream; this server's streams are 1 (error), 3 (stdin) and 5 (stdout). */
function dataFrame(id: number, data: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(id)
  head.writeUInt32BE((flags << 24) | data.length, 4)
  return Buffer.concat([head, data])
}

describe('a kubelet that lies', function () {
  this.timeout(60_000)
  const folder = scratchFolder('nodeproxy-lying')
  const open = new Set<Duplex>()
  let answer: (socket: Duplex) => void
  let kubelet: https.Server
  let server: Apiserver

  before(async () => {
    const services = { clock: systemClock, random: systemRandom }
    const pair = createAuthority(services, { commonName: 'k' }).issue({ commonName: 'k', usage: 'server' })
    kubelet = https.createServer({ cert: pair.certificate, key: pair.key })
    kubelet.on('upgrade', (_asked: IncomingMessage, socket: Duplex) => {
      open.add(socket)
      socket.on('error', () => {}).once('close', () => open.delete(socket))
      socket.resume()
      answer(socket)
    })
    kubelet.listen(0, '127.0.0.1')
    await once(kubelet, 'listening')
    server = await startComposed(folder.path, ['--disable-admission-plugins=ServiceAccount'])
    await createNode(server, 'node-1', (kubelet.address() as AddressInfo).port)
    await createPod(server, 'web')
  })
  afterEach(async () => {
    await eventually(() => open.size === 0, 'no connection to the kubelet is left')
    assert.equal((await request(server, '/readyz')).status, 200)
  })
  after(async () => {
    await server.stop()
    kubelet.closeAllConnections()
    kubelet.close()
    folder.remove()
  })

  const exec = (): Promise<TestWebSocket> =>
    openWebSocket(`${server.url}${pods}/web/exec?command=sh&stdin=1&stdout=1`, ['v5.channel.k8s.io'], {
      authorization: `Bearer ${adminToken}`,
    })
  const failures: readonly [string, (socket: Duplex) => void, RegExp][] = [
    [
      'redirects a command gives the client an error',
      (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: https://10.0.0.1/\r\ncontent-length: 0\r\n\r\n'),
      /unable to upgrade connection/,
    ],
    [
      'answers a Status gives it to the client',
      (socket) => {
        const body = '{"kind":"Status","code":429,"message":"too many terminals"}'
        socket.end(`HTTP/1.1 429 Slow\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
      },
      /too many terminals.*429/,
    ],
    [
      'answers without an end is read for 50 kB',
      (socket) => {
        socket.write('HTTP/1.1 500 No\r\nconnection: close\r\n\r\n')
        const flood = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'x')));
          socket.once('drain', flood)
        }
        flood()
      },
      /unable to upgrade connection: x{49000}/,
    ],
    [
      'changes to no SPDY ends the command',
      (socket) => socket.write(Buffer.concat([Buffer.from(upgraded), Buffer.alloc(100, 255)])),
      /unexpected EOF/,
    ],
    [
      'sends a control frame of 16 MB ends the command',
      (socket) =>
        socket.write(
          Buffer.concat([Buffer.from(upgraded), Buffer.from('80030002ffffffff', 'hex'), Buffer.alloc(1_000_000)]),
        ),
      /unexpected EOF/,
    ],
    [
      'sends headers that do not inflate ends the command',
      (socket) =>
        socket.write(
          Buffer.concat([Buffer.from(upgraded), Buffer.from('800300020000000c00000001ffffffffffffffff', 'hex')]),
        ),
      /unexpected EOF/,
    ],
    [
      'reports its error without an end gives up at 64 KiB',
      (socket) =>
        socket.write(
          Buffer.concat([
            Buffer.from(upgraded),
            ...Array.from({ length: 20 }, () => dataFrame(1, Buffer.alloc(8192, 'e'))),
          ]),
        ),
      /error reading from error stream: it is too long/,
    ],
    [
      'reports an error that is no JSON passes it on',
      (socket) =>
        socket.write(
          Buffer.concat([
            Buffer.from(upgraded),
            dataFrame(1, Buffer.from('<html>'), 1),
            dataFrame(5, Buffer.alloc(0), 1),
          ]),
        ),
      /error stream protocol error: .*<html>/,
    ],
    ['leaves at once ends the command', (socket) => socket.end(upgraded), /unexpected EOF/],
  ]
  for (const [what, lie, text] of failures)
    it(`and ${what}`, async () => {
      answer = lie
      const socket = await exec()
      assert.equal(await socket.closed, 1000)
      assert.match(socket.textOf(3), text)
      assert.equal(socket.textOf(1), '')
    })

  it('and sends data of streams that nobody has opened is heard on the others only', async () => {
    answer = (socket) => {
      socket.write(upgraded)
      for (const id of [2, 4, 7, 0x7fffffff]) socket.write(dataFrame(id, Buffer.from('secret')))
      socket.write(dataFrame(5, Buffer.from('out'), 1))
      socket.write(dataFrame(1, Buffer.alloc(0), 1))
    }
    const socket = await exec()
    assert.equal(await socket.closed, 1000)
    assert.deepEqual([socket.textOf(1), JSON.parse(socket.textOf(3))], ['out', { metadata: {}, status: 'Success' }])
  })

  it('and sends a gigabyte is held back by a client that does not read', async () => {
    let sent = 0
    answer = (socket) => {
      socket.write(upgraded)
      const frame = dataFrame(5, Buffer.alloc(65_536, 'x'))
      const flood = (): void => {
        for (let more = true; more && !socket.destroyed && sent < 1e9; sent += frame.length) more = socket.write(frame)
        socket.once('drain', flood)
      }
      flood()
    }
    const socket = await exec()
    socket.raw.pause()
    let [last, stills] = [-1, 0]
    await eventually(() => {
      stills = sent === last && sent > 0 ? stills + 1 : 0
      last = sent
      return stills === 50
    }, 'the kubelet can send no more')
    assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes`)
    socket.destroy()
  })
})
