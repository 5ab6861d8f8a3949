import { parseQuery, parseRequestInfo } from '../../../lib/request/index.ts'
import type { Outline } from '../recording/index.ts'
import type { Mapping } from './mapping.ts'
import type { RecordedCall } from './read.ts'

/** Objects of one watch, and events of one object, that are compared. */
const objectsMax = 10_000
const eventsMax = 1000

/**
 * The events of a watch by object, in their order. MODIFIED events that follow each other count once: how many there are
 * depends on controllers and on time.
 */
export class ObjectEvents {
  readonly #byObject = new Map<string, string[]>()

  add(event: string, { namespace = '', name }: Outline): void {
    if (name === undefined || event === 'BOOKMARK' || event === 'ERROR') return
    const key = `${namespace}/${name}`
    let events = this.#byObject.get(key)
    if (!events) {
      if (this.#byObject.size >= objectsMax) return
      this.#byObject.set(key, (events = []))
    }
    if (events.length < eventsMax && !(event === 'MODIFIED' && events.at(-1) === event)) events.push(event)
  }

  get objects(): Iterable<string> {
    return this.#byObject.keys()
  }

  of(object: string): readonly string[] {
    return this.#byObject.get(object) ?? []
  }
}

/** The objects that a recording writes itself: `group/resource/namespace/name`. Others depend on who else is there. */
export function writtenObjects(calls: readonly RecordedCall[]): ReadonlySet<string> {
  const written = new Set<string>()
  for (const { request, answer } of calls) {
    if (!answer || answer.status >= 300) continue
    const { verb, group, resource, namespace, name } = infoOf(request)
    if (!['create', 'update', 'patch', 'delete'].includes(verb)) continue
    const own = name === '' ? (answer.outline?.name ?? '') : name
    written.add(`${group}/${resource}/${resource === 'namespaces' ? '' : namespace}/${own}`)
  }
  return written
}

/** The objects of a watch that its recording writes. */
export function comparedObjects({ request, events }: RecordedCall, written: ReadonlySet<string>): readonly string[] {
  const { group, resource } = infoOf(request)
  return [...events.objects].filter((object) => written.has(`${group}/${resource}/${object}`))
}

function infoOf({ method, path, query }: RecordedCall['request']) {
  return parseRequestInfo(method, path, parseQuery(query))
}

/** The first object whose events differ, with both; undefined: there is none. */
export function differingEvents(
  recorded: ObjectEvents,
  actual: ObjectEvents,
  objects: readonly string[],
  { mapping, isFresh }: { readonly mapping: Mapping; readonly isFresh: boolean },
): string | undefined {
  for (const object of objects) {
    const wanted = recorded.of(object)
    const mapped = mapping.path(object)
    const all = actual.of(mapped)
    // A watch from a version that the other server never had begins with the objects that exist.
    const got = isFresh && all[0] === 'ADDED' && wanted[0] !== 'ADDED' ? all.slice(1) : all
    if (got.join(' ') !== wanted.join(' '))
      return `events of ${mapped.replace(/^\//, '')}: ${got.join(' ') || 'none'}, not ${wanted.join(' ')}`
  }
  return undefined
}
