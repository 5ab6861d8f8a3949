import type { IPAddress, ServiceCIDR } from '../../../api/gen/networking.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, type ControllerDefinition, isNotFound, keyOf } from '../../controller/index.ts'
import { cidrContains, type Frozen, formatTime } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { addressOf, finalizer, plan, rangesOf } from './plan.ts'

const { ipaddresses, servicecidrs } = resources.networking.v1
const managedByLabel = 'ipaddress.kubernetes.io/managed-by'
const allocator = 'ipallocator.k8s.io'
const fieldManager = 'service-cidr-controller'

/** Keeps deleted ranges of service addresses while an address belongs to no other range. */
export const servicecidr: ControllerDefinition = {
  name: 'service-cidr-controller',
  account: 'service-cidrs-controller',
  component: 'service-cidr-controller',
  gates: ['MultiCIDRServiceAllocator'],
  start(context) {
    const cidrs = context.informer(servicecidrs)
    const addresses = context.informer(ipaddresses)
    const isOwn = ({ metadata }: Frozen<IPAddress>): boolean => metadata.labels?.[managedByLabel] === allocator
    /** Iterated, and only while a range is being deleted: there may be very many. */
    function* ownAddresses(): Generator<Frozen<IPAddress>> {
      for (const address of addresses.all()) if (isOwn(address)) yield address
    }
    const queue = context.reconcile({
      name: 'ipaddresses',
      workers: 5,
      retriesMax: 15,
      async turn(name, { client }) {
        const cidr = cidrs.get(name)
        if (!cidr) return {}
        const intention = plan(cidr, cidrs.all(), ownAddresses(), context.clock.now())
        if (intention.do === 'protect') await protect(context, client, cidr)
        else if (intention.do === 'keep') await writeReady(context, client, cidr, terminating)
        else if (intention.afterMs > 0) return { againAfterMs: intention.afterMs }
        else await release(client, cidr)
        return {}
      },
    })
    cidrs.subscribe(({ object }) => {
      // A change of another range may cover a terminating one, or uncover it.
      for (const cidr of cidrs.all()) if (cidr.metadata.deletionTimestamp !== undefined) queue.add(keyOf(cidr))
      queue.add(keyOf(object))
    })
    addresses.subscribe(({ object }) => {
      const ip = isOwn(object) ? addressOf(object) : undefined
      if (!ip) return
      for (const cidr of cidrs.all())
        if (cidr.metadata.deletionTimestamp !== undefined && rangesOf(cidr).some((range) => cidrContains(range, ip)))
          queue.add(keyOf(cidr))
    })
  },
}

interface Said {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

const ready: Said = { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' }
const terminating: Said = {
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
}

async function protect(context: ControllerContext, client: Client, cidr: Frozen<ServiceCIDR>): Promise<void> {
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
async function writeReady(
  { clock }: ControllerContext,
  client: Client,
  { metadata, status }: Frozen<ServiceCIDR>,
  said: Said,
): Promise<void> {
  const before = status?.conditions?.find(({ type }) => type === 'Ready')
  if (before?.status === said.status) return
  const { name = '' } = metadata
  const condition = { type: 'Ready', ...said, lastTransitionTime: formatTime(clock.now()) }
  const applied = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name },
    status: { conditions: [condition] },
  }
  await client.resource(servicecidrs).patchStatus({ name }, 'apply', applied, { fieldManager, force: true })
}

async function release(client: Client, { metadata }: Frozen<ServiceCIDR>): Promise<void> {
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
