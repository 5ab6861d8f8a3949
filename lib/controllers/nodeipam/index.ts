import type { Node } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, type ControllerDefinition, isNotFound, keyOf } from '../../controller/index.ts'
import { type Cidr, type Frozen, formatCidr, parseCidr, StatusError } from '../../object/index.ts'
import { type BlockSet, blockSetsOf } from './blockset.ts'

const { nodes: nodesType } = resources.core.v1

/** Assigns each node its blocks of pod addresses. */
export const nodeipam: ControllerDefinition = {
  name: 'node-ipam-controller',
  aliases: ['nodeipam'],
  account: 'node-controller',
  component: 'cidrAllocator',
  disabled: ({ allocateNodeCidrs }) => !allocateNodeCidrs,
  start(context) {
    const sets = blockSetsOf(context.settings)
    const nodes = context.informer(nodesType)
    /** Blocks of nodes that the informer may not show with them yet. */
    const given = new Map<string, readonly Cidr[]>()
    measure(context, sets)
    const queue = context.reconcile({
      name: 'node_ipam',
      workers: 30,
      async turn(name, { client }) {
        const node = nodes.get(name)
        if (node && blocksOf(node).length === 0) await give(context, client, sets, node, given)
      },
    })
    nodes.subscribe(({ object, deleted }) => {
      const name = keyOf(object)
      const blocks = blocksOf(object)
      if (deleted) {
        release(sets, blocks.length > 0 ? blocks : (given.get(name) ?? []))
        given.delete(name)
        return
      }
      if (blocks.length === 0) {
        queue.add(name)
        return
      }
      const texts = new Set(blocks.map(formatCidr))
      // Another writer assigned blocks: those allocated here are released.
      release(
        sets,
        (given.get(name) ?? []).filter((block) => !texts.has(formatCidr(block))),
      )
      given.delete(name)
      // The queue starts once all nodes are shown: the blocks of nodes are marked before any is allocated.
      occupy(sets, blocks)
    })
  },
}

function blocksOf({ spec }: Frozen<Node>): readonly Cidr[] {
  const texts = spec.podCIDRs?.length ? spec.podCIDRs : spec.podCIDR ? [spec.podCIDR] : []
  return texts.map(parseCidr).filter((block) => block !== undefined)
}

function occupy(sets: readonly BlockSet[], blocks: readonly Cidr[]): void {
  for (const block of blocks) for (const set of sets) set.occupy(block)
}

function release(sets: readonly BlockSet[], blocks: readonly Cidr[]): void {
  for (const block of blocks) for (const set of sets) set.release(block)
}

async function give(
  { events }: ControllerContext,
  client: Client,
  sets: readonly BlockSet[],
  node: Frozen<Node>,
  given: Map<string, readonly Cidr[]>,
): Promise<void> {
  const name = keyOf(node)
  const blocks = given.get(name) ?? allocate(sets)
  const say = (reason: string): void => events.event(node, 'Normal', reason, `Node ${name} status is now: ${reason}`)
  if (!blocks) {
    say('CIDRNotAvailable')
    throw new Error(`no block of addresses is left for the node ${name}`)
  }
  given.set(name, blocks)
  const texts = blocks.map(formatCidr)
  try {
    const metadata = { uid: node.metadata.uid, resourceVersion: node.metadata.resourceVersion }
    await client
      .resource(nodesType)
      .patch({ name }, 'strategic', { metadata, spec: { podCIDR: texts[0], podCIDRs: texts } })
  } catch (error) {
    // Without an answer the write may have succeeded, and after a conflict it is retried: the blocks stay allocated
    // until the informer shows those of the node.
    if (!(error instanceof StatusError) || keeping.has(error.reason)) throw error
    given.delete(name)
    release(sets, blocks)
    if (isNotFound(error)) return
    say('CIDRAssignmentFailed')
    throw error
  }
}

const keeping: ReadonlySet<string> = new Set(['Conflict', 'Timeout', 'ServerTimeout'])

/** Allocates one block of each range, or none. */
function allocate(sets: readonly BlockSet[]): readonly Cidr[] | undefined {
  const blocks: Cidr[] = []
  for (const set of sets) {
    const block = set.allocate()
    if (!block) {
      release(sets, blocks)
      return undefined
    }
    blocks.push(block)
  }
  return blocks
}

function measure({ metrics, signal }: ControllerContext, sets: readonly BlockSet[]): void {
  const about = (name: string, help: string) =>
    ({ name: `node_ipam_controller_${name}`, help, labels: ['clusterCIDR'], stability: 'ALPHA' }) as const
  const gauge = (name: string, help: string) => metrics.gauge(about(name, help))
  metrics
    .gauge({
      name: 'running_managed_controllers',
      help: 'Controllers that run in this process.',
      labels: ['manager', 'name'],
      stability: 'BETA',
    })
    .collect(() => [{ labels: ['kube-controller-manager', 'nodeipam'], value: signal.aborted ? 0 : 1 }])
  // The stock name has this spelling.
  const most = gauge('cirdset_max_cidrs', 'Number of blocks in a range.')
  for (const set of sets) most.set([formatCidr(set.range)], set.count)
  gauge('cidrset_usage_cidrs', 'The share of allocated blocks.').collect(() =>
    sets.map((set) => ({ labels: [formatCidr(set.range)], value: set.taken / set.count })),
  )
  const allocations = metrics.counter(about('cidrset_cidrs_allocations_total', 'Blocks that were allocated.'))
  const releases = metrics.counter(about('cidrset_cidrs_releases_total', 'Blocks that were released.'))
  const searches = metrics.histogram({
    ...about('cidrset_allocation_tries_per_request', 'Allocated blocks that were skipped before a free one.'),
    buckets: [1, 5, 25, 125, 625],
  })
  for (const set of sets) {
    const labels = [formatCidr(set.range)]
    set.measureBy({
      allocated(count, tries) {
        allocations.add(labels, count)
        if (tries !== undefined) searches.observe(labels, tries)
      },
      released: (count) => releases.add(labels, count),
    })
  }
}
