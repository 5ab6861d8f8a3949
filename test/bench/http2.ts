// CPU of reading a request's head and writing a response's over HTTP/2: `node test/bench/http2.ts`.
import {
  FrameReader,
  flags,
  frameOf,
  frames,
  HeaderDecoder,
  headerBytesMax,
  writeHeaders,
} from '../../lib/http2/index.ts'

const operations = 200_000
const rounds = 6

/** Nanoseconds that an operation takes: the best of some rounds. */
function report(what: string, operation: () => void): void {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    for (let i = 0; i < operations; i++) operation()
    best = Math.min(best, ((performance.now() - start) * 1e6) / operations)
  }
  console.log(`${what.padEnd(34)} ${best.toFixed(0).padStart(6)} ns`)
}

/** A kubelet's GET of a Pod as nghttp2 writes it: seven headers, Huffman code, four new entries of the table. */
const first = Buffer.from(
  '8287418a081702e05c371c69a67f04a56075998ee162a1d2545632150c4859476d0962b3c8863c16359d91a8df2392b6b791797fb753a51d' +
    '75d0620d263d4c77aa45fadb196ca8a92a17aec3a4f1db2fd0ebae83106931ea63a20f577aa4eb6c65a0a963b85765a5c0a7f541aab7cb03' +
    'a6471afed4eb6c65b2a2a4a862513d1b447f50839bd9ab',
  'hex',
)
/** The same again: only the path is a text. */
const next = Buffer.from(
  '8287c104a56075998ee162a1d2545632150c4859476d0962b3c8863c16359d91a8df2392b6b791797fb7c0bfbe',
  'hex',
)
/** The same without the path. */
const indexed = Buffer.from('8287c1c0bfbe', 'hex')
const response = Object.entries({
  ':status': '200',
  'audit-id': '5f0c1f8e-1d0b-4a52-9d7e-2f6f7c1b9a10',
  'cache-control': 'no-cache, private',
  'content-type': 'application/vnd.kubernetes.protobuf',
  'content-length': '1532',
  'x-kubernetes-pf-flowschema-uid': '7ba48f9c-7a0c-4f6a-9b3c-3b7b7f1f0d55',
  'x-kubernetes-pf-prioritylevel-uid': '0b1b2c3d-4e5f-4061-8273-8495a6b7c8d9',
  date: 'Sun, 22 Nov 2026 10:00:00 GMT',
}).flat()

let length = 0
const take = {
  onHeader(name: string, value: string): void {
    length += name.length + value.length
  },
}
const decoder = new HeaderDecoder()
decoder.decode(first, take)
report('decode a first request', () => new HeaderDecoder().decode(first, take))
report('decode the next', () => decoder.decode(next, take))
report('decode indexed headers', () => decoder.decode(indexed, take))

const reader = new FrameReader({ onFrame() {}, onHeaderBlock: (_id, _flag, block) => decoder.decode(block, take) })
const frame = frameOf(frames.headers, flags.endHeaders | flags.endStream, 1, next)
report('read a frame and decode it', () => reader.push(frame))

const target = Buffer.alloc(headerBytesMax(response))
report(`write a response of ${writeHeaders(response, target, 0)} bytes`, () => {
  length += headerBytesMax(response) + writeHeaders(response, target, 0)
})
