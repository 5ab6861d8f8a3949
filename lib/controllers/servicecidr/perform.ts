import type { ServiceCIDR } from '../../../api/gen/networking.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, isNotFound } from '../../controller/index.ts'
import { type Frozen, formatTime } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { finalizer } from './plan.ts'

const { servicecidrs } = resources.networking.v1

const fieldManager = 'service-cidr-controller'

interface ReadyState {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

const ready: ReadyState = { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' }

export const terminating: ReadyState = {
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
}

export async function protect(context: ControllerContext, client: Client, cidr: Frozen<ServiceCIDR>): Promise<void> {
  try {
    const { finalizers = [], resourceVersion, name = '' } = cidr.metadata
    if (!finalizers.includes(finalizer))
      await client
        .resource(servicecidrs)
        .patch({ name }, 'merge', { metadata: { resourceVersion, finalizers: [...finalizers, finalizer] } })
    await writeReady(context, client, cidr, ready)
  } catch (error) {
    if (isNotFound(error)) return
    const message = `The ServiceCIDR Status can not be set to Ready: ${messageOf(error)}`
    context.events.event(cidr, 'Warning', 'KubernetesServiceCIDRError', message)
    throw error
  }
}

/** A condition of the same status stays, whatever its message: the API server writes it as well. */
export async function writeReady(
  { clock }: ControllerContext,
  client: Client,
  { metadata, status }: Frozen<ServiceCIDR>,
  state: ReadyState,
): Promise<void> {
  const before = status?.conditions?.find(({ type }) => type === 'Ready')
  if (before?.status === state.status) return
  const { name = '' } = metadata
  const condition = { type: 'Ready', ...state, lastTransitionTime: formatTime(clock.now()) }
  const applied = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name },
    status: { conditions: [condition] },
  }
  await client.resource(servicecidrs).patchStatus({ name }, 'apply', applied, { fieldManager, force: true })
}

export async function release(client: Client, { metadata }: Frozen<ServiceCIDR>): Promise<void> {
  const { name = '', resourceVersion, finalizers = [] } = metadata
  if (!finalizers.includes(finalizer)) return
  try {
    await client.resource(servicecidrs).patch({ name }, 'merge', {
      metadata: { resourceVersion, finalizers: finalizers.filter((each) => each !== finalizer) },
    })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
