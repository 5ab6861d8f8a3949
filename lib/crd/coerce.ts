import type { ApiObject } from '../object/index.ts'
import type { CustomMetadata } from './custommetadata.ts'
import { dropNulls } from './schema/defaults.ts'
import { coerceEmbedded } from './schema/embedded.ts'
import type { SchemaNode } from './schema/node.ts'
import { prune } from './schema/prune.ts'

/** Removes from an object, in place, what the schema doesn't have; neither fills in defaults nor validates. */
export function coerce(object: ApiObject, root: SchemaNode, metadata: CustomMetadata): void {
  prune(root, object, undefined)
  dropNulls(root, object)
  if (root.below.embedded) coerceEmbedded(root, object, (holder) => metadata.coerceStored(holder))
}
