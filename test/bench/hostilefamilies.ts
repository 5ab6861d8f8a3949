import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { FrameClient } from '../integration/server/http2/frameclient.ts'
import * as f from '../integration/server/http2/frames.ts'
import { literal, requestBlock } from '../integration/server/http2/headerblock.ts'
import { adminToken } from '../support/apiserver.ts'
import { authorityExtension, keyPem, type Made, makeAnyCertificate, newKey } from '../support/certificates.ts'
import { nested, revisionMessage } from '../support/nesting.ts'
import { ask } from '../support/plane.ts'
import { createClient } from './client.ts'

/** One kind of hostile input; `run` answers what became of it in a few words. */
interface HostileFamily {
  readonly title: string
  run(): Promise<string>
}

interface Aimed {
  readonly url: string
  readonly port: number
}

const json = 'application/json'
const configMaps = '/api/v1/namespaces/default/configmaps'
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const keys = (count: number, value = 'v'): Record<string, string> =>
  Object.fromEntries(times(count, (i) => [`k${i}`, value]))

/** Counts of statuses: `2 × 413, 1 × 201`. */
function summary(statuses: readonly (number | string)[]): string {
  const counts = new Map<number | string, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}

export function hostileFamilies(server: Aimed): HostileFamily[] {
  const send = async (method: string, path: string, body: unknown, type = json): Promise<number | string> => {
    const headers = { 'content-type': type }
    const answer = await ask(server.url, path, { token: adminToken, method, body, headers }).catch(() => undefined)
    return answer?.status ?? 'closed'
  }
  /** One after the other. */
  const sendAll = async (requests: readonly (readonly [string, string, unknown, string?])[]): Promise<string> => {
    const statuses: (number | string)[] = []
    for (const [method, path, body, type] of requests) statuses.push(await send(method, path, body, type))
    return summary(statuses)
  }
  return [
    { title: 'nothing', run: () => pause(3000).then(() => '') },
    ...floods(server),
    ...bodies(sendAll),
    ...programs(server, sendAll),
    ...chains(server),
    ...slow(server),
  ]
}

type SendAll = (requests: readonly (readonly [string, string, unknown, string?])[]) => Promise<string>

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Bodies that are read, merged, owned and validated. */
function bodies(sendAll: SendAll): HostileFamily[] {
  const post = (title: string, bodies: readonly unknown[], type = json, path = configMaps): HostileFamily => ({
    title,
    run: () => sendAll(bodies.map((body) => ['POST', path, body, type] as const)),
  })
  const own = `${configMaps}/own`
  const patches = (title: string, bodies: readonly unknown[], type: string): HostileFamily => ({
    title,
    run: async () => {
      await sendAll([['POST', configMaps, { metadata: { name: 'own', finalizers: ['a/b'] } }]])
      const query = type.startsWith('application/apply') ? '?fieldManager=m&force=true' : ''
      const outcome = await sendAll(bodies.map((body) => ['PATCH', own + query, body, type] as const))
      const free = { metadata: { finalizers: null } }
      await sendAll([
        ['PATCH', own, free, 'application/merge-patch+json'],
        ['DELETE', own, undefined],
      ])
      return outcome
    },
  })
  const huge = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own' }, data: keys(99_000) }
  const many = [
    huge,
    { metadata: { labels: keys(90_000) } },
    { metadata: { finalizers: times(90_000, (i) => `a/b${i}`) } },
    Object.fromEntries(times(90_000, (i) => [`unknown${i}`, 1])),
  ]
  const owners = (count: number): object => ({
    metadata: {
      name: 'owned',
      ownerReferences: times(count, (i) => ({ apiVersion: 'v1', kind: 'Node', name: `n${i}`, uid: `u${i}` })),
    },
  })
  const list = { op: 'add', path: '/metadata/finalizers', value: times(50_000, () => 'a/b') }
  const pods = '/api/v1/namespaces/default/pods'
  const container = { name: 'a', image: 'b' }
  const managed = (fieldsV1: unknown): object => ({
    metadata: {
      name: 'own',
      managedFields: [{ manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 }],
    },
  })
  const deepFields = JSON.parse(`${'{"f:a":'.repeat(3000)}{}${'}'.repeat(3000)}`) as unknown
  const yaml = 'application/yaml'
  return [
    post('YAML of 3 MB: ], &a, }, tags, lines, comments', [']', '&a ', '}', '!a ', 'a: 1\n', '# a\n', '- ', '? '].map((part) => part.repeat(3_000_000 / part.length)), yaml), // biome-ignore format: one line
    post('protobuf: JSON nested 200 to 50,000 deep inside', [200, 3000, 50_000].map((depth) => revisionMessage(`d${depth}`, nested(depth))), 'application/vnd.kubernetes.protobuf', '/apis/apps/v1/namespaces/default/controllerrevisions'), // biome-ignore format: one line
    post('JSON nested 500,000 deep', [nested(500_000), '['.repeat(3_000_000)]),
    post('YAML nested 500,000 deep', ['['.repeat(500_000), '{a: '.repeat(500_000), '- '.repeat(500_000)], yaml),
    post(
      'CBOR nested 1,000,000 deep',
      [Buffer.alloc(1_000_000, 0x81), Buffer.alloc(1_000_000, 0x9f)],
      'application/cbor',
    ),
    post('objects of 99,000 fields, created', [huge, { ...huge, metadata: { name: 'own2' } }]),
    patches('objects of 90,000 fields, merge patches', many, 'application/merge-patch+json'),
    patches('objects of 90,000 fields, strategic patches', many, 'application/strategic-merge-patch+json'),
    patches('objects of 90,000 fields, applied', many.map((each) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...each })), 'application/apply-patch+yaml'), // biome-ignore format: one line
    patches('JSON patches: removals in front, copies', [[list, ...times(9000, () => ({ op: 'remove', path: '/metadata/finalizers/0' }))], [list, ...times(9000, () => ({ op: 'copy', from: '/metadata/finalizers', path: '/metadata/a' }))], times(9990, (i) => ({ op: 'add', path: `/data/k${i}`, value: 'v' }))], 'application/json-patch+json'), // biome-ignore format: one line
    post('lists of errors: 45,000 annotations, finalizers', [{ metadata: { name: 'x', annotations: Object.fromEntries(times(45_000, (i) => [`-${i}`, ''])) } }, { metadata: { name: 'x', finalizers: times(45_000, (i) => `-${i}`) } }]), // biome-ignore format: one line
    post('lists of errors: containers, env, ports of a pod', [{ metadata: { name: 'x' }, spec: { containers: times(90_000, () => ({})) } }, { metadata: { name: 'x' }, spec: { containers: [{ ...container, env: times(40_000, () => ({})) }] } }, { metadata: { name: 'x' }, spec: { containers: [{ ...container, ports: times(40_000, () => ({})) }] } }, { metadata: { name: 'x' }, spec: { containers: [container], topologySpreadConstraints: times(20_000, () => ({})) } }], json, pods), // biome-ignore format: one line
    post('15,000 owner references', [owners(15_000), owners(1)]),
    patches('field sets: 90,000 fields, 3,000 deep', [managed({ 'f:data': Object.fromEntries(times(90_000, (i) => [`f:k${i}`, {}])) }), managed(deepFields)], 'application/merge-patch+json'), // biome-ignore format: one line
  ]
}

/** Texts that are compiled: expressions, patterns, selectors. */
function programs(server: Aimed, sendAll: SendAll): HostileFamily[] {
  const client = createClient({ url: server.url, pid: 0, token: '' }, 20)
  const anonymous = async (path: string): Promise<number | string> =>
    (await client.request('GET', path).catch(() => undefined))?.status ?? 'closed'
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
  const policy = (expression: string, index: number): object => ({
    metadata: { name: `p${index}` },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] }] }, // biome-ignore format: one line
      validations: [{ expression }],
    },
  })
  const expressions = [
    `${'('.repeat(100_000)}1`,
    `${'!'.repeat(100_000)}true`,
    `${times(30_000, () => '1').join('+')} == 1`,
    `${'['.repeat(200)}1${']'.repeat(200)} == 1`,
    times(8, (i) => `object.metadata.name.split('').all(v${i}, `).join('') + 'true' + ')'.repeat(8),
    `'${'a'.repeat(1_000_000)}'.matches('(a+)+$')`,
    `'a'.matches('${'(a{1,1000}'.repeat(3)}${')'.repeat(3)}')`,
  ]
  const definition = (schema: object): object => ({
    metadata: { name: 'hostiles.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'hostiles', singular: 'hostile', kind: 'Hostile', listKind: 'HostileList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } } }], // biome-ignore format: one line
    },
  })
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const rules = (count: number): object => ({
    type: 'object',
    properties: { a: { type: 'string' } },
    'x-kubernetes-validations': times(count, (i) => ({
      rule: `self.a.matches('(a|b)*c{1,${i % 900}}')`,
      message: 'm',
    })),
  })
  let schema: object = { type: 'string' }
  for (let depth = 0; depth < 50; depth++) schema = { type: 'object', properties: { a: schema } }
  const patterns = ['(a+)+$', '(a{1,1000}){1,1000}', `${'('.repeat(10_000)}a`, 'a|'.repeat(50_000)]
  return [
    { title: 'expressions of admission policies', run: () => sendAll(expressions.map((text, index) => ['POST', policies, policy(text, index)] as const)) }, // biome-ignore format: one line
    { title: 'expressions of custom resources: 1,000 rules', run: () => sendAll([['POST', `${definitions}?dryRun=All`, definition(rules(1000))], ['POST', `${definitions}?dryRun=All`, definition(schema)]]) }, // biome-ignore format: one line
    { title: 'patterns of custom resources', run: () => sendAll(patterns.map((pattern) => ['POST', `${definitions}?dryRun=All`, definition({ type: 'string', pattern })] as const)) }, // biome-ignore format: one line
    { title: '10,000 versions of a custom resource', run: () => sendAll([['POST', definitions, { metadata: { name: 'a.b' }, spec: { versions: times(10_000, () => ({})) } }]]) }, // biome-ignore format: one line
    { title: 'selectors of 8 KB', run: () => sendAll(times(200, (i) => ['GET', `${configMaps}?${i % 2 ? 'label' : 'field'}Selector=${i % 2 ? `a in (${'b,'.repeat(1800)}c)` : 'metadata.name!=a,'.repeat(400)}${i}`.replaceAll(' ', '%20'), undefined] as const)) }, // biome-ignore format: one line
    { title: '5,000 odd paths', run: () => inParallel(5000, 20, (i) => anonymous(`/${['api/v1//', '%2f%2e%2e/', 'watch/'][i % 3]}`.repeat(1 + (i % 300)) + i)) }, // biome-ignore format: one line
    { title: '10,500 names of subresources, then /metrics', run: () => inParallel(10_500, 20, (i) => anonymous(`/api/v1/namespaces/a/pods/b/evil${i}`)).then((text) => sendAll([['GET', '/metrics', undefined]]).then(() => text)) }, // biome-ignore format: one line
  ]
}

async function inParallel(
  count: number,
  workers: number,
  run: (index: number) => Promise<number | string>,
): Promise<string> {
  const statuses: (number | string)[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) statuses.push(await run(next++))
  }
  await Promise.all(times(workers, work))
  return summary(statuses)
}

/** Client certificates that OpenSSL verifies before anybody is known. */
function chains({ port }: Aimed): HostileFamily[] {
  const link = (issuer: Made | undefined, name: string, key: Made['key']): Made =>
    makeAnyCertificate({
      subject: [`CN=${name}`],
      key,
      extensions: [authorityExtension()],
      ...(issuer ? { issuer } : {}),
    })
  const shake = async (leaf: Made, sent: readonly Made[]): Promise<string> => {
    const options = { key: keyPem(leaf.key), cert: [leaf, ...sent].map(({ pem }) => pem).join('') }
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options })
    const outcome = await Promise.race([
      once(socket, 'secureConnect').then(async () => {
        socket.write('GET /api HTTP/1.1\r\nhost: x\r\n\r\n')
        const [answer] = (await once(socket, 'data')) as [Buffer]
        return answer.toString('latin1', 9, 12)
      }),
      once(socket, 'error').then(() => 'closed'),
      once(socket, 'close').then(() => 'closed'),
    ]).catch(() => 'closed')
    socket.destroy()
    return outcome
  }
  const long = (count: number, newLinkKey: () => Made['key']): Made[] => {
    const links: Made[] = []
    for (let i = 0; i < count; i++) links.unshift(link(links[0], `link${i}`, newLinkKey()))
    return links
  }
  const attack = (title: string, make: () => Made[]): HostileFamily => {
    let made: Made[] | undefined
    return {
      title,
      run: async () => {
        const [leaf, ...rest] = (made ??= make())
        const outcomes: string[] = []
        for (let i = 0; leaf && i < 3; i++) outcomes.push(await shake(leaf, rest))
        return summary(outcomes)
      },
    }
  }
  return [
    attack('certificates: 7 authorities of one name and key, P-521', () => {
      const key = newKey('P-521')
      const all = times(7, () => link(undefined, 'same', key))
      const leaf = makeAnyCertificate({ subject: ['CN=x'], issuer: { subject: (all[0] as Made).subject, key } })
      return [leaf, ...all]
    }),
    attack('certificates: a chain of 99, P-521', () => long(99, () => newKey('P-521'))),
    attack('certificates: a chain of 70, RSA', () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 4096 })
      return long(70, () => privateKey)
    }),
  ]
}

/** HTTP/2 frames that cost the client nothing. */
function floods({ port }: Aimed): HostileFamily[] {
  const head = (id: number): Buffer =>
    f.frame(f.headers, f.endHeaders | f.endStream, id, requestBlock({ path: '/api' }))
  const flood = (title: string, frames: (id: number) => Buffer[]): HostileFamily => ({
    title: `HTTP/2: ${title}`,
    run: async () => {
      let sent = 0
      for (let round = 0; round < 5; round++) {
        const client = await FrameClient.open(port)
        client.keepsFrames = false
        for (let i = 0; i < 20_000 && !client.closed; i += 100) {
          await client.writeAndDrain(Buffer.concat(times(100, (j) => frames((i + j) * 2 + 1)).flat()))
          sent += 100
        }
        await pause(50)
        client.destroy()
      }
      return `${sent} sent`
    },
  })
  return [
    flood('requests cancelled at once', (id) => [head(id), f.frame(f.rstStream, 0, id, f.uint32(8))]),
    flood('PING', () => [f.frame(f.ping, 0, 0, Buffer.alloc(8))]),
    flood('SETTINGS', () => [f.frame(f.settings, 0, 0)]),
    flood('requests, answers unread', (id) => [head(id)]),
    flood('CONTINUATION without end', (id) => [
      id === 1 ? f.frame(f.headers, 0, 1, literal('a', 'b')) : f.frame(f.continuation, 0, 1, literal('a', 'b')),
    ]),
    flood('empty DATA', (id) => [
      id === 1 ? f.frame(f.headers, f.endHeaders, 1, requestBlock({ method: 'POST' })) : f.frame(f.data, 0, 1),
    ]),
  ]
}

/** Connections that do little for long. */
function slow({ port }: Aimed): HostileFamily[] {
  const open = async (): Promise<TLSSocket | undefined> => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
    socket.on('error', () => {})
    const isOpen = await Promise.race([
      once(socket, 'secureConnect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    return isOpen ? socket : undefined
  }
  const openMany = async (count: number, workers: number): Promise<TLSSocket[]> => {
    const sockets: TLSSocket[] = []
    let left = count
    const work = async (): Promise<void> => {
      while (left-- > 0) {
        const socket = await open()
        if (socket) sockets.push(socket)
      }
    }
    await Promise.all(times(workers, work))
    return sockets
  }
  const drip = (title: string, first: string): HostileFamily => ({
    title,
    run: async () => {
      const sockets = await openMany(500, 10)
      for (const socket of sockets) socket.write(first)
      for (let i = 0; i < 40; i++) {
        for (const socket of sockets) if (socket.writable) socket.write('a')
        await pause(100)
      }
      for (const socket of sockets) socket.destroy()
      return `${sockets.length} connections`
    },
  })
  return [
    drip('slow headers, a byte every 100 ms', 'GET /api HTTP/1.1\r\nhost: x\r\nx: '),
    drip('slow bodies, a byte every 100 ms', `POST ${configMaps} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminToken}\r\ncontent-type: application/json\r\ncontent-length: 90000\r\n\r\n`), // biome-ignore format: one line
    {
      title: '10,000 idle connections',
      run: async () => {
        const sockets = await openMany(10_000, 8)
        await pause(2000)
        for (const socket of sockets) socket.destroy()
        await pause(1000)
        return `${sockets.length} connections`
      },
    },
  ]
}
