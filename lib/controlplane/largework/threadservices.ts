import type { Admission, AdmissionAttributes } from '../../admission/index.ts'
import type { AuthorizationResult, Authorizer } from '../../authz/index.ts'
import type { ApiObject, GroupResource } from '../../object/index.ts'
import type { Registry, ResourceHooks } from '../../registry/index.ts'
import { currentTask } from './currenttask.ts'
import type { AdmissionMessage, HookCall, HookName, LoopMethods, ThreadMethods } from './messages.ts'
import { receiveError } from './senterror.ts'
import { receiveObject, sendObject } from './sentobject.ts'
import type { WorkerChannel } from './workerchannel.ts'

/** A thread's end of the channel. */
export type Loop = WorkerChannel<LoopMethods, ThreadMethods>

/** Admission by the plugins of the event loop. */
export function createRemoteAdmission(loop: Loop): Admission {
  const ask = (phase: AdmissionMessage['phase'], attributes: AdmissionAttributes): Promise<Uint8Array | undefined> => {
    const { operation, kind, resource, subresource, namespace, name, dryRun, options, object, oldObject } = attributes
    return loop.call('admit', {
      task: currentTask().id,
      phase,
      operation,
      kind,
      resource,
      subresource,
      namespace,
      name,
      dryRun,
      options: options && sendObject(options),
      object: object && sendObject(object),
      oldObject: oldObject && sendObject(oldObject),
    })
  }
  return {
    handles: (operation) => currentTask().admits.includes(operation),
    async mutate(attributes) {
      const changed = await ask('mutate', attributes)
      if (changed && attributes.object) replaceContents(attributes.object, receiveObject(changed))
    },
    async validate(attributes) {
      await ask('validate', attributes)
    },
  }
}

/** Admission changes an object in place. */
function replaceContents(object: ApiObject, changed: ApiObject): void {
  for (const field of Object.keys(object)) if (!Object.hasOwn(changed, field)) Reflect.deleteProperty(object, field)
  for (const [field, value] of Object.entries(changed))
    Object.defineProperty(object, field, { value, enumerable: true, writable: true, configurable: true })
}

export function createRemoteAuthorizer(loop: Loop): Authorizer {
  return {
    name: 'event loop',
    async authorize(attributes): Promise<AuthorizationResult> {
      const answer = await loop.call('authorize', { task: currentTask().id, attributes })
      const { decision, reason, error } = answer
      return { decision, reason, ...(error && { error: receiveError(error) }) }
    },
  }
}

/** Installs the hooks that resources have on the event loop. */
export function hookRemotely(
  registry: Registry,
  hooks: readonly { readonly resource: GroupResource; readonly names: readonly HookName[] }[],
  loop: Loop,
): void {
  for (const { resource, names } of hooks) {
    const all = createRemoteHooks(resource, loop)
    const named = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name as HookName)))
    registry.resource(resource)?.hook(named as ResourceHooks)
  }
}

function createRemoteHooks(resource: GroupResource, loop: Loop): Required<ResourceHooks> {
  const callOf = (object: ApiObject, old: ApiObject | undefined, dryRun: boolean): HookCall => ({
    task: currentTask().id,
    resource,
    object: sendObject(object),
    old: old && sendObject(old),
    dryRun,
  })
  return {
    async allocate(object, old, { dryRun }) {
      const { object: allocated, allocates } = await loop.call('hook.allocate', callOf(object, old, dryRun))
      replaceContents(object, receiveObject(allocated))
      const { id: task } = currentTask()
      return allocates ? (isStored) => loop.call('hook.endAllocation', { task, isStored }) : undefined
    },
    authorize: (object, old, { dryRun }) => loop.call('hook.authorize', callOf(object, old, dryRun)),
    afterUpdate(object, old) {
      // The write is stored: a failure now must not refuse it.
      loop.call('hook.afterUpdate', callOf(object, old, false)).catch(() => {})
    },
    afterDelete: (object, { dryRun }) => loop.call('hook.afterDelete', callOf(object, undefined, dryRun)),
  }
}
