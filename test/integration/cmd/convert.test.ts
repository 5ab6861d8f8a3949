import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convert as command } from '../../../cmd/pilothouse/convert.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { type ProgramResult, runHere, runProgram } from '../../support/program.ts'

const scaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web', creationTimestamp: null },
  spec: {
    scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
    maxReplicas: 3,
    metrics: [
      { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 70 } } },
    ],
  },
}
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } }

function convert(line: readonly string[], input?: string | Uint8Array): Promise<ProgramResult> {
  return runHere('pilothouse', command, line, input)
}

/** In a process of its own, as users run it. */
function convertAlone(line: readonly string[], input: string | Uint8Array): Promise<ProgramResult> {
  return runProgram('cmd/pilothouse/main.ts', ['convert', ...line], { input })
}

async function converted(line: readonly string[], input?: string | Uint8Array): Promise<Buffer> {
  const { code, stderr, bytes } = await convert(line, input)
  assert.equal(stderr, '')
  assert.equal(code, 0)
  return bytes
}

interface Loose {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: unknown
  items: Loose[]
}

async function asJson(line: readonly string[], input?: string | Uint8Array): Promise<Loose> {
  return JSON.parse((await converted([...line, '-o', 'json'], input)).toString()) as Loose
}

describe('pilothouse convert', () => {
  let folder: ReturnType<typeof scratchFolder>
  const put = (name: string, text: string): string => {
    writeFileSync(join(folder.path, name), text)
    return join(folder.path, name)
  }
  beforeEach(() => {
    folder = scratchFolder('convert')
  })
  afterEach(() => folder.remove())

  it('converts to the requested version and back without loss', async () => {
    const old = await asJson(['-f', '-', '--output-version=autoscaling/v1'], JSON.stringify(scaler))
    assert.equal(old.apiVersion, 'autoscaling/v1')
    assert.match(old.metadata.annotations?.['autoscaling.alpha.kubernetes.io/metrics'] ?? '', /memory/)
    const back = await asJson(['-f', '-'], JSON.stringify(old))
    assert.equal(back.apiVersion, 'autoscaling/v2')
    assert.deepEqual(back.spec, scaler.spec)
    assert.equal(back.metadata.annotations, undefined)
  })

  it('passes an object through every format unchanged', async () => {
    let bytes: Uint8Array = Buffer.from(JSON.stringify(configMap))
    for (const format of ['protobuf', 'cbor', 'yaml', 'json']) bytes = await converted(['-f', '-', '-o', format], bytes)
    assert.deepEqual(JSON.parse(Buffer.from(bytes).toString()), configMap)
  })

  it('reads what a store prints, with the newline after it', async () => {
    const { code, stderr, bytes } = await convertAlone(['-f', '-', '-o', 'protobuf'], JSON.stringify(configMap))
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(bytes.subarray(0, 4).toString('latin1'), 'k8s\0')
    assert.equal((await asJson(['-f', '-'], Buffer.concat([bytes, Buffer.from('\n')]))).metadata.name, 'c')
  })

  it('makes one List of several documents, files, folders and lists', async () => {
    mkdirSync(join(folder.path, 'objects', 'deep'), { recursive: true })
    put('objects/a.yaml', `---\n${JSON.stringify(configMap)}\n---\nkind: Secret\napiVersion: v1\nmetadata: {name: s}\n`)
    put(
      'objects/b.json',
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMapList', items: [{ metadata: { name: 'd' } }] }),
    )
    put('objects/deep/c.yml', JSON.stringify(scaler))
    put('objects/notes.txt', 'nothing')
    const single = put('single.yaml', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [configMap] }))
    const list = await asJson(['-f', join(folder.path, 'objects'), '-f', single])
    assert.equal(`${list.apiVersion} ${list.kind}`, 'v1 List')
    assert.deepEqual(
      list.items.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      ['ConfigMap c', 'Secret s', 'ConfigMap d', 'ConfigMap c'],
    )
    const all = await asJson(['-f', join(folder.path, 'objects'), '-R'])
    assert.deepEqual(
      all.items.map(({ kind }) => kind),
      ['ConfigMap', 'Secret', 'ConfigMap', 'HorizontalPodAutoscaler'],
    )
  })

  it('names the file and the line of every error, and writes nothing', async () => {
    const file = put(
      'bad.yaml',
      `${JSON.stringify(configMap)}\n---\n# a comment\nkind: Pod\napiVersion: v1\nspec: {foo: 1}\n---\nkind: Pod\n x: 1\n---\nkind: List\napiVersion: v1\nitems: [{kind: Pod}]\n---\nkind: Widget\napiVersion: example.com/v1\n`,
    )
    const { code, stdout, stderr } = await convert(['-f', file])
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.deepEqual(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => line.replaceAll(folder.path, '')),
      [
        'pilothouse: /bad.yaml:4: Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.foo"',
        'pilothouse: /bad.yaml:8: yaml: Nested mappings are not allowed in compact mappings',
        "pilothouse: /bad.yaml:11: items[0]: Object 'apiVersion' is missing",
        'pilothouse: /bad.yaml:15: Widget in version "v1" cannot be handled as a Widget: no kind "Widget" is registered for version "example.com/v1" in scheme "pilothouse"',
      ],
    )
  })

  it('reports unknown and duplicate fields, or not, by --validate', async () => {
    const text =
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c"},"foo":1,"data":{"a":"1"},"data":{"a":"2"}}'
    const warned = await convert(['-f', '-', '--validate=warn', '-o', 'json'], text)
    assert.equal(warned.code, 0)
    assert.equal(
      warned.stderr,
      'pilothouse: warning: standard input:1: duplicate field "data"\npilothouse: warning: standard input:1: unknown field "foo"\n',
    )
    assert.match(warned.stdout, /"a": "2"/)
    assert.equal((await convert(['-f', '-', '--validate=ignore'], text)).stderr, '')
    assert.equal((await convert(['-f', '-', '--validate'], text)).code, 1)
  })

  it('converts the objects of watch events, with and without a kind of their own', async () => {
    const version = '--output-version=autoscaling/v1'
    const event = { type: 'ADDED', object: scaler }
    const one = (await asJson(['-f', '-', version], JSON.stringify(event))) as unknown as {
      type: string
      object: Loose
    }
    assert.deepEqual([one.type, one.object.apiVersion], ['ADDED', 'autoscaling/v1'])
    const stored = await converted(['-f', '-', '-o', 'protobuf'], JSON.stringify(event))
    assert.deepEqual(await asJson(['-f', '-', version], stored), one)
    const status = { type: 'ERROR', object: { apiVersion: 'v1', kind: 'Status', metadata: {}, code: 410 } }
    const named = { apiVersion: 'v1', kind: 'WatchEvent', ...status }
    const list = await asJson(['-f', '-'], `${JSON.stringify(named)}\n${JSON.stringify(event)}`)
    assert.deepEqual(list.items[0], status)
    assert.equal(list.items.length, 2)
    const wrong = await convert(['-f', '-'], JSON.stringify({ type: 'ADDED', object: { ...configMap, foo: 1 } }))
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /unknown field "foo"/)
  })

  it('passes discovery documents through whole, and between their versions', async () => {
    const groups = {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: [{ metadata: { name: 'apps' }, versions: [{ version: 'v1', freshness: 'Current' }] }],
    }
    const beta = { ...groups, apiVersion: 'apidiscovery.k8s.io/v2beta1' }
    const ask = (given: object, version: string): Promise<Loose> =>
      asJson(['-f', '-', `--output-version=${version}`], JSON.stringify(given))
    assert.deepEqual(await ask(groups, 'apidiscovery.k8s.io/v2beta1'), beta)
    assert.deepEqual(await ask(beta, 'apidiscovery.k8s.io/v2'), groups)
    assert.deepEqual(await ask(groups, 'apps/v1'), groups)
    // The server writes this one without a version, as it always has.
    const versions = { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }
    assert.deepEqual(await ask(versions, 'v1'), { ...versions, apiVersion: 'v1' })
  })

  it('reads lists of kinds in versions that no release serves', async () => {
    const item = { metadata: { name: 'i' }, spec: { backend: { serviceName: 's', servicePort: 80 } } }
    const list = { kind: 'IngressList', apiVersion: 'extensions/v1beta1', items: [item] }
    const { items } = await asJson(['-f', '-'], JSON.stringify(list))
    assert.equal(items[0]?.apiVersion, 'networking.k8s.io/v1')
  })

  it('reports a kind without a resource that is not in the requested version', async () => {
    const scale = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'x' }, spec: { replicas: 1 } }
    const { code, stderr } = await convert(['-f', '-', '--output-version=autoscaling/v2'], JSON.stringify(scale))
    assert.equal(code, 1)
    assert.match(stderr, /Scale can't be written in autoscaling\/v2: the kind is not in that version/)
  })

  it('reports a kind that is not in the requested version', async () => {
    const lease = 'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: a}\n'
    const { code, stdout, stderr } = await convert(['-f', '-', '--output-version=coordination.k8s.io/v1beta1'], lease)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /Lease can't be written in coordination\.k8s\.io\/v1beta1: the kind is not in that version/)
  })

  const refusals: readonly (readonly [string[], string])[] = [
    [[], 'must specify --filename'],
    [['-f', '-', '-o', 'xml'], '--output: "xml" is none of json, yaml, protobuf, cbor'],
    [['-f', '-', '--output-version=apps/v9'], '--output-version: apps/v9 is an unknown version'],
    [['-f', '-', '--output-version=a/b/c'], '--output-version: "a/b/c" is no version such as apps/v1'],
    [['-f', '-', 'more'], 'unexpected argument: more'],
    [['-f', '/nowhere'], "can't read /nowhere: no such file or folder"],
    [['-f', '-'], 'no objects passed to convert'],
  ]
  for (const [line, message] of refusals)
    it(`${line.join(' ') || 'nothing'}: ${message}`, async () => {
      const { code, stderr } = await convert(line, '')
      assert.equal(stderr, `pilothouse: ${message}\n`)
      assert.equal(code, 1)
    })

  it('is a command of the program, whose failures are one line', async () => {
    const { code, stdout, stderr } = await convertAlone(['-f', '-'], '')
    assert.deepEqual([code, stdout, stderr], [1, '', 'pilothouse: no objects passed to convert\n'])
  })

  it('prints help', async () => {
    const { code, stdout } = await convertAlone(['--help'], '')
    assert.equal(code, 0)
    assert.match(stdout, /--output-version string/)
  })
})
