import assert from 'node:assert/strict'
import fc from 'fast-check'
import { errorCodes, HeaderDecoder, ProtocolError, writeHeaders } from '../../../lib/http2/index.ts'
import { decodeList, hex, withCode } from './headerlist.ts'

/** A literal that is indexed, with name and value as they are. */
function indexed(name: string, value: string): Buffer {
  const block = Buffer.alloc(name.length + value.length + 20)
  const end = writeHeaders([name, value], block, 0)
  block[0] = 0x40
  return block.subarray(0, end)
}

/** RFC 7541, section 6.3. */
function tableSize(bytes: number): Buffer {
  if (bytes < 31) return Buffer.of(0x20 | bytes)
  const rest = bytes - 31
  return rest < 128 ? Buffer.of(0x3f, rest) : Buffer.of(0x3f, (rest & 127) | 128, rest >>> 7)
}

/** All bytes in order as nghttp2 (1.64) compresses them, each with its code. */
const allBytes =
  'ffc7fffd8fffffe2fffffe3fffffe4fffffe5fffffe6fffffe7fffffe8ffffeafffffff3fffffa7fffffabffffffdfffffebfffffecfffff' +
  'edfffffeefffffefffffff0ffffff1ffffff2fffffffbfffffcffffffd3fffffd7fffffdbfffffdffffffe3fffffe7fffffebfffffed4fe3' +
  'f9ffaffcabf1febfafefe7fdfd2cbb00089969b71d79fb9f7fff20ffbff3ff50ddbd7f061c58f265cd9f469d5af66dddbf871e5f9cff7ff7' +
  'fffc3ff9ffe45fff4719242cb34e6e9d68a6a3d7dac426defe3cfaf7fffbfe7ffbffdffffffcfffe6ffff4bfff9ffffa3fffd3ffff53fffd' +
  '5ffffb3fffeb7fffdaffffb7ffff73fffeeffffdeffffebffffbfffffd9ffffdbfffebffffe0ffffeeffffc3ffff8bffff1ffffe4fffee7f' +
  'ffb1ffff97fffd9ffffcdffff9fffffbffffdafffeeffff4ffffb7fffee7fffe8ffffd3fffdeffffd5fffeeffffbdffffe1fffdfffff7fff' +
  'ff5ffffecffff07fff87fffe0ffff17fffedffff87ffff77fffeffffeaffff8bfffe3ffff93ffff87fffcbffff37ffff1fffff83ffffe1ff' +
  'febfffe3ffff3fffff2ffffa3ffffd9fffff17ffffc7fffff27ffffdefffffbffffff2fffff8fffffb7fff97fff8fffffe6fffffc1fffff8' +
  '7ffffe7fffffc5ffffe5fffe4ffff2fffffd1fffff4ffffffefffffe3fffffc9fffff97fffb3ffffcffffb7fffcdffff4ffff9ffffd1ffff' +
  'cffffeaffffafffffddffffeffffff4fffff5fffffabffffa7ffffd7fffff9bffffecfffffb7fffff3fffffe8fffffd3fffffabfffff5fff' +
  'ffff7ffffecfffffdbfffffbbfffff7ffffff0fffffbbf'

describe('a header decoder', () => {
  it('reads the Huffman code of every byte', () => {
    const code = hex(allBytes)
    const head = Buffer.of(0x0f, 0x0d, 0x80 | 127, ((code.length - 127) & 127) | 128, (code.length - 127) >>> 7)
    const [name, value = ''] = decodeList(new HeaderDecoder(), Buffer.concat([head, code]))
    assert.equal(name, 'content-length')
    assert.deepEqual(
      [...Buffer.from(value, 'latin1')],
      Array.from({ length: 256 }, (_, byte) => byte),
    )
  })

  it('reads compressed texts of any length', () => {
    for (const bytes of [1, 511, 512, 513, 1024, 5000, 40_000]) {
      // Eight letters in five bytes.
      const rest = bytes * 5 - 127
      const length =
        rest < 0 ? [0x80 | (bytes * 5)] : [0xff, (rest & 127) | 128, ((rest >>> 7) & 127) | 128, rest >>> 14]
      const code = Buffer.from('18c6318c63'.repeat(bytes), 'hex')
      const [, value] = decodeList(new HeaderDecoder(), Buffer.concat([Buffer.of(4), Buffer.from(length), code]))
      assert.equal(value, 'a'.repeat(bytes * 8))
    }
  })

  it('keeps entries until their bytes are more than the table holds, and the newest longest', () => {
    const decoder = new HeaderDecoder()
    // 4096 bytes hold 100 entries of 40, and 96 are left.
    for (let i = 0; i < 250; i++) decodeList(decoder, indexed('name', String(1000 + i)))
    for (let age = 0; age < 102; age++) {
      const index = 62 + age
      const block = index < 127 ? Buffer.of(0x80 | index) : Buffer.of(0xff, index - 127)
      assert.deepEqual(decodeList(decoder, block), ['name', String(1249 - age)])
    }
    assert.throws(() => decodeList(decoder, Buffer.of(0xff, 62 + 102 - 127)), withCode(errorCodes.compressionError))
  })

  it('copies the name of a new entry from one that it evicts', () => {
    const decoder = new HeaderDecoder(64)
    decodeList(decoder, indexed('name', 'value'))
    assert.deepEqual(decodeList(decoder, Buffer.concat([hex('7e14'), Buffer.alloc(20, 'x')])), ['name', 'x'.repeat(20)])
    assert.deepEqual(decodeList(decoder, hex('be')), ['name', 'x'.repeat(20)])
    assert.throws(() => decodeList(decoder, hex('bf')), withCode(errorCodes.compressionError))
  })

  it('has an empty table after an entry that is larger than all of it', () => {
    const decoder = new HeaderDecoder(64)
    decodeList(decoder, indexed('name', 'value'))
    assert.deepEqual(decodeList(decoder, indexed('name', 'x'.repeat(29))), ['name', 'x'.repeat(29)])
    assert.throws(() => decodeList(decoder, hex('be')), withCode(errorCodes.compressionError))
  })

  it('lets the peer choose a size at the beginning of a block, up to the announced maximum', () => {
    const decoder = new HeaderDecoder(256)
    decodeList(decoder, Buffer.concat([indexed('a', '1'), indexed('b', '2'), indexed('c', '3')]))
    // Two entries of 34 stay.
    assert.deepEqual(decodeList(decoder, Buffer.concat([tableSize(101), hex('bebf')])), ['c', '3', 'b', '2'])
    assert.deepEqual(decodeList(decoder, Buffer.concat([tableSize(0), tableSize(256)])), [])
    decodeList(decoder, Buffer.concat([indexed('d', '4'), indexed('e', '5'), indexed('f', '6')]))
    assert.deepEqual(decodeList(decoder, hex('c0bfbe')), ['d', '4', 'e', '5', 'f', '6'])
    for (const block of [Buffer.concat([hex('82'), tableSize(100)]), tableSize(257)])
      assert.throws(() => decodeList(new HeaderDecoder(256), block), withCode(errorCodes.compressionError))
  })

  it('evicts entries beyond a smaller size, even if the size grows again in the same block', () => {
    for (const [bytes, left] of [
      [101, 2],
      [67, 1],
      [0, 0],
    ] as const) {
      const decoder = new HeaderDecoder(256)
      decodeList(decoder, Buffer.concat([indexed('a', '1'), indexed('b', '2'), indexed('c', '3')]))
      decodeList(decoder, Buffer.concat([tableSize(bytes), tableSize(256)]))
      for (let age = 0; age < left; age++) decodeList(decoder, Buffer.of(0x80 | (62 + age)))
      const gone = Buffer.of(0x80 | (62 + left))
      assert.throws(() => decodeList(decoder, gone), withCode(errorCodes.compressionError))
    }
  })

  it('holds 4096 bytes until the peer announces that it uses more', () => {
    const decoder = new HeaderDecoder(10_000)
    const large = [indexed('a', 'x'.repeat(3000)), indexed('b', 'y'.repeat(3000))]
    decodeList(decoder, Buffer.concat(large))
    assert.throws(() => decodeList(decoder, hex('bf')), withCode(errorCodes.compressionError))
    decodeList(decoder, Buffer.concat([tableSize(10_000), ...large]))
    assert.deepEqual(decodeList(decoder, hex('bf')), ['a', 'x'.repeat(3000)])
  })

  it('keeps nothing for a peer that may have no table', () => {
    const decoder = new HeaderDecoder(0)
    assert.deepEqual(decodeList(decoder, Buffer.concat([tableSize(0), indexed('a', '1')])), ['a', '1'])
    assert.throws(() => decodeList(decoder, hex('be')), withCode(errorCodes.compressionError))
  })

  const refused: readonly (readonly [what: string, block: string])[] = [
    ['index 0', '80'],
    ['an index of no entry', 'be'],
    ['the name of no entry', '7e0161'],
    ['an index that is cut short', 'ff'],
    ['an integer beyond 28 bits', 'ffffffffff00'],
    ['an integer of endless zeros', 'ff8080808080808000'],
    ['a literal without a name', '40'],
    ['a literal without a value', '400161'],
    ['a name that is cut short', '40036161'],
    ['a value that is cut short', '4001610361'],
    ['a text as long as no block', '407fffffff7f61'],
    ['padding of zeros', '000161 8118'],
    ['padding of 8 bits', '000161 8618c6318c63 ff'],
    ['padding of 7 bits and a byte', '000161 8518c631ff ff'],
    ['a text that is all padding', '000161 81ff'],
    ['padding that is a code', '000161 811c'],
    ['an end of a text', '000161 84ffffffff'],
    ['an end of a text amid it', '000161 86 1ffffffff8ff'],
    ['a table size that is cut short', '3f'],
    ['a table size beyond 4096', '3fe21f'],
  ]
  for (const [what, block] of refused)
    it(`refuses ${what}`, () => {
      assert.throws(() => decodeList(new HeaderDecoder(), hex(block)), withCode(errorCodes.compressionError))
    })

  it('reads integers of four bytes beyond the first, and no longer ones', () => {
    const text = 'x'.repeat(127)
    for (const length of ['7f00', '7f8000', '7f80808000']) {
      const block = Buffer.concat([hex('04'), hex(length), Buffer.from(text)])
      assert.deepEqual(decodeList(new HeaderDecoder(), block), [':path', text])
    }
    for (const length of ['7f8080808000', '7f8080808010', '7fffffffff00'])
      assert.throws(() => decodeList(new HeaderDecoder(), hex(`04${length}`)), { message: /integer is too long/ })
  })

  it('accepts padding of up to 7 ones, and empty texts', () => {
    // One to eight times a, of five bits.
    const codes = ['1f', '18ff', '18c7', '18c63f', '18c631ff', '18c6318f', '18c6318c7f', '18c6318c63']
    for (const [index, code] of codes.entries()) {
      const block = hex(`04 ${(0x80 | (code.length / 2)).toString(16)} ${code}`)
      assert.deepEqual(decodeList(new HeaderDecoder(), block), [':path', 'a'.repeat(index + 1)])
    }
    assert.deepEqual(decodeList(new HeaderDecoder(), hex('0480')), [':path', ''])
    assert.deepEqual(decodeList(new HeaderDecoder(), hex('0400')), [':path', ''])
  })

  it('rethrows errors of the receiver', () => {
    const failure = new Error('enough')
    const take = {
      onHeader(): void {
        throw failure
      },
    }
    assert.throws(() => new HeaderDecoder().decode(hex('82'), take), failure)
  })

  it('reads any bytes or throws a compression error, whatever came before', () => {
    // Mostly bytes that mean something, so that blocks get somewhere.
    const byte = fc.oneof(
      fc.nat(255),
      fc.constantFrom(0x82, 0xbe, 0xbf, 0x40, 0x00, 0x01, 0x02, 0x81, 0x83, 0x3f, 0x20),
    )
    const block = fc.array(byte, { maxLength: 80 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), fc.constantFrom(0, 64, 4096), (blocks, tableBytes) => {
        const decoder = new HeaderDecoder(tableBytes)
        for (const one of blocks)
          try {
            decodeList(decoder, one)
          } catch (error) {
            assert.ok(error instanceof ProtocolError, String(error))
            assert.equal(error.code, errorCodes.compressionError)
          }
      }),
      { numRuns: 3000 },
    )
  })
})
