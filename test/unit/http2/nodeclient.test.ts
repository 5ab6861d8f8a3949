import assert from 'node:assert/strict'
import { type ClientHttp2Session, connect, sensitiveHeaders } from 'node:http2'
import { type AddressInfo, createServer, type Server } from 'node:net'
import fc from 'fast-check'
import {
  clientPreface,
  FrameReader,
  flags,
  frames,
  HeaderDecoder,
  settings,
  settingsAck,
  settingsFrame,
} from '../../../lib/http2/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { decodeList, valueCharacters } from './headerlist.ts'

/** What a client of node's sends to a server that only listens: the headers of each request. */
class Listener {
  readonly requests: string[][] = []
  /** Bytes of their header blocks. */
  blockBytes = 0
  #acknowledged = false
  readonly #server: Server

  constructor(tableBytes: number) {
    const decoder = new HeaderDecoder(tableBytes)
    this.#server = createServer((socket) => {
      let prefaceLeft = clientPreface.length
      const reader = new FrameReader({
        onFrame: (type, flag) => {
          if (type !== frames.settings) return
          if (flag === flags.ack) this.#acknowledged = true
          else socket.write(settingsAck)
        },
        onHeaderBlock: (_id, _flag, block) => {
          this.blockBytes += block.length
          this.requests.push(decodeList(decoder, block))
        },
      })
      socket.on('error', () => {})
      socket.on('data', (chunk: Buffer) => {
        const skipped = Math.min(prefaceLeft, chunk.length)
        prefaceLeft -= skipped
        reader.push(chunk.subarray(skipped))
      })
      socket.write(settingsFrame([[settings.headerTableSize, tableBytes]]))
    })
  }

  /** A session that knows our settings. */
  async connect(): Promise<ClientHttp2Session> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const { port } = this.#server.address() as AddressInfo
    const session = connect(`http://127.0.0.1:${port}`, {
      maxDeflateDynamicTableSize: 1 << 16,
      maxSendHeaderBlockLength: 1 << 20,
    })
    session.on('error', () => {})
    await eventually(() => this.#acknowledged, 'our settings at the client')
    return session
  }

  close(): Promise<unknown> {
    return new Promise((resolve) => this.#server.close(resolve))
  }
}

/** Long runs of a letter make the Huffman code worth it for the client, whatever else there is. */
const everyCharacter = valueCharacters.map((character) => `${'a'.repeat(20)}${character}${'e'.repeat(20)}`)
const value = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...valueCharacters), maxLength: 80 }),
    fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789/-. '.split('')), maxLength: 80 }),
    fc.constantFrom('gzip', 'application/json', 'x'.repeat(3000), 'ÿ'.repeat(300), 'a'.repeat(40_000)),
  )
  .map((text) => text.replaceAll(/^[\s\xa0]+|[\s\xa0]+$/g, ''))
const name = fc.constantFrom(
  'accept',
  'user-agent',
  'authorization',
  'x-a',
  'x-b',
  'audit-id',
  'x-very-long-name-of-a-header',
)
const headers = fc.uniqueArray(fc.tuple(name, value), { maxLength: 6, selector: ([key]) => key })

describe("header compression by node's HTTP/2", function () {
  this.timeout(120_000)

  for (const tableBytes of [4096, 0, 100, 300, 65_536])
    it(`is understood, with a table of ${tableBytes} bytes`, async () => {
      const listener = new Listener(tableBytes)
      const session = await listener.connect()
      const lists = [
        ...everyCharacter.map((text): [string, string][] => [['x-value', text]]),
        ...fc.sample(headers, { numRuns: 300, seed: tableBytes }),
      ].map((pairs, index) => {
        const path = `/api/v1/namespaces/default/pods/${index % 50}`
        const method = index % 3 === 0 ? 'GET' : 'POST'
        return [':method', method, ':scheme', 'http', ':authority', 'the-host', ':path', path, ...pairs.flat()]
      })
      for (const [index, list] of lists.entries()) {
        const secret = index % 5 === 0 ? ['authorization'] : []
        const request = session.request(Object.assign([...list], { [sensitiveHeaders]: secret }))
        request.on('error', () => {})
        // In bunches: a client doesn't have any number of streams open.
        if (index % 50 === 49) await eventually(() => listener.requests.length > index, 'a bunch of requests')
      }
      await eventuallyEquals(() => listener.requests.length, lists.length, 'all requests')
      for (const [index, list] of lists.entries()) assert.deepEqual(listener.requests[index], list)
      session.destroy()
      await listener.close()
    })

  it('refers to earlier requests', async () => {
    const listener = new Listener(4096)
    const session = await listener.connect()
    for (let i = 0; i < 20; i++) {
      const request = session.request({
        ':path': '/',
        'user-agent': 'kubectl/v1.34.0 (linux/amd64) kubernetes/f28b4c9',
      })
      request.on('error', () => {})
    }
    await eventuallyEquals(() => listener.requests.length, 20, 'all requests')
    assert.ok(listener.blockBytes < 20 * 20, `${listener.blockBytes} bytes`)
    for (const list of listener.requests) assert.deepEqual(list, listener.requests[0])
    session.destroy()
    await listener.close()
  })
})
