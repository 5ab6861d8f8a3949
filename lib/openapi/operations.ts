import type { GroupVersion, GroupVersionKind } from '../object/index.ts'
import { formatGroupVersion, parseGroupVersion } from '../object/index.ts'
import type { ServedResource, SubresourceTable } from '../schema/index.ts'
import { operationScope, operationTag } from './names.ts'
import { pathParameter, queryNames, queryParameter } from './parameters.ts'
import type { Dialect, Json } from './schemas.ts'

/** References to the definitions of kinds, for operations. */
export interface KindReferences {
  /** `{ "$ref": … }` of a kind's definition; undefined for a kind without one. */
  kind(gvk: GroupVersionKind): Json | undefined
}

interface Endpoint {
  readonly gv: GroupVersion
  readonly resource: ServedResource
  readonly references: KindReferences
  readonly dialect: Dialect
  /** Kind of the bodies of request and answer. */
  readonly body: GroupVersionKind
  /** `Status` of `readCoreV1NamespacedPodStatus`; ''. */
  readonly suffix: string
}

const objectMediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
const watchMediaTypes = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']
const patchMediaTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]
const metaV1 = { group: 'meta.k8s.io', version: 'v1' } as const

/** The path items of one resource and its subresources, by path. */
export function resourcePaths(
  gv: GroupVersion,
  resource: ServedResource,
  references: KindReferences,
  dialect: Dialect,
): Record<string, Json> {
  const root = gv.group === '' ? `/api/${gv.version}` : `/apis/${gv.group}/${gv.version}`
  const { plural, table } = resource
  const scoped = table.namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`
  const endpoint: Endpoint = { gv, resource, references, dialect, body: { ...gv, kind: table.kind }, suffix: '' }
  const paths: Record<string, Json> = {
    [scoped]: pathItem(endpoint, false, [
      ['get', 'list'],
      ['post', 'create'],
      ['delete', 'deletecollection'],
    ]),
    [`${scoped}/{name}`]: pathItem(endpoint, true, [
      ['get', 'get'],
      ['put', 'update'],
      ['patch', 'patch'],
      ['delete', 'delete'],
    ]),
  }
  if (table.namespaced && table.verbs.includes('list')) paths[`${root}/${plural}`] = allNamespaces(endpoint)
  for (const [name, subresource] of Object.entries(table.subresources ?? {}))
    paths[`${scoped}/{name}/${name}`] = subresourceItem(endpoint, name, subresource)
  return Object.fromEntries(Object.entries(paths).filter(([, item]) => Object.keys(item).length > 1))
}

function pathItem(endpoint: Endpoint, named: boolean, methods: readonly (readonly [string, string])[]): Json {
  const item: Json = {}
  for (const [method, verb] of methods)
    if (endpoint.resource.table.verbs.includes(verb)) item[method] = operation(endpoint, verb, verb)
  return { ...item, parameters: pathParameters(endpoint, named) }
}

function allNamespaces(endpoint: Endpoint): Json {
  const list = operation(endpoint, 'list', 'list', 'ForAllNamespaces')
  const { dialect } = endpoint
  return { get: list, parameters: [queryParameter('pretty', dialect)] }
}

function subresourceItem(endpoint: Endpoint, name: string, subresource: SubresourceTable): Json {
  const home = subresource.groupVersion === undefined ? endpoint.gv : parseGroupVersion(subresource.groupVersion)
  const own: Endpoint = {
    ...endpoint,
    body: { ...(home ?? endpoint.gv), kind: subresource.kind },
    suffix: name.split('/').map(capital).join(''),
  }
  const item: Json = {}
  const methods = { get: 'get', create: 'post', update: 'put', patch: 'patch', delete: 'delete' } as const
  // A subresource that is not a view of the object streams or proxies: the action `connect` in Kubernetes' operations.
  const connects = subresource.kind.endsWith('Options')
  for (const [verb, method] of Object.entries(methods))
    if (subresource.verbs.includes(verb)) item[method] = operation(own, verb, connects ? 'connect' : verb)
  return { ...item, parameters: pathParameters(own, true) }
}

function pathParameters({ resource, dialect }: Endpoint, named: boolean): Json[] {
  return [
    ...(named ? [pathParameter('name', `name of the ${resource.table.kind}`, dialect)] : []),
    ...(resource.table.namespaced ? [pathParameter('namespace', 'namespace of the object', dialect)] : []),
    queryParameter('pretty', dialect),
  ]
}

const verbTitles: Readonly<Record<string, string>> = { get: 'read', update: 'replace', deletecollection: 'delete' }
const verbActions: Readonly<Record<string, string>> = { create: 'post', update: 'put' }

function operation(endpoint: Endpoint, verb: string, role: string, ending = ''): Json {
  const { gv, resource, dialect, body, suffix } = endpoint
  const collection = verb === 'deletecollection' ? 'Collection' : ''
  const namespaced = resource.table.namespaced && ending === '' ? 'Namespaced' : ''
  const title = role === 'connect' ? `connect${capital(verb)}` : (verbTitles[verb] ?? verb)
  const action = role === 'connect' ? 'connect' : (verbActions[verb] ?? verb)
  const isStream = verb === 'list'
  const isForeign = resource.published !== undefined
  const produces = mediaTypes(isStream, isForeign)
  const request = requestKind(endpoint, verb)
  const queries = (queryNames[verb] ?? []).map((name) => queryParameter(name, dialect))
  // Clients compare documents after a round trip through types that leave out empty lists.
  const parameters = dialect === 2 && request ? [bodyParameter(request, verb), ...queries] : queries
  const consumes = verb === 'patch' ? patchMediaTypes.filter((type) => !isForeign || !isStrategic(type)) : ['*/*']
  return {
    tags: [operationTag(gv)],
    description: `${describe(verb, role)} ${resource.table.kind}${suffix === '' ? '' : ` (${suffix.toLowerCase()})`}`,
    operationId: `${title}${operationScope(gv)}${collection}${namespaced}${resource.table.kind}${suffix}${ending}`,
    ...(dialect === 2 ? { consumes, produces, schemes: ['https'] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(dialect === 3 && request ? { requestBody: requestBody(request, consumes, verb) } : {}),
    responses: responses(endpoint, verb, produces),
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group: body.group, kind: body.kind, version: body.version },
  }
}

/** A kind without a table has no protobuf form and no strategic merge. */
function mediaTypes(isStream: boolean, isForeign: boolean): string[] {
  const all = isStream ? [...objectMediaTypes, ...watchMediaTypes] : objectMediaTypes
  return isForeign ? all.filter((type) => !type.includes('protobuf')) : all
}

function isStrategic(type: string): boolean {
  return type.includes('strategic-merge')
}

function describe(verb: string, role: string): string {
  if (role === 'connect') return `connect ${verb.toUpperCase()} requests to`
  const words: Readonly<Record<string, string>> = {
    get: 'read the specified',
    list: 'list or watch objects of kind',
    create: 'create a',
    update: 'replace the specified',
    patch: 'partially update the specified',
    delete: 'delete a',
    deletecollection: 'delete collection of',
  }
  return words[verb] ?? verb
}

function requestKind({ references, body, gv }: Endpoint, verb: string): Json | undefined {
  if (body.kind.endsWith('Options')) return undefined
  if (verb === 'create' || verb === 'update') return references.kind(body)
  if (verb === 'patch') return references.kind({ ...metaV1, kind: 'Patch' })
  if (verb === 'delete' || verb === 'deletecollection')
    return references.kind({ group: gv.group, version: gv.version, kind: 'DeleteOptions' })
  return undefined
}

function bodyParameter(schema: Json, verb: string): Json {
  return { in: 'body', name: 'body', ...(isRequired(verb) ? { required: true } : {}), schema }
}

function requestBody(schema: Json, consumes: readonly string[], verb: string): Json {
  return {
    content: Object.fromEntries(consumes.map((type) => [type, { schema }])),
    ...(isRequired(verb) ? { required: true } : {}),
  }
}

function isRequired(verb: string): boolean {
  return !verb.startsWith('delete')
}

function responses(
  { references, body, resource, dialect, suffix }: Endpoint,
  verb: string,
  produces: readonly string[],
): Json {
  const schema = answerSchema()
  const answer = (description: string): Json => {
    if (!schema) return { description, ...(dialect === 2 ? { schema: { type: 'string' } } : {}) }
    if (dialect === 2) return { description, schema }
    return { description, content: Object.fromEntries(produces.map((type) => [type, { schema }])) }
  }
  const codes: Json = { 200: answer('OK') }
  if (verb === 'create' || verb === 'update' || verb === 'patch') codes[201] = answer('Created')
  if (verb === 'create' || verb === 'delete') codes[202] = answer('Accepted')
  return { ...codes, 401: { description: 'Unauthorized' } }

  function answerSchema(): Json | undefined {
    if (body.kind.endsWith('Options')) return undefined
    if (verb === 'list') return references.kind({ ...body, kind: resource.table.listKind ?? `${body.kind}List` })
    if (
      verb === 'deletecollection' ||
      (verb === 'delete' && suffix === '' && resource.table.deleteReturns !== 'object')
    )
      return references.kind({ ...metaV1, kind: 'Status' })
    return references.kind(body)
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** `api/v1`, `apis/apps/v1`: the path of a group version's document in the index of version 3. */
export function documentPath(gv: GroupVersion): string {
  return gv.group === '' ? `api/${gv.version}` : `apis/${formatGroupVersion(gv)}`
}
