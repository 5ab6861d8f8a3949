import assert from 'node:assert/strict'
import { Duplex, duplexPair } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createFakeClock } from '../../../lib/base/index.ts'
import { tunnel } from '../../../lib/proxy/tunnel.ts'

interface Ends {
  readonly clock: ReturnType<typeof createFakeClock>
  /** The far ends of both connections. */
  readonly client: Duplex
  readonly server: Duplex
  /** The proxy's ends of them. */
  readonly fromClient: Duplex
  readonly fromServer: Duplex
}

function connected(): Ends {
  const clock = createFakeClock()
  const [client, fromClient] = duplexPair()
  const [server, fromServer] = duplexPair()
  for (const each of [client, server]) each.on('error', () => {})
  tunnel(clock, fromClient, fromServer)
  return { clock, client, server, fromClient, fromServer }
}

function textOf(stream: Duplex): Promise<string> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((done) => stream.on('end', () => done(Buffer.concat(chunks).toString())))
}

describe('a tunnel between two connections', () => {
  it('lets a server answer after the client has ended its half', async () => {
    const { client, server } = connected()
    client.end('question')
    assert.equal(await textOf(server), 'question')
    server.end('answer')
    assert.equal(await textOf(client), 'answer')
  })

  it('delivers all that a server wrote before it left to a client that reads late', async () => {
    const { client, server } = connected()
    const sent = 'x'.repeat(100_000)
    client.end()
    server.resume()
    server.end(sent)
    await pause(20)
    assert.equal((await textOf(client)).length, sent.length)
  })

  it('reads no more from a server than its client takes', async () => {
    const { server } = connected()
    let written = 0
    while (server.write(Buffer.alloc(16_384)) && written < 100) {
      written++
      await pause(1)
    }
    assert.ok(written < 100, `${written} chunks were taken`)
  })

  it('closes the server when the client breaks off', async () => {
    const { fromClient, fromServer } = connected()
    fromClient.destroy()
    await pause(10)
    assert.ok(fromServer.destroyed)
  })

  it('closes a client that does not read the rest within ten seconds after its server has left', async () => {
    const clock = createFakeClock()
    const stuck = new Duplex({ read() {}, write() {} })
    const [server, fromServer] = duplexPair()
    tunnel(clock, stuck, fromServer)
    server.end('rest')
    server.resume()
    fromServer.end()
    await pause(10)
    assert.equal(stuck.destroyed, false)
    clock.advance(10_000)
    assert.ok(stuck.destroyed)
  })

  it('closes both sides after a long time without data', async () => {
    const clock = createFakeClock()
    const [client, fromClient] = duplexPair()
    const [server, fromServer] = duplexPair()
    tunnel(clock, fromClient, fromServer, 8000)
    server.resume()
    for (let round = 0; round < 3; round++) {
      clock.advance(5000)
      client.write('still here')
      await pause(5)
    }
    assert.equal(fromServer.destroyed, false)
    clock.advance(10_000)
    assert.ok(fromServer.destroyed && fromClient.destroyed)
  })
})
