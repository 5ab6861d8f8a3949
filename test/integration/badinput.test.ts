import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type ControlPlane, startControlPlane } from '../../cmd/pilothouse/library.ts'
import { createSeededRandom } from '../../lib/base/index.ts'
import { collectGarbage } from '../support/collectgarbage.ts'

const collection = '/api/v1/namespaces/default/configmaps'
const seed = `${collection}/seed`
const json = { 'content-type': 'application/json' }
const yaml = { 'content-type': 'application/yaml' }
const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' }
const jsonPatch = { 'content-type': 'application/json-patch+json' }
const mergePatch = { 'content-type': 'application/merge-patch+json' }
const strategicPatch = { 'content-type': 'application/strategic-merge-patch+json' }
const applyPatch = { 'content-type': 'application/apply-patch+yaml' }

interface Bad {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly status: number
  /** What the answer says. */
  readonly says: RegExp
}

const levels = 10_000
const nested = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const notUtf8 = Buffer.concat([
  Buffer.from('{"metadata":{"name":"bad"},"data":{"a":"'),
  Buffer.of(0xff, 0xfe),
  Buffer.from('"}}'),
])
const labels = Array.from({ length: 1_000_000 }, (_, index) => `"l${index}":""`).join()
const copies = Array.from(
  { length: 40 },
  (_, index) => `{"op":"copy","from":"/metadata/annotations","path":"/metadata/annotations/c${index}"}`,
).join()

function envelope(...bytes: (string | number)[]): Buffer {
  return Buffer.concat([
    Buffer.from('k8s\0'),
    ...bytes.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))),
  ])
}

/** Every anchor holds nine of the one before it: 9^10 texts. */
function aliasBomb(): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
  return names
    .map(
      (name, index) =>
        `${name}: &${name} [${Array(9)
          .fill(index === 0 ? '"lol"' : `*${names[index - 1]}`)
          .join()}]`,
    )
    .join('\n')
}

function token(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

const rows: Readonly<Record<string, Bad>> = {
  'no body': { method: 'POST', status: 400, says: /unexpected end of JSON input/ },
  'truncated JSON': { body: '{"metadata":{"name":', status: 400, says: /unexpected end of JSON input/ },
  'words instead of JSON': { body: 'nope', status: 400, says: /invalid character 'o' in literal null/ },
  'JSON with something after it': { body: '{"metadata":{}}}', status: 400, says: /'}' after top-level value/ },
  'a trailing comma': { body: '{"metadata":{"name":"bad"},}', status: 400, says: /invalid character '}'/ },
  'a list instead of an object': { body: '[]', status: 400, says: /cannot unmarshal array/ },
  'a number for a text': { body: '{"metadata":{"name":1}}', status: 400, says: /cannot unmarshal number.*name/ },
  'an integer beyond 64 bits': {
    body: '{"metadata":{"name":"bad","generation":99999999999999999999}}',
    status: 400,
    says: /cannot unmarshal number.*generation/,
  },
  'a number that no float holds': { body: '{"metadata":{"generation":1e999}}', status: 400, says: /1e999/ },
  'base64 that is none': { body: '{"metadata":{"name":"bad"},"binaryData":{"a":"*"}}', status: 400, says: /base64/ },
  null: { body: 'null', status: 422, says: /name or generateName is required/ },
  'half a surrogate in a name': { body: '{"metadata":{"name":"bad\\ud800"}}', status: 422, says: /RFC 1123/ },
  'JSON that is not UTF-8': { body: notUtf8, status: 400, says: /not valid UTF-8/ },
  'YAML that is not UTF-8': { headers: yaml, body: notUtf8, status: 400, says: /not valid UTF-8/ },
  'a merge patch that is not UTF-8': {
    path: seed,
    headers: mergePatch,
    body: notUtf8,
    status: 400,
    says: /not valid UTF-8/,
  },
  'an apply that is not UTF-8': {
    path: `${seed}?fieldManager=m`,
    headers: applyPatch,
    body: notUtf8,
    status: 400,
    says: /not valid UTF-8/,
  },
  'deletion options that are not UTF-8': {
    method: 'DELETE',
    path: seed,
    body: notUtf8,
    status: 400,
    says: /not valid UTF-8/,
  },
  'truncated YAML': { headers: yaml, body: 'metadata: {name: [', status: 400, says: /yaml: line 1/ },
  'tabs in YAML': { headers: yaml, body: '\t\tx', status: 400, says: /yaml: line 1/ },
  'YAML that refers to itself': { headers: yaml, body: 'a: &a [*a]', status: 400, says: /contains itself/ },
  'YAML that refers to nothing': { headers: yaml, body: 'a: *b', status: 400, says: /unknown anchor 'b'/ },
  'YAML that grows when it is read': { headers: yaml, body: aliasBomb(), status: 400, says: /excessive aliasing/ },
  'an empty protobuf': { method: 'POST', headers: protobuf, body: '', status: 400, says: /expected prefix/ },
  'protobuf without its prefix': { headers: protobuf, body: 'nope', status: 400, says: /expected prefix/ },
  'protobuf with an endless number': {
    headers: protobuf,
    body: envelope(...Array<number>(10).fill(0xff)),
    status: 400,
    says: /integer overflow/,
  },
  'truncated protobuf': {
    headers: protobuf,
    body: envelope(0x0a, 15, 0x0a, 2, 'v1', 0x12, 9, 'ConfigMap', 0x12, 0x7f, 1),
    status: 400,
    says: /unexpected EOF/,
  },
  'protobuf truncated within': {
    headers: protobuf,
    body: envelope(0x0a, 15, 0x0a, 2, 'v1', 0x12, 9, 'ConfigMap', 0x12, 4, 0x0a, 0xff, 0xff, 1),
    status: 400,
    says: /unexpected EOF/,
  },
  'JSON called YAML patch': {
    path: seed,
    method: 'PATCH',
    headers: yaml,
    body: '{}',
    status: 415,
    says: /Unsupported/,
  },
  'plain text': { headers: { 'content-type': 'text/plain' }, body: '{}', status: 415, says: /accepted media types/ },
  'a content type that is none': {
    headers: { 'content-type': ';;;' },
    body: '{}',
    status: 415,
    says: /accepted media/,
  },
  'a list of content types': {
    headers: { 'content-type': 'application/json, application/yaml' },
    body: '{}',
    status: 415,
    says: /accepted media types/,
  },
  'a compressed body': {
    headers: { ...json, 'content-encoding': 'gzip' },
    body: gzipSync('{"metadata":{"name":"bad"}}'),
    status: 400,
    says: /not valid UTF-8/,
  },
  'a body of a hundred megabytes, compressed': {
    headers: { ...json, 'content-encoding': 'gzip' },
    body: gzipSync(Buffer.alloc(100_000_000, 0x20)),
    status: 400,
    says: /not valid UTF-8/,
  },
  'deep JSON': { body: `{"metadata":{"name":"bad"},"a":${nested}}`, status: 400, says: /exceeded max depth/ },
  'deep lists': { body: `${'['.repeat(levels)}${']'.repeat(levels)}`, status: 400, says: /exceeded max depth/ },
  'deep JSON that never ends': { body: '{"a":'.repeat(500_000), status: 400, says: /exceeded max depth/ },
  'deep YAML': { headers: yaml, body: `a: ${nested}`, status: 400, says: /exceeded max depth/ },
  'deep YAML by dashes': {
    headers: yaml,
    body: `a:\n ${'- '.repeat(levels)}1`,
    status: 400,
    says: /exceeded max depth/,
  },
  'a deep merge patch': { path: seed, headers: mergePatch, body: nested, status: 400, says: /exceeded max depth/ },
  'a deep strategic patch': {
    path: seed,
    headers: strategicPatch,
    body: nested,
    status: 400,
    says: /exceeded max depth/,
  },
  'a deep JSON patch': {
    path: seed,
    headers: jsonPatch,
    body: `[{"op":"add","path":"/data","value":${nested}}]`,
    status: 400,
    says: /exceeded max depth/,
  },
  'a deep apply': {
    path: `${seed}?fieldManager=m`,
    headers: applyPatch,
    body: nested,
    status: 400,
    says: /exceeded max/,
  },
  'deep deletion options': { method: 'DELETE', path: seed, body: nested, status: 400, says: /exceeded max depth/ },
  'duplicate keys where that is strict': {
    path: `${collection}?fieldValidation=Strict`,
    body: '{"metadata":{"name":"bad","name":"worse"},"data":{"a":"1","a":"2"}}',
    status: 400,
    says: /duplicate field "metadata\.name", duplicate field "data\.a"/,
  },
  'a prototype where that is strict': {
    path: `${collection}?fieldValidation=Strict`,
    body: '{"metadata":{"name":"bad"},"__proto__":{"polluted":true},"constructor":{}}',
    status: 400,
    says: /unknown field "__proto__", unknown field "constructor"/,
  },
  'an annotation called __proto__': {
    body: '{"metadata":{"name":"bad","annotations":{"__proto__":"x"}}}',
    status: 422,
    says: /metadata\.annotations: Invalid value: "__proto__"/,
  },
  'a JSON patch into the prototype': {
    path: seed,
    headers: jsonPatch,
    body: '[{"op":"add","path":"/__proto__/polluted","value":"x"}]',
    status: 422,
    says: /./,
  },
  'a JSON patch that doubles itself': {
    path: seed,
    headers: jsonPatch,
    body: `[{"op":"add","path":"/metadata/annotations","value":{"a":"${'x'.repeat(1000)}"}},${copies}]`,
    status: 422,
    says: /./,
  },
  'too many operations': {
    path: seed,
    headers: jsonPatch,
    body: `[${Array(10_001).fill('{"op":"test","path":"/data/a","value":"b"}').join()}]`,
    status: 413,
    says: /maximum operations in a JSON patch is 10000, got 10001/,
  },
  'a million labels': {
    body: `{"metadata":{"name":"bad","labels":{${labels}}}}`,
    status: 413,
    says: /limit is 3145728/,
  },
  'a name that is too long': {
    body: `{"metadata":{"name":"${'a'.repeat(300)}"}}`,
    status: 422,
    says: /no more than 253/,
  },
  'a URL that is too long': { path: `${collection}/${'a'.repeat(100_000)}`, status: 414, says: /./ },
  'escapes that are none': { path: `${collection}/%ff%fe`, status: 400, says: /not properly escaped/ },
  'half an escape': { path: `${collection}/%z`, status: 400, says: /./ },
  'a NUL for a name': { path: `${collection}/%00`, status: 404, says: /not found/ },
  'a slash in a name': { path: `${collection}/a%2Fb`, status: 404, says: /could not find the requested resource/ },
  'two dots for a name': { path: `${collection}/..`, status: 400, says: /may not be '\.\.'/ },
  'a resource called __proto__': { path: '/api/v1/namespaces/default/__proto__', status: 404, says: /could not find/ },
  'a name called constructor': { path: `${collection}/constructor`, status: 404, says: /"constructor" not found/ },
  'a subresource called __proto__': { path: `${seed}/__proto__`, status: 404, says: /could not find/ },
  'a limit that is no number': { path: `${collection}?limit=ten`, status: 400, says: /parsing "ten"/ },
  'a limit beyond 64 bits': { path: `${collection}?limit=99999999999999999999`, status: 400, says: /out of range/ },
  'a negative version': { path: `${collection}?resourceVersion=-1`, status: 400, says: /parsing "-1"/ },
  'a version beyond 64 bits': {
    path: `${collection}?resourceVersion=99999999999999999999999`,
    status: 400,
    says: /out of range/,
  },
  'a version of 63 bits': {
    path: `${collection}?resourceVersion=9223372036854775807`,
    status: 504,
    says: /Too large resource version/,
  },
  'a list at a version of 63 bits': {
    path: `${collection}?resourceVersion=9223372036854775807&resourceVersionMatch=Exact`,
    status: 504,
    says: /Too large resource version/,
  },
  'a garbage token': { path: `${collection}?continue=garbage`, status: 400, says: /continue key is not valid/ },
  'a token of NUL': { path: `${collection}?continue=%00`, status: 400, says: /illegal base64/ },
  'a token of a list': { path: `${collection}?continue=${token([])}`, status: 400, says: /continue key is not valid/ },
  'a token that climbs out': {
    path: `${collection}?continue=${token({ v: 'meta.k8s.io/v1', rv: 5, start: '../../secrets' })}`,
    status: 400,
    says: /continue key is not valid/,
  },
  'a token without a version': {
    path: `${collection}?continue=${token({ v: 'meta.k8s.io/v1', start: 'a' })}`,
    status: 400,
    says: /incorrect encoded start resourceVersion/,
  },
  'a selector of signs': {
    path: `${collection}?labelSelector=!!!`,
    status: 400,
    says: /found '!', expected: identifier/,
  },
  'a selector that never ends': { path: `${collection}?labelSelector=a%20in%20(`, status: 400, says: /found ''/ },
  'a selector of brackets': {
    path: `${collection}?labelSelector=${'('.repeat(4000)}`,
    status: 400,
    says: /found '\('/,
  },
  'a selector with a bad value': { path: `${collection}?labelSelector=a=%00`, status: 400, says: /./ },
  'a field that is not selectable': {
    path: `${collection}?fieldSelector=a.b=c`,
    status: 400,
    says: /not a known field/,
  },
  'a field selector without a value': { path: `${collection}?fieldSelector=a`, status: 400, says: /invalid selector/ },
  'a timeout that is none': { path: `${collection}?timeout=soon`, status: 400, says: /invalid timeout/ },
  'an unknown dry run': {
    path: `${collection}?dryRun=Some`,
    body: '{"metadata":{"name":"bad"}}',
    status: 422,
    says: /dryRun/,
  },
  'an unknown method': { method: 'PURGE', path: seed, status: 405, says: /does not allow this method/ },
  'a media type that nobody writes': {
    path: seed,
    headers: { accept: 'a/b,'.repeat(2000) },
    status: 406,
    says: /Acceptable/,
  },
}

interface Answer {
  readonly status: number
  readonly text: string
}

describe('bad input', function () {
  this.timeout(120_000)
  let plane: ControlPlane
  const agent = new https.Agent({ keepAlive: true, maxSockets: 4 })

  before(async () => {
    plane = await startControlPlane()
    const created = await ask({ body: '{"metadata":{"name":"seed"},"data":{"a":"b"}}', status: 201, says: /seed/ })
    assert.equal(created.status, 201)
  })
  after(async () => {
    agent.destroy()
    await plane.stop()
  })

  /** Sends the path unchanged: a URL object would normalize it. */
  async function ask({ method, path = collection, headers = {}, body }: Partial<Bad>): Promise<Answer> {
    const { hostname, port } = new URL(plane.url)
    const patch = headers['content-type']?.includes('patch+') === true
    return await new Promise((resolve, reject) => {
      const call = https.request(
        {
          hostname,
          port,
          path,
          agent,
          ca: plane.caCertificate,
          method: method ?? (patch ? 'PATCH' : body === undefined ? 'GET' : 'POST'),
          headers: {
            authorization: `Bearer ${plane.adminToken}`,
            ...(body === undefined ? {} : { ...json, 'content-length': String(Buffer.byteLength(body)) }),
            ...headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
          answer.on('error', reject)
        },
      )
      call.on('error', reject)
      call.end(body)
    })
  }

  async function names(): Promise<string[]> {
    const list = JSON.parse((await ask({})).text) as { items: { metadata: { name: string } }[] }
    return list.items.map((item) => item.metadata.name)
  }

  for (const [title, row] of Object.entries(rows))
    it(`${title}: ${row.status}`, async () => {
      const { status, text } = await ask(row)
      assert.equal(status, row.status, text.slice(0, 500))
      if (status !== 414) {
        const answer = JSON.parse(text) as { kind: string; code: number; message: string }
        assert.deepEqual([answer.kind, answer.code], ['Status', status])
        assert.match(answer.message, row.says)
      }
    })

  it('stores none of this, pollutes no prototype, and keeps serving', async () => {
    assert.deepEqual(await names(), ['seed'])
    const { data } = JSON.parse((await ask({ path: seed })).text) as { data: object }
    assert.deepEqual(data, { a: 'b' })
    assert.equal('polluted' in {}, false)
    assert.equal((await ask({ path: '/readyz' })).status, 200)
  })

  it('treats a negative limit as none', async () => {
    const { status, text } = await ask({ path: `${collection}?limit=-1` })
    assert.equal(status, 200)
    assert.equal('continue' in JSON.parse(text).metadata, false)
  })

  it('keeps keys that are special in JavaScript, through every format and patch', async () => {
    const path = `${collection}/odd`
    const body =
      '{"metadata":{"name":"odd","labels":{"constructor":"l"}},"data":{"__proto__":"p","constructor":"c","1":"d"}}'
    const apply =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"odd"},"data":{"__proto__":"q","toString":"a"}}'
    assert.equal((await ask({ body })).status, 201)
    const steps: [Partial<Bad>, data: string][] = [
      [{ path }, '{"1":"d","__proto__":"p","constructor":"c"}'],
      [
        { path, headers: mergePatch, body: '{"data":{"__proto__":"m","valueOf":"m","constructor":null}}' },
        '{"1":"d","__proto__":"m","valueOf":"m"}',
      ],
      [
        { path, headers: strategicPatch, body: '{"data":{"__proto__":"s","1":null}}' },
        '{"__proto__":"s","valueOf":"m"}',
      ],
      [
        { path, headers: jsonPatch, body: '[{"op":"replace","path":"/data/__proto__","value":"j"}]' },
        '{"__proto__":"j","valueOf":"m"}',
      ],
      [
        { path: `${path}?fieldManager=m&force=true`, headers: applyPatch, body: apply },
        '{"__proto__":"q","toString":"a","valueOf":"m"}',
      ],
    ]
    for (const [request, data] of steps) {
      const { text } = await ask(request)
      assert.ok(text.includes(`"data":${data}`), text)
    }
    const { text } = await ask({ path, headers: { accept: 'application/yaml' } })
    assert.match(text, /\n {2}__proto__: q\n/)
    assert.equal((await ask({ method: 'DELETE', path })).status, 200)
  })

  it('answers any damaged request with less than 500', async () => {
    const { fraction } = createSeededRandom(11)
    const pod = readFileSync(join(import.meta.dirname, '../golden/pod.pb'))
    const texts = ['{"metadata":{"name":"fuzz","labels":{"a":"b"}},"data":{"a":"b"}}', nested.slice(0, 300)]
    const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(fraction() * list.length)] ?? list[0]
    const damage = (bytes: Buffer): Buffer => {
      const damaged = Buffer.from(bytes)
      for (let times = 0; times < 3; times++)
        damaged[Math.floor(fraction() * damaged.length)] = Math.floor(fraction() * 256)
      return fraction() < 0.3 ? damaged.subarray(0, Math.floor(fraction() * damaged.length)) : damaged
    }
    const query = (): string =>
      Array.from({ length: 3 }, () => {
        const name = pick(['limit', 'continue', 'labelSelector', 'fieldSelector', 'resourceVersionMatch', 'pretty'])
        return `${name}=${damage(Buffer.from('a in (b,c),!d=e'))
          .toString('latin1')
          .replace(/[^!-"$-~]/g, '%')}`
      }).join('&')
    const end = performance.now() + 4000
    let asked = 0
    while (asked < 1200 && performance.now() < end) {
      const read = fraction() < 0.3
      const headers = pick([json, yaml, protobuf, mergePatch, strategicPatch, jsonPatch, applyPatch])
      const path = headers === json || headers === yaml || headers === protobuf ? collection : seed
      const source = headers === protobuf ? pod : Buffer.from(pick(texts as [string, ...string[]]))
      const request: Partial<Bad> = read
        ? { path: `${collection}?${query()}` }
        : { path: `${path}?dryRun=All&fieldManager=m`, headers, body: damage(source) }
      const { status, text } = await ask(request)
      assert.ok(status < 500, `${JSON.stringify(request)}: ${status} ${text.slice(0, 300)}`)
      asked++
    }
    assert.deepEqual(await names(), ['seed'])
  })

  it('needs no more memory for more bad input', async () => {
    const used = (): number => {
      collectGarbage()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const rounds = async (count: number): Promise<void> => {
      const queue = Array.from({ length: count }, () => Object.values(rows)).flat()
      // Several at a time: two of them are answered after three seconds.
      const lane = async (): Promise<void> => {
        for (let row = queue.shift(); row; row = queue.shift()) await ask(row)
      }
      await Promise.all(Array.from({ length: 6 }, lane))
    }
    await rounds(5)
    const before = used()
    await rounds(5)
    // What merely takes its time to go, a closed connection say, is no growth; a leak stays.
    let grown = used() - before
    for (let waits = 0; grown >= 16e6 && waits < 50; waits++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      grown = used() - before
    }
    assert.ok(grown < 16e6, `grew by ${grown} bytes in five rounds`)
  })
})
