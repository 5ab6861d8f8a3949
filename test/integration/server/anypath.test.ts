import assert from 'node:assert/strict'
import { createSeededRandom } from '../../../lib/base/index.ts'
import { decodePath } from '../../../lib/request/index.ts'
import {
  allows,
  createRoutingKit,
  fooOwner,
  fooReader,
  type Grant,
  jsonBody,
  namespaces,
  type RoutingKit,
  reader,
} from '../../support/routingkit.ts'

const groupVersions = [
  ...Array.from({ length: 10 }, () => '/api/v1'),
  '/apis/apps/v1',
  '/apis/authentication.k8s.io/v1',
  '/apis/authorization.k8s.io/v1',
  '/apis//v1',
  '/apis/v1',
  '/api',
  '/API/v1',
  '//api/v1',
  '',
]
const names = ['c', 'p1', 'superadmin', 'foo', 'bar', 'nothing']
const subresources = [
  'status',
  'finalize',
  'token',
  'binding',
  'bindings',
  'eviction',
  'scale',
  'log',
  'proxy',
  'bogus',
]
const namespaced = ['pods', 'configmaps', 'serviceaccounts', 'bindings', 'deployments', 'localsubjectaccessreviews']
const clusterScoped = [
  'namespaces',
  'nodes',
  'tokenreviews',
  'subjectaccessreviews',
  'selfsubjectaccessreviews',
  'selfsubjectreviews',
]
const stored: Readonly<Record<string, string>> = { pods: 'p1', configmaps: 'c', serviceaccounts: 'superadmin' }
const places = [...namespaces, 'foo', 'foo', 'foo']
const odd = ['', '.', '..', 'Namespaces', 'watch', 'proxy', 'v1', '%2e%2e', '%00', 'a%2Fb', 'x%', 'namespaces']
const words = [...names, ...subresources, ...namespaced, ...clusterScoped, ...namespaces, ...odd]
const methods = ['GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'BREW', 'get']
const queries = ['', '', '', '?watch=1', '?fieldSelector=metadata.name%3Dc', '?dryRun=All', '?limit=1&watch=false']

/** Of each attack. More find more: ANYPATH_REQUESTS=1000000. */
const requests = Number(process.env['ANYPATH_REQUESTS'] ?? 12_000)

interface Request {
  readonly method: string
  readonly url: string
}

/** Requests that look like the real ones, with some of their segments, slashes and letters changed. */
function createGenerator(seed: number): () => Request {
  const random = createSeededRandom(seed)
  const chance = (of: number): boolean => random.fraction() < of
  const pick = (list: readonly string[]): string => list[Math.floor(random.fraction() * list.length)] ?? ''

  function segments(): string[] {
    const list: string[] = []
    if (chance(0.25)) list.push(pick(['watch', 'proxy']))
    if (chance(0.05)) return [...list, 'namespaces', pick(places)]
    const own = chance(0.3)
    if (!own || chance(0.3)) list.push('namespaces', pick(places))
    if (chance(0.2)) list.push('namespaces', pick(places))
    const resource = pick(own ? clusterScoped : namespaced)
    list.push(resource)
    if (chance(0.7)) list.push(chance(0.6) ? (stored[resource] ?? pick(places)) : pick(names))
    if (chance(0.35)) list.push(pick(subresources))
    if (chance(0.15)) list.splice(Math.floor(random.fraction() * list.length), 1, pick(words))
    if (chance(0.1)) list.splice(Math.floor(random.fraction() * list.length), 0, pick(words))
    if (chance(0.05)) list.pop()
    return list
  }

  /** The same text to a decoder, or nearly. */
  function spelled(text: string): string {
    if (text === '' || chance(0.93)) return text
    const at = Math.floor(random.fraction() * text.length)
    if (chance(0.2)) return text.slice(0, at) + text.slice(at).toUpperCase()
    const escape = `%${text.charCodeAt(at).toString(16).padStart(2, '0')}`
    return text.slice(0, at) + (chance(0.1) ? escape.replace('%', '%25') : escape) + text.slice(at + 1)
  }

  /** A path of its own shape, so that not everything is refused. */
  function plain(): string {
    const resource = pick(namespaced)
    return `/api/v1/namespaces/${pick(places)}/${resource}${chance(0.5) ? `/${stored[resource] ?? 'c'}` : ''}`
  }

  return () => {
    if (chance(0.1)) return { method: pick(methods), url: plain() + pick(queries) }
    let url = pick(groupVersions)
    for (const segment of segments())
      url += (chance(0.9) ? '/' : pick(['//', '%2F', '%2f', '%252F', '/./'])) + spelled(segment)
    if (chance(0.05)) url += pick(['/', '//', '%2f'])
    return { method: pick(methods), url: url + pick(queries) }
  }
}

interface Direct {
  readonly verb: string
  readonly namespace: string
  /** Of the object that the path names. */
  readonly name: string
  readonly resource: string
}

/**
 * The model: what a request may do at most, by the documented shapes of paths; undefined where it may do nothing. Written
 * apart from the code: it knows shapes and no exceptions.
 */
function directly({ method, url }: Request): Direct | undefined {
  const [rawPath = '', query = ''] = url.split('?')
  let path: string
  try {
    path = decodePath(rawPath)
  } catch {
    return undefined
  }
  const match = /^\/(?:api\/v1|apis\/[a-z0-9.]+\/v1)\/(watch\/)?(.*?)\/*$/.exec(path)
  if (!match) return undefined
  const [, watchPrefix, rest = ''] = match
  const parts = rest.split('/')
  if (parts[0] === 'namespaces' && (parts.length < 3 || parts[2] === 'status' || parts[2] === 'finalize')) {
    const [, name = ''] = parts
    return shaped(parts, name, name)
  }
  if (parts[0] === 'namespaces') {
    const [, namespace = '', ...inner] = parts
    return namespaced.includes(inner[0] ?? '') ? shaped(inner, namespace, inner[1] ?? '') : undefined
  }
  if (namespaced.includes(parts[0] ?? ''))
    return parts.length === 1 && method === 'GET' ? shaped(parts, '', '') : undefined
  return clusterScoped.includes(parts[0] ?? '') ? shaped(parts, '', parts[1] ?? '') : undefined

  function shaped(of: readonly string[], namespace: string, name: string): Direct | undefined {
    const [resource = ''] = of
    if (of.length > 3 || (of.length > 1 && name === '')) return undefined
    if (watchPrefix !== undefined)
      return method === 'GET' && of.length < 3 ? { verb: 'watch', namespace, name, resource } : undefined
    const isWatch = new URLSearchParams(query).get('watch') === '1'
    const verb =
      of.length === 1
        ? { GET: isWatch ? 'watch' : 'list', POST: 'create', DELETE: 'deletecollection' }[method]
        : { GET: 'get', POST: of.length === 3 ? 'create' : undefined, PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[
            method
          ]
    return verb === undefined ? undefined : { verb, namespace, name, resource }
  }
}

const bodies: Readonly<Record<string, object>> = {
  token: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  binding: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p1' }, target: { kind: 'Node', name: 'n' } },
  eviction: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p1' } },
  tokenreviews: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'x' } },
  selfsubjectreviews: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
}
const attributes = { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'foo' }, user: 'u' }
const patch = { metadata: { labels: { a: 'b' } } }

function unescape(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** A body that would do for what the path seems to ask for. */
function bodyFor({ method, url: spelled }: Request): { body?: string; headers: Record<string, string> } {
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE') return { headers: {} }
  if (method !== 'POST') return jsonBody(patch, 'PATCH')
  const url = unescape(spelled)
  const found = Object.keys(bodies).find((word) => url.includes(word))
  if (found !== undefined) return jsonBody(bodies[found])
  if (url.includes('accessreviews')) return jsonBody({ spec: attributes })
  return jsonBody({ metadata: { name: 'c' } })
}

describe('routing of any path', function () {
  this.timeout(120_000)
  let kit: RoutingKit
  before(async () => {
    kit = await createRoutingKit()
  })
  after(() => kit.close())

  async function attack(grant: Grant, count: number, seed: number): Promise<Set<string>> {
    const chain = kit.as(grant)
    const next = createGenerator(seed)
    const served = new Set<string>()
    for (let at = 0; at < count; at++) {
      const request = next()
      // Nothing can be made any more in a namespace that is being deleted.
      if (request.method === 'DELETE' && directly(request)?.resource === 'namespaces') continue
      const { status, body } = await chain.request(request.method, request.url, bodyFor(request))
      const about = `${request.method} ${request.url} answered ${status}`
      assert.ok((status >= 200 && status !== 500) || /unable to determine kind/.test(body), `${about} ${body}`)
      if (status >= 300) continue
      const direct = directly(request)
      assert.ok(direct && allows(grant, direct.verb, direct.namespace), about)
      if (direct.verb === 'get') checkObject(JSON.parse(body), direct, about)
      served.add(`${direct.verb} ${direct.resource}`)
    }
    return served
  }

  function checkObject(
    object: { metadata: { name?: string; namespace?: string } },
    direct: Direct,
    about: string,
  ): void {
    assert.equal(object.metadata.name, direct.name, about)
    if (direct.resource !== 'namespaces') assert.equal(object.metadata.namespace ?? '', direct.namespace, about)
  }

  for (const [title, grant] of [
    ['a reader of one namespace', fooReader],
    ['a reader of everything', reader],
  ] as const) {
    it(`does nothing for ${title} that the direct path would not, and changes nothing`, async () => {
      const before = await kit.stored()
      const served = await attack(grant, requests, 11)
      assert.deepEqual(await kit.stored(), before)
      assert.deepEqual(kit.done, [])
      for (const one of ['get pods', 'list pods', 'watch pods', 'get namespaces', 'watch namespaces'])
        assert.ok(served.has(one), `${one} has not been tried`)
    })
  }

  it('never lets the owner of one namespace reach another one', async () => {
    const elsewhere = async (): Promise<[string, number][]> =>
      [...(await kit.stored())].filter(([key]) => !key.split('/').includes('foo'))
    const before = await elsewhere()
    const served = await attack(fooOwner, requests, 12)
    assert.deepEqual(await elsewhere(), before)
    for (const one of [
      'create configmaps',
      'patch configmaps',
      'delete configmaps',
      'deletecollection configmaps',
      'patch namespaces',
    ])
      assert.ok(served.has(one), `${one} has not been tried`)
  })
})
