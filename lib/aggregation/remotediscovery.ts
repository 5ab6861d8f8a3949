import { isRecord } from '../base/index.ts'
import type { RemoteVersion } from '../discovery/index.ts'
import type { GroupVersion } from '../object/index.ts'
import { parseJsonText } from '../object/index.ts'
import { type Backend, type BackendAnswer, type RequestHeaders, userHeaders } from '../proxy/index.ts'
import { pathOf } from './apiservice.ts'
import { aggregatorUser } from './users.ts'

type Json = Record<string, unknown>

const answerBytesMax = 16 * 1024 * 1024
/** Maximum number of resources of one group version. */
const resourcesMax = 10_000
const aggregated = (version: string): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
const accept = `${aggregated('v2')},${aggregated('v2beta1')},application/json`

export interface RemoteAnswer {
  readonly version: RemoteVersion
  /** Identifies this answer in the next request; undefined when the backend has no etags. */
  readonly etag: string | undefined
}

/**
 * The resources that a backend serves in the group version, by aggregated discovery or, without it, by the list of the
 * group version. Undefined: the answer of `etag` is still valid. Rejects when neither is available.
 */
export async function fetchDiscovery(
  backend: Backend,
  at: GroupVersion,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<RemoteAnswer | undefined> {
  const user = userHeaders(aggregatorUser)
  const limits = { bytesMax: answerBytesMax, signal }
  const headers = { ...user, accept, ...(etag === undefined ? {} : { 'if-none-match': etag }) }
  const root = await backend.get(at.group === '' ? '/api' : '/apis', headers, limits)
  if (root.status === 304) return undefined
  if (root.status === 200 && (root.headers['content-type'] ?? '').includes('as=APIGroupDiscoveryList')) {
    const found = versionOf(documentOf(root), at)
    if (found) return { version: found, etag: root.headers.etag }
  }
  const path = pathOf(at)
  const list = await backend.get(path, { ...user, accept: 'application/json' }, limits)
  if (list.status !== 200) throw new Error(`${path} answered ${list.status}`)
  const items = arrayOf(documentOf(list)['resources']).filter(isRecord)
  return {
    version: { version: at.version, remoteResources: fromResourceList(items, at), freshness: 'Current' },
    etag: undefined,
  }
}

/**
 * All groups that a server serves, by aggregated discovery: `/api` and `/apis`. Rejects when either is not available in
 * this form.
 */
export async function fetchGroups(
  backend: Backend,
  { headers, profile }: { readonly headers: RequestHeaders; readonly profile: string },
  signal: AbortSignal,
): Promise<readonly RemoteGroup[]> {
  const limits = { bytesMax: answerBytesMax, signal }
  const wanted = `${aggregated('v2')};profile=${profile},${accept}`
  const answers = await Promise.all(
    ['/api', '/apis'].map(async (path) => {
      const answer = await backend.get(path, { ...headers, accept: wanted }, limits)
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
      if (!(answer.headers['content-type'] ?? '').includes('as=APIGroupDiscoveryList'))
        throw new Error(`${path} answered in another form than aggregated discovery`)
      return groupsOf(documentOf(answer))
    }),
  )
  return answers.flat()
}

/** A group of another server. */
export interface RemoteGroup {
  readonly name: string
  readonly versions: readonly RemoteVersion[]
}

function groupsOf(document: Json): RemoteGroup[] {
  return arrayOf(document['items'])
    .filter(isRecord)
    .map((group) => {
      const name = nameOf(group)
      const versions = arrayOf(group['versions']).filter(isRecord)
      return {
        name,
        versions: versions.map((one) => remoteVersion(one, { group: name, version: textOf(one['version']) })),
      }
    })
}

const nameOf = ({ metadata }: Json): string => (isRecord(metadata) ? textOf(metadata['name']) : '')

function documentOf({ body }: BackendAnswer): Json {
  const document: unknown = parseJsonText(body.toString())
  if (!isRecord(document)) throw new Error('discovery is no object')
  return document
}

function versionOf(document: Json, at: GroupVersion): RemoteVersion | undefined {
  const groups = arrayOf(document['items']).filter(isRecord)
  const group = groups.find((one) => nameOf(one) === at.group)
  const versions = arrayOf(group?.['versions']).filter(isRecord)
  const found = versions.find(({ version }) => version === at.version)
  return found && remoteVersion(found, at)
}

function remoteVersion(found: Json, at: GroupVersion): RemoteVersion {
  const items = arrayOf(found['resources']).filter(isRecord).slice(0, resourcesMax)
  return {
    version: at.version,
    remoteResources: items.map((item) => resourceOf(item, at)),
    freshness: found['freshness'] === 'Stale' ? 'Stale' : 'Current',
  }
}

/** Only the fields of discovery, with their types: the backend may send anything. */
function resourceOf(item: Json, at: GroupVersion): Json {
  return {
    resource: textOf(item['resource']),
    responseKind: kindOf(item['responseKind'], at),
    scope: item['scope'] === 'Namespaced' ? 'Namespaced' : 'Cluster',
    singularResource: textOf(item['singularResource']),
    verbs: textsOf(item['verbs']),
    ...optional('shortNames', textsOf(item['shortNames'])),
    ...optional('categories', textsOf(item['categories'])),
    ...optional(
      'subresources',
      arrayOf(item['subresources'])
        .filter(isRecord)
        .map((subresource) => ({
          subresource: textOf(subresource['subresource']),
          responseKind: kindOf(subresource['responseKind'], at),
          verbs: textsOf(subresource['verbs']),
        })),
    ),
  }
}

/** The entries of an APIResourceList: `pods` and `pods/status` next to each other. */
function fromResourceList(items: readonly Json[], at: GroupVersion): Json[] {
  const resources = new Map<string, Json>()
  const subresources = new Map<string, Json[]>()
  for (const item of items.slice(0, resourcesMax)) {
    const [name = '', subresource] = textOf(item['name']).split('/')
    const home = { group: textOf(item['group']) || at.group, version: textOf(item['version']) || at.version }
    const responseKind = { ...home, kind: textOf(item['kind']) }
    const verbs = textsOf(item['verbs'])
    if (subresource !== undefined) {
      subresources.set(name, [...(subresources.get(name) ?? []), { subresource, responseKind, verbs }])
      continue
    }
    resources.set(name, {
      resource: name,
      responseKind,
      scope: item['namespaced'] === true ? 'Namespaced' : 'Cluster',
      singularResource: textOf(item['singularName']),
      verbs,
      ...optional('shortNames', textsOf(item['shortNames'])),
      ...optional('categories', textsOf(item['categories'])),
    })
  }
  return [...resources].map(([name, resource]) => ({
    ...resource,
    ...optional('subresources', subresources.get(name) ?? []),
  }))
}

function kindOf(value: unknown, at: GroupVersion): Json {
  if (!isRecord(value)) return { group: at.group, version: at.version, kind: '' }
  return {
    group: textOf(value['group']),
    version: textOf(value['version']),
    kind: textOf(value['kind']),
  }
}

const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const textsOf = (value: unknown): string[] => arrayOf(value).filter((one) => typeof one === 'string')
const optional = (name: string, values: readonly unknown[]): Json => (values.length > 0 ? { [name]: values } : {})
