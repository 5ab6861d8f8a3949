import type { ResourceDefinition } from '../../../lib/scheme/index.ts'
import type { Sent } from '../client.ts'
import { encode, toJson } from './bytes.ts'
import type { Dice } from './dice.ts'
import type { Surface } from './objects.ts'
import { anyValue, names, namespaces, textOf } from './values.ts'

/** The action of a request, as an authorizer sees it. */
export interface Attributes {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

export interface Planned {
  readonly sent: Sent
  /** Undefined: no resource, or a path that was changed so that the action is not certain. */
  readonly attributes: Attributes | undefined
  /** The user impersonates another. */
  readonly impersonates: boolean
  /** Its answer may be slow, and fail when no kubelet listens. */
  readonly connects: boolean
}

const connecting = new Set(['proxy', 'exec', 'attach', 'portforward', 'log'])
const oddAccepts: readonly string[] = [
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/yaml;as=Table;g=meta.k8s.io;v=v1',
  'application/cbor;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  '*/*',
  'text/html',
  'application/json;q=0,application/yaml;q=0.5',
]
/** Formats of answers to writes. */
const accepts: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  '*/*',
]
const patchTypes: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
]
const plainPaths: readonly string[] = [
  '/',
  '/api',
  '/apis',
  '/apis/apps',
  '/version',
  '/healthz',
  '/livez?verbose',
  '/readyz/etcd',
  '/metrics',
  '/metrics/slis',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/apis/apps/v1',
  '/logs/',
  '/logs/../../etc/passwd',
  '/debug/pprof/heap',
  '/debug/flags/v',
  '/configz',
  '/statusz',
  '/flagz',
  '/debug/api_priority_and_fairness/dump_requests',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/swagger.json',
  '/apis/attack.example.com/v1',
  '//api/v1',
]

/** The target of a request. */
interface Aim {
  readonly resource: ResourceDefinition
  readonly method: string
  readonly attributes: Attributes
  /** Names in the request. */
  readonly target: { readonly namespace: string; readonly name: string }
}

export interface PlanOptions {
  /** Whether an action is wanted; the search sometimes fails. */
  wants(attributes: Attributes): boolean
  /** The request may have no effect. */
  readonly isDry: boolean
}

const triesMax = 200

/** A request anywhere on the surface. */
export function planRequest(surface: Surface, dice: Dice, { wants, isDry }: PlanOptions): Planned {
  if (dice.once(30) && !isDry) return plainRequest(dice)
  let aim = chooseAim(surface, dice)
  for (let tries = 0; tries < triesMax && !wants(aim.attributes); tries++) aim = chooseAim(surface, dice)
  const { resource, method, attributes } = aim
  const { name, subresource, verb } = attributes
  const { namespace } = aim.target
  const path = pathOf(resource, namespace, name, subresource)
  const query = queryOf(method, verb === 'watch', isDry, dice)
  const { type, body } = contentOf(surface, aim, dice)
  const { headers, impersonates } = headersOf(type, { isDry, isRead: type === undefined }, dice)
  const bent = dice.once(30) && !isDry ? bend(path, dice) : path
  return {
    sent: {
      method,
      path: bent + query,
      headers,
      body: isDry && method === 'DELETE' ? undefined : body,
      http2: dice.once(3),
    },
    attributes: bent === path ? attributes : undefined,
    impersonates,
    connects: connecting.has(subresource),
  }
}

const methods = ['GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'PUT', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE', 'HEAD']

function chooseAim({ resources }: Surface, dice: Dice): Aim {
  const resource = dice.once(12) ? widgets : dice.pick(resources)
  const subresource = dice.once(3) ? (dice.pickAny(Object.keys(resource.subresources)) ?? '') : ''
  const verbs = resource.subresources[subresource]?.verbs
  const fitting =
    verbs === undefined || dice.once(8) ? methods : methods.filter((method) => verbs.includes(verbOf(method, true)))
  const method = dice.pickAny(fitting) ?? dice.pick(methods)
  const isCreation = method === 'POST' && subresource === ''
  const isNamed = subresource !== '' || (!isCreation && (method === 'PUT' || method === 'PATCH' || !dice.once(3)))
  const name = dice.pick(names)
  const isScoped = resource.namespaced && (isCreation || isNamed || !dice.once(4))
  const target = { namespace: isScoped ? dice.pick(namespaces) : '', name }
  const { group, resource: plural } = resource.gvr
  const verb = method === 'GET' && !isNamed && dice.once(6) ? 'watch' : verbOf(method, isNamed)
  const attributes = {
    verb,
    group,
    resource: plural,
    subresource,
    // Requests for one namespace are authorized within it.
    namespace: group === '' && plural === 'namespaces' && isNamed ? name : target.namespace,
    name: isNamed ? name : '',
  }
  return { resource, method, attributes, target }
}

/** The custom resource of setup.ts, as far as requests need it. */
const widgets = {
  gvr: { group: 'attack.example.com', version: 'v1', resource: 'widgets' },
  gvk: { group: 'attack.example.com', version: 'v1', kind: 'Widget' },
  namespaced: true,
  subresources: {},
} as ResourceDefinition

function plainRequest(dice: Dice): Planned {
  const path = dice.pick(plainPaths)
  const { headers, impersonates } = headersOf(undefined, { isDry: false, isRead: true }, dice)
  const sent = { method: dice.pick(['GET', 'GET', 'POST', 'PUT', 'OPTIONS']), path, headers, http2: dice.once(3) }
  return { sent, attributes: undefined, impersonates, connects: path.startsWith('/debug/') }
}

function pathOf({ gvr }: ResourceDefinition, namespace: string, name: string, subresource: string): string {
  const root = gvr.group === '' ? `/api/${gvr.version}` : `/apis/${gvr.group}/${gvr.version}`
  const scope = namespace === '' ? '' : `/namespaces/${namespace}`
  const rest = [gvr.resource, name, subresource].filter((part) => part !== '').map(encodeURIComponent)
  return `${root}${scope}/${rest.join('/')}`
}

/** Changes a path so that a careless reader misunderstands it. */
function bend(path: string, dice: Dice): string {
  const parts = path.split('/')
  const at = 1 + dice.below(parts.length - 1)
  const part = parts[at] ?? ''
  const other: readonly string[] = [
    `${part}/`,
    `${part}/..`,
    `${part}%2f..`,
    `.`,
    '%2e%2e',
    part.toUpperCase(),
    `${part};a=b`,
    `${part}%00`,
    encodeURIComponent(encodeURIComponent(`/${part}`)),
    '',
  ]
  return parts.with(at, dice.pick(other)).join('/')
}

function verbOf(method: string, isNamed: boolean): string {
  switch (method) {
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return isNamed ? 'delete' : 'deletecollection'
    default:
      return isNamed ? 'get' : 'list'
  }
}

const parameters: Readonly<Record<string, readonly string[]>> = {
  dryRun: ['All', 'All', 'All', 'x', ''],
  fieldManager: ['m', 'm', '', 'a'.repeat(200)],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'x'],
  force: ['true', 'false', 'x'],
  pretty: ['1', 'true', 'false'],
  limit: ['1', '2', '0', '-1', '9223372036854775807', 'x'],
  continue: ['x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi92YXVsdC8ifQ', ''],
  resourceVersion: ['0', '1', '99999999', '-1', 'x'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'x'],
  labelSelector: ['app=a', 'app in (a,b)', '!app', 'a'.repeat(4000), 'app notin (', '=='],
  fieldSelector: ['metadata.name=secret', 'metadata.namespace=vault', 'spec.nodeName=n1', 'type!=x', 'data.key=a', '='],
  timeout: ['1s', '-1s', '1ns', '100000h', 'x'],
  gracePeriodSeconds: ['0', '-1', '9223372036854775807'],
  propagationPolicy: ['Foreground', 'Background', 'Orphan', 'x'],
  sendInitialEvents: ['true', 'false'],
  allowWatchBookmarks: ['true'],
  includeObject: ['None', 'Metadata', 'Object', 'x'],
  path: ['/', '/../../x', '//127.0.0.1:1/'],
  command: ['ls'],
  container: ['c', '../x'],
  tailLines: ['-1', '9223372036854775807'],
}

function queryOf(method: string, isWatch: boolean, isDry: boolean, dice: Dice): string {
  const query = new URLSearchParams()
  // Watches end.
  if (isWatch) {
    query.set('watch', '1')
    query.set('timeoutSeconds', '1')
  }
  if (method !== 'GET' && (isDry || dice.once(6))) query.set('dryRun', 'All')
  for (const [name, values] of Object.entries(parameters))
    if (dice.once(30) && !(isDry && name === 'dryRun')) query.append(name, dice.pick(values))
  if (dice.once(60)) query.append(textOf(dice), textOf(dice))
  return query.size === 0 ? '' : `?${query}`
}

function contentOf(
  surface: Surface,
  { resource, method, attributes, target }: Aim,
  dice: Dice,
): { readonly type?: string; readonly body?: string | Uint8Array } {
  if (method === 'GET' || method === 'HEAD') return {}
  if (method === 'DELETE') return dice.once(2) ? {} : { type: 'application/json', body: toJson(deleteOptions(dice)) }
  const object = surface.body(resource, attributes.subresource, target, dice)
  if (method !== 'PATCH') return encode(surface.scheme, object, dice)
  const type = dice.pick(patchTypes)
  if (type === 'application/json-patch+json') return { type, body: toJson(jsonPatch(object, dice)) }
  if (type === 'application/apply-patch+cbor') {
    const encoded = encode(surface.scheme, object, dice)
    return encoded.type === 'application/cbor' ? { type, body: encoded.body } : { type: 'application/apply-patch+yaml', body: toJson(object) } // biome-ignore format: one line
  }
  return { type, body: toJson(object) }
}

function deleteOptions(dice: Dice): object {
  return {
    kind: 'DeleteOptions',
    apiVersion: dice.pick(['v1', 'meta.k8s.io/v1', 'apps/v1', 'x/y/z']),
    gracePeriodSeconds: dice.pick([0, -1, 1, '@9223372036854775807@', null]),
    propagationPolicy: dice.pick(['Foreground', 'Background', 'Orphan', '', null]),
    orphanDependents: dice.pick([true, false, null]),
    preconditions: dice.pick<unknown>([{ uid: 'x' }, { resourceVersion: '1' }, {}, null]),
    dryRun: dice.pick([['All'], [], ['x'], null]),
  }
}

function jsonPatch(object: object, dice: Dice): unknown {
  const pointers = pointersIn(object)
  const pointer = (): string =>
    dice.once(8)
      ? dice.pick([
          '',
          '/',
          '/__proto__',
          '/metadata/constructor/prototype',
          '/-',
          '/spec/-1',
          '/data/~2',
          `/${'a/'.repeat(500)}`,
        ])
      : (dice.pickAny(pointers) ?? '')
  const operation = (): object => ({
    op: dice.pick(['add', 'replace', 'remove', 'copy', 'move', 'test', 'x']),
    path: pointer(),
    from: pointer(),
    value: dice.once(2) ? anyValue(dice) : object,
  })
  return Array.from({ length: dice.once(50) ? 500 : 1 + dice.below(4) }, operation)
}

const pointersMax = 200

function pointersIn(object: object): string[] {
  const found: string[] = []
  const add = (value: unknown, path: string, depth: number): void => {
    if (found.length >= pointersMax || depth > 12) return
    found.push(path)
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value))
      add(inner, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1)
  }
  add(object, '', 0)
  return found
}

function headersOf(
  type: string | undefined,
  { isDry, isRead }: { readonly isDry: boolean; readonly isRead: boolean },
  dice: Dice,
): { headers: Record<string, string>; impersonates: boolean } {
  const headers: Record<string, string> = { accept: dice.pick(dice.once(isRead ? 2 : 20) ? oddAccepts : accepts) }
  if (type !== undefined) headers['content-type'] = dice.once(60) ? dice.pick(oddAccepts) : type
  if (dice.once(8)) headers['accept-encoding'] = 'gzip'
  const impersonates = !isDry && dice.once(40)
  if (impersonates) headers['impersonate-user'] = dice.pick(['admin', 'system:node:n2', 'system:apiserver', 'editor'])
  if (impersonates && dice.once(2)) headers['impersonate-group'] = 'system:masters'
  // Only front proxies may set these.
  if (dice.once(40)) Object.assign(headers, { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' })
  return { headers, impersonates }
}
