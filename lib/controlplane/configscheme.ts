import { configTables, tables } from '../../api/index.ts'
import { createScheme, type Scheme } from '../scheme/index.ts'

/**
 * Kinds of configuration files, beside those that are served. Make one where a file is to be read. Files
 * without kind and apiVersion are refused: an emptied file would be one that asks for nothing.
 */
export function createConfigScheme(): Scheme {
  const scheme = createScheme({ tables: [...tables, ...configTables] })
  return { ...scheme, decodeObject: (body, options) => scheme.decodeObject(body, { ...options, needsTypeMeta: true }) }
}
