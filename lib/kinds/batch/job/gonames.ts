import { batchV1 } from '../../../../api/batch/v1.ts'
import { coreV1 } from '../../../../api/core/v1.ts'
import { metaV1 } from '../../../../api/meta/v1.ts'
import { compileTables, type Type } from '../../../schema/index.ts'

const jobSpec = compileTables([batchV1, coreV1, metaV1]).struct('batch/v1.JobSpec')

/**
 * A value in the form of errors: with the field names of the internal type. `path`: its path in a job's spec. Keys of
 * maps are not field names, and types of metadata are the same in both forms.
 */
export function withGoNames(value: unknown, ...path: readonly string[]): unknown {
  const type = path.reduce<Type | undefined>(
    (parent, name) => (parent?.is === 'struct' ? parent.byName.get(name)?.type : undefined),
    jobSpec,
  )
  return type ? renamed(value, type) : value
}

function renamed(value: unknown, type: Type): unknown {
  if (value === undefined || value === null) return null
  if (type.is === 'list') return Array.isArray(value) ? value.map((item) => renamed(item, type.element)) : value
  if (typeof value !== 'object' || type.is === 'scalar' || type.is === 'any') return value
  if (type.is === 'struct' && type.name.startsWith('meta/')) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (type.is === 'map') return [key, renamed(inner, type.element)]
      const field = type.byName.get(key)
      return [key.slice(0, 1).toUpperCase() + key.slice(1), field ? renamed(inner, field.type) : inner]
    }),
  )
}
