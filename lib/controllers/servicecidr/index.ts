import type { IPAddress } from '../../../api/gen/networking.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, keyOf } from '../../controller/index.ts'
import { cidrContains, type Frozen } from '../../object/index.ts'
import { protect, release, terminating, writeReady } from './perform.ts'
import { addressOf, plan, rangesOf } from './plan.ts'

const { ipaddresses, servicecidrs } = resources.networking.v1
const managedByLabel = 'ipaddress.kubernetes.io/managed-by'
const allocator = 'ipallocator.k8s.io'
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
