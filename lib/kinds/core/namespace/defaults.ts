import type { ApiObject } from '../../../object/index.ts'
import type { NamespaceStatus } from './strategy.ts'

/** Every namespace has this label; selectors by name rely on it. */
const nameLabel = 'kubernetes.io/metadata.name'

export function defaultNamespace(object: ApiObject): void {
  labelWithName(object)
  const status = (object.status ??= {}) as NamespaceStatus
  if ((status.phase ?? '') === '') status.phase = 'Active'
}

export function labelWithName(object: ApiObject): void {
  const { name } = object.metadata
  if (name === undefined || name === '' || object.metadata.labels?.[nameLabel] === name) return
  object.metadata.labels = { ...object.metadata.labels, [nameLabel]: name }
}
