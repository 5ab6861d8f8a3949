import type { Entry } from '../../cache/index.ts'
import { type ApiObject, formatGroupVersion, toResourceVersion } from '../../object/index.ts'
import type { ResourceRegistry } from '../../registry/index.ts'
import type { StructType } from '../../schema/index.ts'

/** Fields that identify objects and link them to others. */
const heldIdentity = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
].map((name) => `metadata.${name}`)

/** All metadata but managedFields, which are often half of an object and are rarely read. */
const heldMetadata = [...heldIdentity, 'metadata.labels', 'metadata.annotations']

/** Fields of a struct by how much of them a view keeps decoded. */
interface Shape {
  /** Kept whole; where they are absent, the object doesn't have them. */
  readonly whole: ReadonlySet<string>
  /** Kept in part, as views of their own. */
  readonly parts: ReadonlyMap<string, Shape>
  /** All fields of the struct. */
  readonly known: ReadonlySet<string>
}

/**
 * Objects of the cache for clients in this process, which keep many of them for long: an object of the hub version that
 * keeps some fields decoded, and decodes the entry whenever another field is read. It behaves like the object itself
 * (fields, spreading, comparing, JSON) and is read-only.
 *  For instance the endpoints controller keeps every pod for its labels, node and conditions: the view of a pod of 5 KB
 *  takes some 4 KB of memory, and the decoded object 30.
 */
export function createObjectViews(
  registry: ResourceRegistry,
  heldFields: readonly string[],
): (entry: Entry) => ApiObject {
  return createViews(registry, [...heldMetadata, ...heldFields])
}

/** The metadata of entries of any kind: labels and annotations are decoded on demand, too. */
export function createMetadataViews(registry: ResourceRegistry): (entry: Entry) => ApiObject['metadata'] {
  const view = createViews(registry, heldIdentity)
  return (entry) => view(entry).metadata
}

function createViews(registry: ResourceRegistry, held: readonly string[]): (entry: Entry) => ApiObject {
  const { gvk, struct } = registry.definition
  const read = registry.fieldReader(held)
  const apiVersion = formatGroupVersion(gvk)
  const { kind } = gvk
  let shape: Shape | undefined
  return (entry) => {
    // Defaults change nothing in a canonical object, so that its fields can be decoded one by one.
    if (!entry.canonical) return entry.object()
    shape ??= shapeOf(struct, ['apiVersion', 'kind', ...held])
    const { metadata, ...rest } = read(entry)
    const resourceVersion = toResourceVersion(entry.revision)
    return viewOf({ ...rest, apiVersion, kind, metadata: { ...metadata, resourceVersion } }, shape, () =>
      entry.object(),
    )
  }
}

function shapeOf(struct: StructType, paths: readonly string[]): Shape {
  const whole = new Set<string>()
  const below = new Map<string, string[]>()
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.')
    if (rest.length === 0) whole.add(name)
    else below.set(name, [...(below.get(name) ?? []), rest.join('.')])
  }
  const parts = new Map<string, Shape>()
  for (const [name, inner] of below) {
    const type = struct.byName.get(name)?.type
    if (type?.is !== 'struct') throw new Error(`${struct.name}: ${name} is no struct`)
    parts.set(name, shapeOf(type, inner))
  }
  return { whole, parts, known: new Set(struct.byName.keys()) }
}

/** The proxy has the type of its target. */
function viewOf<T extends object>(held: T, shape: Shape, object: () => object): T {
  const fields = held as Record<string, unknown>
  for (const [name, part] of shape.parts) {
    const value = fields[name]
    if (typeof value === 'object' && value !== null)
      fields[name] = viewOf(value, part, () => (object() as Record<string, object>)[name] ?? noFields)
  }
  return new Proxy<T>(held, new ViewHandler(shape, object) as ProxyHandler<T>)
}

const noFields = {}

class ViewHandler implements ProxyHandler<object> {
  readonly #shape: Shape
  readonly #object: () => object

  constructor(shape: Shape, object: () => object) {
    this.#shape = shape
    this.#object = object
  }

  get(held: object, key: string | symbol): unknown {
    return Reflect.get(this.#holder(held, key), key)
  }

  has(held: object, key: string | symbol): boolean {
    return Reflect.has(this.#holder(held, key), key)
  }

  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.#object())
  }

  getOwnPropertyDescriptor(held: object, key: string | symbol): PropertyDescriptor | undefined {
    const value = Reflect.getOwnPropertyDescriptor(this.#holder(held, key), key)
    return value && { ...value, configurable: true }
  }

  set(): boolean {
    return false
  }

  defineProperty(): boolean {
    return false
  }

  deleteProperty(): boolean {
    return false
  }

  setPrototypeOf(): boolean {
    return false
  }

  /** The object that answers for a field: the kept part, or the decoded object. */
  #holder(held: object, key: string | symbol): object {
    const { whole, parts, known } = this.#shape
    if (typeof key !== 'string' || whole.has(key) || !known.has(key)) return held
    return parts.has(key) && Object.hasOwn(held, key) ? held : this.#object()
  }
}
