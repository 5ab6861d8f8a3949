import type { KeyToPath } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { isNotFound } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

/** Kinds of objects that values come from. */
export type SourceKind = 'configmap' | 'secret'
export type Values = ReadonlyMap<string, string>

/** The object or key that is missing, in the words of a kubelet. */
export class Missing extends Error {}

/** Reads ConfigMaps and Secrets of a namespace. Rejects with Missing. */
export interface Sources {
  all(kind: SourceKind, name: string | undefined, optional: boolean | undefined): Promise<Values>
  /** The files of a volume: all values, or those of `items`. */
  volume(
    kind: SourceKind,
    name: string | undefined,
    optional: boolean | undefined,
    items: readonly Frozen<KeyToPath>[] | undefined,
  ): Promise<Values>
}

export function createSources(namespace: string, client: Client): Sources {
  const all: Sources['all'] = async (kind, name = '', optional = false) => {
    try {
      if (kind === 'configmap') {
        const { data = {} } = await client.resource(resources.core.v1.configmaps).get({ namespace, name })
        return new Map(Object.entries(data))
      }
      const { data = {} } = await client.resource(resources.core.v1.secrets).get({ namespace, name })
      return new Map(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
    } catch (error) {
      if (!isNotFound(error)) throw error
      if (!optional) throw new Missing(`${kind} "${name}" not found`)
      return new Map()
    }
  }
  return {
    all,
    async volume(kind, name, optional, items) {
      const values = await all(kind, name, optional)
      if (items === undefined) return values
      const files = new Map<string, string>()
      for (const { key, path } of items) {
        const value = values.get(key)
        if (value !== undefined) files.set(path, value)
        else if (optional !== true)
          throw new Missing(`references non-existent ${kind === 'secret' ? 'secret' : 'config'} key: ${key}`)
      }
      return files
    },
  }
}
