import { isRecord } from '../../../lib/base/index.ts'
import type { Outline } from '../recording/index.ts'

/** Values that differ from the recorded ones: uids, resourceVersions, continue tokens, names that the server made. */
export interface Mapping {
  /** Learns from the answers to the same request. */
  learn(recorded: Outline | undefined, actual: Outline | undefined): void
  path(path: string): string
  query(query: string): string
  body(value: unknown): unknown
}

/** Number of values that are kept, the newest. */
const valuesMax = 200_000
/** Names are replaced in any text of a body, these only in fields that hold them. */
const fieldsOf = { uid: /uid$/i, resourceVersion: /^resourceVersion$/ } as const

export function createMapping(): Mapping {
  const names = new BoundedMap()
  const uids = new BoundedMap()
  const versions = new BoundedMap()
  const tokens = new BoundedMap()

  const named = (text: string): string => names.get(text) ?? uids.get(text) ?? text
  const segment = (text: string): string => (named(text) === text ? text : encodeURIComponent(named(text)))
  function mapped(value: unknown, field: string): unknown {
    if (typeof value === 'string') {
      if (fieldsOf.resourceVersion.test(field)) return versions.get(value) ?? value
      if (fieldsOf.uid.test(field)) return uids.get(value) ?? value
      // Sentences of a server quote names.
      if (field === 'message') return value.replaceAll(/[\w.-]+/g, (word) => named(word))
      return names.get(value) ?? value
    }
    if (Array.isArray(value)) return value.map((item) => mapped(item, field))
    if (!isRecord(value)) return value
    const operation = operationField(value)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        mapped(member, name === 'value' ? (operation ?? name) : name),
      ]),
    )
  }

  return {
    learn(recorded, actual) {
      if (!recorded || !actual) return
      // A Status names what a request named.
      if (recorded.kind !== 'Status') names.set(recorded.name, actual.name)
      uids.set(recorded.uid, actual.uid)
      versions.set(recorded.resourceVersion, actual.resourceVersion)
      tokens.set(recorded.continue, actual.continue)
    },
    path: (path) => path.split('/').map(segment).join('/'),
    query(query) {
      const parameters = new URLSearchParams(query)
      const version = parameters.get('resourceVersion')
      // The other server may never have been at this version.
      if (version !== null && version !== '' && version !== '0') {
        const known = versions.get(version)
        if (known !== undefined) parameters.set('resourceVersion', known)
        else for (const name of ['resourceVersion', 'resourceVersionMatch']) parameters.delete(name)
      }
      const token = parameters.get('continue')
      if (token !== null) parameters.set('continue', tokens.get(token) ?? token)
      const fields = parameters.get('fieldSelector')
      if (fields !== null)
        parameters.set(
          'fieldSelector',
          fields.replaceAll(/[^=!,]+/g, (text) => named(text)),
        )
      return parameters.toString()
    },
    body: (value) => mapped(value, ''),
  }
}

/** The field that an operation of a JSON patch sets. */
function operationField({ op, path }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof op === 'string' && typeof path === 'string' ? path.slice(path.lastIndexOf('/') + 1) : undefined
}

/** Pairs of texts that differ. */
class BoundedMap {
  readonly #values = new Map<string, string>()

  get(recorded: string): string | undefined {
    return this.#values.get(recorded)
  }

  set(recorded: string | undefined, actual: string | undefined): void {
    if (recorded === undefined || actual === undefined) return
    this.#values.delete(recorded)
    if (recorded === actual) return
    this.#values.set(recorded, actual)
    const [oldest] = this.#values.keys()
    if (this.#values.size > valuesMax && oldest !== undefined) this.#values.delete(oldest)
  }
}
