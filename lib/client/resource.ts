import type { Closable } from '../base/index.ts'
import { type ApiObject, type Frozen, formatGroupVersion, type ResourceType, StatusError } from '../object/index.ts'
import type {
  Client,
  DeleteOptions,
  GetOptions,
  ListOptions,
  ObjectList,
  ObjectName,
  PatchOptions,
  PatchType,
  ResourceClient,
  SelectOptions,
  SubresourceClient,
  Transport,
  TransportRequest,
  WatchOptions,
  WatchSink,
  WriteOptions,
} from './contract.ts'

/** A client over a transport, which it owns. */
export function createClient(transport: Transport): Client {
  const made = new WeakMap<ResourceType<ApiObject>, ResourceRequests>()

  function requests(type: ResourceType<ApiObject>, partial: boolean): ResourceRequests {
    if (partial) return new ResourceRequests(transport, type, true)
    let known = made.get(type)
    if (!known) made.set(type, (known = new ResourceRequests(transport, type, false)))
    return known
  }

  return {
    // The server answers with objects of the resource's type.
    resource: <T extends ApiObject>(type: ResourceType<T>) =>
      requests(type as ResourceType, false) as never as ResourceClient<T>,
    metadata: (type) => requests(type, true) as never as ReturnType<Client['metadata']>,
    document: (path, { accept, signal } = {}) =>
      transport.send({ method: 'GET', url: path, signal, ...(accept === undefined ? {} : { accept }) }),
    close: () => transport.close(),
  }
}

const patchTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

const pageObjects = 500
/** Maximum number of attempts of a list whose token expires on the way. */
const listTriesMax = 3

type Address = Pick<TransportRequest, 'url' | 'name'>
type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Makes a request of every verb of one resource. */
class ResourceRequests implements ResourceClient<ApiObject> {
  readonly type: ResourceType<ApiObject>
  readonly #transport: Transport
  readonly #partial: boolean
  readonly #root: string

  constructor(transport: Transport, type: ResourceType<ApiObject>, partial: boolean) {
    this.#transport = transport
    this.type = type
    this.#partial = partial
    this.#root = type.group === '' ? `/api/${type.version}` : `/apis/${formatGroupVersion(type)}`
  }

  get(name: ObjectName, { resourceVersion, signal }: GetOptions = {}): Promise<Frozen<ApiObject>> {
    return this.#object({ method: 'GET', ...this.#address(name, '', { resourceVersion }), signal })
  }

  async list({ namespace, signal, ...options }: ListOptions = {}): Promise<ObjectList<ApiObject>> {
    const url = this.#collectionUrl(namespace, { ...options })
    // The answer to a list is a list.
    return (await this.#send({ method: 'GET', url, signal }, 'list')) as ObjectList<ApiObject>
  }

  async listAll(options: ListOptions = {}): Promise<ObjectList<ApiObject>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#listPages(options)
      } catch (error) {
        if (!(error instanceof StatusError) || error.code !== 410 || attempt === listTriesMax) throw error
      }
    }
  }

  async #listPages(options: ListOptions): Promise<ObjectList<ApiObject>> {
    const { limit = pageObjects, resourceVersion, resourceVersionMatch, ...rest } = options
    const freshness = {
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(resourceVersionMatch === undefined ? {} : { resourceVersionMatch }),
    }
    const first = await this.list({ ...rest, ...freshness, limit })
    if (!first.metadata.continue) return first
    const items = [...first.items]
    let { metadata } = first
    while (metadata.continue) {
      const page = await this.list({ ...rest, limit, continue: metadata.continue })
      for (const item of page.items) items.push(item)
      metadata = page.metadata
    }
    return { metadata, items }
  }

  create(object: Frozen<ApiObject>, options: WriteOptions = {}): Promise<Frozen<ApiObject>> {
    const { namespace } = object.metadata
    return this.#write('POST', { url: this.#collectionUrl(namespace, writeQuery(options)) }, object, options)
  }

  update(object: Frozen<ApiObject>, options: WriteOptions = {}): Promise<Frozen<ApiObject>> {
    return this.#write('PUT', this.#address(object.metadata, '', writeQuery(options)), object, options)
  }

  updateStatus(object: Frozen<ApiObject>, options: WriteOptions = {}): Promise<Frozen<ApiObject>> {
    return this.#write('PUT', this.#address(object.metadata, '/status', writeQuery(options)), object, options)
  }

  patch(name: ObjectName, type: PatchType, patch: unknown, options: PatchOptions = {}): Promise<Frozen<ApiObject>> {
    return this.#patch(name, '', type, patch, options)
  }

  patchStatus(
    name: ObjectName,
    type: PatchType,
    patch: unknown,
    options: PatchOptions = {},
  ): Promise<Frozen<ApiObject>> {
    return this.#patch(name, '/status', type, patch, options)
  }

  delete(name: ObjectName, options: DeleteOptions = {}): Promise<Frozen<ApiObject>> {
    const { signal, dryRun } = options
    return this.#object({ method: 'DELETE', ...this.#address(name, '', {}), ...deleteBody(options), signal, dryRun })
  }

  async deleteCollection(
    { namespace, signal: _, ...select }: SelectOptions = {},
    options: DeleteOptions = {},
  ): Promise<void> {
    const url = this.#collectionUrl(namespace, { ...select })
    await this.#send(
      { method: 'DELETE', url, ...deleteBody(options), signal: options.signal, dryRun: options.dryRun },
      'list',
    )
  }

  watch({ namespace, signal, bookmarks = true, ...options }: WatchOptions, sink: WatchSink<ApiObject>): Closable {
    const query = { ...options, allowWatchBookmarks: bookmarks, watch: true }
    const url = this.#collectionUrl(namespace, query)
    return this.#transport.watch({ method: 'GET', url, type: this.type, partial: this.#form('object'), signal }, sink)
  }

  subresource<Sub extends ApiObject>(subresource: string): SubresourceClient<Sub> {
    const path = `/${encodeURIComponent(subresource)}`
    const made: SubresourceClient<ApiObject> = {
      get: (name, { resourceVersion, signal } = {}) =>
        this.#object({ method: 'GET', ...this.#address(name, path, { resourceVersion }), signal }),
      create: (name, object, options = {}) =>
        this.#write('POST', this.#address(name, path, writeQuery(options)), object, options),
      update: (name, object, options = {}) =>
        this.#write('PUT', this.#address(name, path, writeQuery(options)), object, options),
      patch: (name, type, patch, options = {}) => this.#patch(name, path, type, patch, options),
    }
    return made as never as SubresourceClient<Sub> // the caller chose the type
  }

  #patch(
    name: ObjectName,
    path: string,
    type: PatchType,
    value: unknown,
    options: PatchOptions,
  ): Promise<Frozen<ApiObject>> {
    const { signal, dryRun, force } = options
    const address = this.#address(name, path, { ...writeQuery(options), force })
    return this.#object({ method: 'PATCH', ...address, body: { contentType: patchTypes[type], value }, signal, dryRun })
  }

  #write(
    method: 'POST' | 'PUT',
    address: Address,
    object: Frozen<ApiObject>,
    { signal, dryRun }: WriteOptions,
  ): Promise<Frozen<ApiObject>> {
    return this.#object({ method, ...address, object, signal, dryRun })
  }

  #object(request: Omit<TransportRequest, 'type' | 'partial'>): Promise<Frozen<ApiObject>> {
    return this.#send(request) as Promise<Frozen<ApiObject>> // the server answers one object here
  }

  #send(request: Omit<TransportRequest, 'type' | 'partial'>, form: 'object' | 'list' = 'object'): Promise<unknown> {
    return this.#transport.send({ ...request, type: this.type, partial: this.#form(form) })
  }

  #form(form: 'object' | 'list'): 'object' | 'list' | undefined {
    return this.#partial ? form : undefined
  }

  #address({ namespace, name }: ObjectName, path: string, query: Query): Address {
    if (name === undefined || name === '') throw new TypeError(`${this.type.kind}: the object has no name`)
    if (this.type.namespaced && !namespace) throw new TypeError(`${this.type.kind} ${name}: there is no namespace`)
    return {
      name: this.type.namespaced ? { namespace, name } : { name },
      url: `${this.#collectionPath(namespace)}/${encodeURIComponent(name)}${path}${queryText(query)}`,
    }
  }

  #collectionUrl(namespace: string | undefined, query: Query): string {
    return this.#collectionPath(namespace) + queryText(query)
  }

  #collectionPath(namespace: string | undefined): string {
    const { namespaced, resource } = this.type
    if (!namespaced || !namespace) return `${this.#root}/${resource}`
    return `${this.#root}/namespaces/${encodeURIComponent(namespace)}/${resource}`
  }
}

function writeQuery({ dryRun, fieldManager, fieldValidation }: WriteOptions): Query {
  return { dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation }
}

function deleteBody({ dryRun, gracePeriodSeconds, propagationPolicy, uid, resourceVersion }: DeleteOptions): {
  readonly body?: NonNullable<TransportRequest['body']>
} {
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  }
  const value = {
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
  }
  if (Object.keys(value).length === 0) return {}
  return {
    body: { contentType: 'application/json', value: { kind: 'DeleteOptions', apiVersion: 'v1', ...value } },
  }
}

function queryText(query: Query): string {
  let text = ''
  for (const key in query) {
    const value = query[key]
    if (value === undefined || value === '') continue
    text += `${text === '' ? '?' : '&'}${key}=${encodeURIComponent(value)}`
  }
  return text
}
