import assert from 'node:assert/strict'
import { HeaderDecoder } from '../../../lib/http2/index.ts'
import { decodeList, hex } from './headerlist.ts'

/** A block, what it means, and the dynamic table after it, newest first. */
interface Step {
  readonly block: string
  readonly headers: string
  readonly table: string
}

interface Example {
  readonly title: string
  readonly tableBytes?: number
  readonly steps: readonly Step[]
}

const requests = [
  {
    headers: ':method: GET, :scheme: http, :path: /, :authority: www.example.com',
    table: ':authority: www.example.com',
  },
  {
    headers: ':method: GET, :scheme: http, :path: /, :authority: www.example.com, cache-control: no-cache',
    table: 'cache-control: no-cache, :authority: www.example.com',
  },
  {
    headers: ':method: GET, :scheme: https, :path: /index.html, :authority: www.example.com, custom-key: custom-value',
    table: 'custom-key: custom-value, cache-control: no-cache, :authority: www.example.com',
  },
]

const first = 'Mon; 21 Oct 2013 20:13:21 GMT'
const later = 'Mon; 21 Oct 2013 20:13:22 GMT'
const location = 'location: https://www.example.com'
const cookie = 'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1'
const responses = [
  {
    headers: `:status: 302, cache-control: private, date: ${first}, ${location}`,
    table: `${location}, date: ${first}, cache-control: private, :status: 302`,
  },
  {
    headers: `:status: 307, cache-control: private, date: ${first}, ${location}`,
    table: `:status: 307, ${location}, date: ${first}, cache-control: private`,
  },
  {
    headers: `:status: 200, cache-control: private, date: ${later}, ${location}, content-encoding: gzip, ${cookie}`,
    table: `${cookie}, content-encoding: gzip, date: ${later}`,
  },
]

const examples: readonly Example[] = [
  {
    title: 'C.2.1: a literal that is indexed',
    steps: [
      {
        block: '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572',
        headers: 'custom-key: custom-header',
        table: 'custom-key: custom-header',
      },
    ],
  },
  {
    title: 'C.2.2: a literal that is not indexed',
    steps: [{ block: '040c 2f73 616d 706c 652f 7061 7468', headers: ':path: /sample/path', table: '' }],
  },
  {
    title: 'C.2.3: a literal that is never indexed',
    steps: [{ block: '1008 7061 7373 776f 7264 0673 6563 7265 74', headers: 'password: secret', table: '' }],
  },
  { title: 'C.2.4: an indexed header', steps: [{ block: '82', headers: ':method: GET', table: '' }] },
  {
    title: 'C.3: requests without Huffman code',
    steps: withBlocks(requests, [
      '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '8286 84be 5808 6e6f 2d63 6163 6865',
      '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
    ]),
  },
  {
    title: 'C.4: requests with Huffman code',
    steps: withBlocks(requests, [
      '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
      '8286 84be 5886 a8eb 1064 9cbf',
      '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
    ]),
  },
  {
    title: 'C.5: responses without Huffman code, and a table of 256 bytes',
    tableBytes: 256,
    steps: withBlocks(responses, [
      '4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d' +
        '546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '4803 3330 37c1 c0bf',
      '88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f' +
        '6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630' +
        '303b 2076 6572 7369 6f6e 3d31',
    ]),
  },
  {
    title: 'C.6: responses with Huffman code, and a table of 256 bytes',
    tableBytes: 256,
    steps: withBlocks(responses, [
      '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7' +
        '8f0b 97c8 e9ae 82ae 43d3',
      '4883 640e ffc1 c0bf',
      '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335' +
        'dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07',
    ]),
  },
]

function withBlocks(meanings: readonly Omit<Step, 'block'>[], blocks: readonly string[]): Step[] {
  return meanings.map((meaning, index) => ({ ...meaning, block: blocks[index] ?? '' }))
}

/** Names and values in turn; semicolons in dates stand for commas. */
function listOf(text: string): string[] {
  return text === '' ? [] : text.split(', ').flatMap((header) => header.replace('Mon;', 'Mon,').split(/(?<=.): /))
}

describe('the examples of RFC 7541', () => {
  for (const { title, tableBytes, steps } of examples)
    it(title, () => {
      const decoder = new HeaderDecoder(tableBytes)
      for (const { block, headers, table } of steps) {
        assert.deepEqual(decodeList(decoder, hex(block)), listOf(headers))
        const entries = listOf(table)
        const indexes = Buffer.from(Array.from({ length: entries.length / 2 }, (_, index) => 0x80 | (62 + index)))
        assert.deepEqual(decodeList(decoder, indexes), entries)
      }
      const beyond = 62 + listOf(steps.at(-1)?.table ?? '').length / 2
      assert.throws(() => decodeList(decoder, Buffer.of(0x80 | beyond)), { message: `hpack: no entry ${beyond}` })
    })
})
