import { configTables, tables } from '../../api/index.ts'
import { createScheme, type KindCodec } from '../scheme/index.ts'

/**
 * Kinds of configuration files, in addition to served ones. Create one to read a file. Files without kind and
 * apiVersion are refused: an emptied file would otherwise be valid and configure nothing.
 */
export function createConfigCodec(): KindCodec {
  const { objects } = createScheme({ tables: [...tables, ...configTables] })
  return {
    ...objects,
    decodeObject: (body, options) => objects.decodeObject(body, { ...options, needsTypeMeta: true }),
  }
}
