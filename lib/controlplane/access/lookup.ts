import { type LegacyUse, type Lookup, lastUsedLabel } from '../../authn/index.ts'
import type { Logger } from '../../base/index.ts'
import { StatusError, statusErrors } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import { ownContext } from '../hooks/ownwrites.ts'

/**
 * Reads core objects from the cache, and unless `cachedOnly` missing ones from the store, as the cache may be behind.
 */
export function createLookup(registry: Registry, { cachedOnly = false } = {}): Lookup {
  return async (resource, namespace, name, signal) => {
    const stored = registry.resource({ group: '', resource })
    if (!stored) return undefined
    try {
      const { key } = stored.target(namespace, name)
      const known = stored.cache.peek(key)
      if (known || cachedOnly) return known?.object()
      const { entry } = await stored.cache.get(key, { at: { kind: 'latest' }, signal })
      return entry?.object()
    } catch (error) {
      // An object with a name that can't be part of a key does not exist.
      if (error instanceof StatusError && error.reason === 'BadRequest') return undefined
      throw error
    }
  }
}

const notesMax = 64

/**
 * Writes the day of use into the labels of secrets whose legacy tokens are used; a few at once, the rest another time.
 */
export function createLegacyNotes(registry: Registry, log: Logger): (use: LegacyUse) => void {
  const underWay = new Set<string>()

  async function note({ namespace, name, day }: LegacyUse): Promise<void> {
    const secrets = registry.resource({ group: '', resource: 'secrets' })
    await secrets?.update(
      secrets.target(namespace, name),
      {
        subresource: '',
        transform(existing) {
          if (existing === undefined) throw statusErrors.notFound({ group: '', resource: 'secrets' }, name)
          const object = structuredClone(existing.object)
          object.metadata.labels = { ...object.metadata.labels, [lastUsedLabel]: day }
          return object
        },
      },
      ownContext(),
    )
  }

  return (use) => {
    const key = `${use.namespace}/${use.name}`
    if (underWay.has(key) || underWay.size >= notesMax) return
    underWay.add(key)
    note(use)
      .catch((error: unknown) => log.verbose(2, "a token's use is not noted in its secret", { secret: key, error }))
      .finally(() => underWay.delete(key))
  }
}
