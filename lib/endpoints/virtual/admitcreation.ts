import type { ApiObject, GroupVersionKind, GroupVersionResource } from '../../object/index.ts'
import type { Call, CreateOrUpdateOptions } from '../../request/index.ts'
import { optionFields } from '../request/write.ts'
import type { VirtualKit } from './virtualhandler.ts'

/** Runs both phases of admission on a posted object that is not stored. */
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
