import type { ApiObject, GroupVersionKind, GroupVersionResource } from '../../object/index.ts'
import type { Call, CreateOrUpdateOptions } from '../../request/index.ts'
import { optionFields } from '../request/write.ts'
import type { VirtualKit } from './virtualhandler.ts'

/** Both phases of admission on an object that was posted, and is not going to be stored as it is. */
export function admitCreation(
  call: Call,
  kit: VirtualKit,
  what: { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource; readonly subresource?: string },
  object: ApiObject,
  options: CreateOrUpdateOptions,
): Promise<void> {
  const { namespace, name } = call.info
  const subject = {
    call,
    subresource: '',
    ...what,
    namespace,
    name: name === '' ? (object.metadata.name ?? '') : name,
    dryRun: options.dryRun,
    options: optionFields(options),
  }
  return kit.admit(subject, 'CREATE', object)
}
