import type * as core from '../../api/gen/core/v1.ts'
import {
  type ApiObject,
  type LabelSelector,
  type LabelSelectorObject,
  type Labels,
  labelSelectorFromObject,
  statusErrors,
} from '../object/index.ts'
import type { AdmissionAttributes } from './plugin.ts'

/** A namespace, in a cache or in the store; undefined: there is none. */
export type FindNamespace = (
  name: string,
  signal: AbortSignal,
) => core.Namespace | undefined | Promise<core.Namespace | undefined>

/** Selectors of requests; undefined ones match everything. */
export interface Selectors {
  readonly namespaces: LabelSelector | undefined
  readonly objects: LabelSelector | undefined
}

/** Throws an Error for an invalid selector. */
export function readSelectors(of: {
  readonly namespaceSelector?: LabelSelectorObject
  readonly objectSelector?: LabelSelectorObject
}): Selectors {
  return { namespaces: read(of.namespaceSelector), objects: read(of.objectSelector) }
}

/** Undefined and {} are equivalent: defaults turn one into the other. */
function read(selector: LabelSelectorObject | undefined): LabelSelector | undefined {
  const parsed = selector && labelSelectorFromObject(selector)
  return parsed?.empty === false ? parsed : undefined
}

/** Without a promise when no namespace is needed. Rejects with 404 for a namespace that does not exist. */
export function isSelected(
  { namespaces, objects }: Selectors,
  attributes: AdmissionAttributes,
  find: FindNamespace,
): boolean | Promise<boolean> {
  if (objects && !matchesObjects(objects, attributes)) return false
  if (!namespaces) return true
  const { resource, subresource, operation, namespace, object, signal } = attributes
  const isNamespaces = resource.resource === 'namespaces'
  if (namespace === '' && !isNamespaces) return true
  if (isNamespaces && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'))
    return namespaces.matches(object?.metadata?.labels)
  const decide = (found: core.Namespace | undefined): boolean => {
    if (!found) throw statusErrors.notFound({ group: '', resource: 'namespaces' }, namespace)
    return namespaces.matches(found.metadata.labels)
  }
  const found = find(namespace, signal)
  return found instanceof Promise ? found.then(decide) : decide(found)
}

function matchesObjects(selector: LabelSelector, { object, oldObject }: AdmissionAttributes): boolean {
  const matches = (one: ApiObject | undefined): boolean => {
    // Options of a connection have no metadata.
    const metadata: { labels?: Labels } | undefined = one?.metadata
    return metadata !== undefined && selector.matches(metadata.labels)
  }
  return matches(object) || matches(oldObject)
}
