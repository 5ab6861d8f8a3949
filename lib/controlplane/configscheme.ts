import { configTables, tables } from '../../api/index.ts'
import { createScheme, type Scheme } from '../scheme/index.ts'

/** Kinds of configuration files, beside those that are served. Make one where a file is to be read. */
export function createConfigScheme(): Scheme {
  return createScheme({ tables: [...tables, ...configTables] })
}
