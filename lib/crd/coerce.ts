import type { Slices } from '../base/index.ts'
import type { ApiObject } from '../object/index.ts'
import type { CustomMetadata } from './custommetadata.ts'
import { dropNulls } from './schema/defaults.ts'
import { coerceEmbedded } from './schema/embedded.ts'
import type { SchemaNode } from './schema/node.ts'
import { prune } from './schema/prune.ts'

/** Takes out of an object, in place, what the schema doesn't know; fills in no defaults, and judges nothing. */
export function* coerceInSlices(object: ApiObject, root: SchemaNode, metadata: CustomMetadata): Slices<void> {
  prune(root, object, undefined)
  yield
  dropNulls(root, object)
  yield
  if (root.below.embedded) coerceEmbedded(root, object, (holder) => metadata.coerceStored(holder))
}
