import type { Clock } from '../../base/index.ts'
import {
  type ApiObject,
  copyObject,
  type FieldError,
  fieldErrors,
  formatTime,
  StatusError,
  statusErrors,
} from '../../object/index.ts'
import type { ResourceRegistry } from '../../registry/index.ts'
import { adoptStored } from '../answer/written.ts'
import { writeContext } from '../request/write.ts'
import { readPodAction, succeed, withCondition } from './podaction.ts'
import type { VirtualHandler } from './virtualhandler.ts'

interface Binding extends ApiObject {
  target?: { kind?: string; name?: string }
}

interface PodSpec {
  nodeName?: string
  schedulingGates?: readonly unknown[]
}

const gvk = { group: '', version: 'v1', kind: 'Binding' }
const errorResource = { group: '', resource: 'pods/binding' }

interface BindingDependencies {
  readonly pods: ResourceRegistry
  readonly clock: Clock
  gate(name: string): boolean
}

/** POST to a pod's `binding`, and to `bindings`: assigns the pod to a node. */
export function createBindingHandlers({ pods, clock, gate }: BindingDependencies): VirtualHandler[] {
  const copiesLabels = gate('PodTopologyLabelsAdmission')
  const handler = (resource: string, subresource: string): VirtualHandler => ({
    gvr: { group: '', version: 'v1', resource },
    subresource,
    verbs: ['create'],
    namespaced: true,
    named: subresource !== '',
    async handle(call, kit) {
      const { object, options } = await readPodAction(call, kit, gvk, { resource, subresource })
      const binding: Binding = object
      check(binding)
      const { namespace = '', name = '' } = binding.metadata
      const written = await pods.update(
        pods.target(namespace, name),
        {
          subresource: 'binding',
          transform(existing) {
            if (!existing) throw statusErrors.notFound(pods.definition.gvr, name)
            return bind(existing.object, binding, { clock, copiesLabels })
          },
        },
        writeContext(call, options.dryRun),
      )
      adoptStored(pods, written)
      await succeed(call, kit)
    },
  })
  return [handler('pods', 'binding'), handler('bindings', '')]
}

/** Reports all errors in one 500, like the stock server. */
function check({ target }: Binding): void {
  const errors: FieldError[] = []
  const { kind = '', name = '' } = target ?? {}
  if (kind !== '' && kind !== 'Node') errors.push(fieldErrors.notSupported('target.kind', kind, ['Node', '<empty>']))
  if (name === '') errors.push(fieldErrors.required('target.name'))
  const texts = errors.map(({ field, message }) => `${field}: ${message}`)
  const [only] = texts
  if (only !== undefined) throw new StatusError(500, '', texts.length === 1 ? only : `[${texts.join(', ')}]`)
}

/** The pod with its node; the existing one is not changed. Throws 409 when it can't be bound. */
function bind(
  existing: ApiObject,
  { metadata, target }: Binding,
  { clock, copiesLabels }: { readonly clock: Clock; readonly copiesLabels: boolean },
): ApiObject {
  const pod = copyObject(existing)
  const { name = '', uid } = pod.metadata
  const spec = (pod['spec'] ??= {}) as PodSpec
  const refuse = (why: string): never => {
    throw statusErrors.conflict(errorResource, name, why)
  }
  if (metadata.uid && metadata.uid !== uid)
    refuse(`Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid ?? ''}`)
  const { resourceVersion } = existing.metadata
  if (metadata.resourceVersion && metadata.resourceVersion !== resourceVersion)
    refuse(
      `Precondition failed: ResourceVersion in precondition: ${metadata.resourceVersion}, ResourceVersion in object meta: ${resourceVersion ?? ''}`,
    )
  if (pod.metadata.deletionTimestamp !== undefined) refuse(`pod ${name} is being deleted, cannot be assigned to a host`)
  if (spec.nodeName) refuse(`pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`)
  if (spec.schedulingGates?.length) refuse(`pod ${name} has non-empty .spec.schedulingGates`)
  spec.nodeName = target?.name ?? ''
  if (metadata.annotations) pod.metadata.annotations = { ...pod.metadata.annotations, ...metadata.annotations }
  if (copiesLabels && metadata.labels) pod.metadata.labels = { ...metadata.labels, ...pod.metadata.labels }
  pod['status'] = withCondition(pod, { type: 'PodScheduled', status: 'True' }, formatTime(clock.now()))
  return pod
}
