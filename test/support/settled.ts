import { resources } from '../../api/gen/resources.ts'
import type { Client } from '../../lib/client/index.ts'
import { keyOf, type Manager } from '../../lib/controller/index.ts'
import type { ApiObject, Frozen } from '../../lib/object/index.ts'
import { eventually } from './eventually.ts'

/** Longer than the pauses after the first six failures of a key together. */
const aheadMsDefault = 400

/**
 * Waits until the controllers' informers show all that the server stores, no controller has work that is due within `aheadMs`,
 * and nothing was written meanwhile: nothing happens from here on without a cause. Returns the revision.
 */
export async function settled(
  manager: Pick<Manager, 'informers' | 'nextWorkMs'>,
  client: Client,
  { aheadMs = aheadMsDefault }: { readonly aheadMs?: number } = {},
): Promise<number> {
  let revision = 0
  await eventually(async () => {
    revision = await revisionOf(client)
    const lagging = await laggingInformers(manager, client)
    if (lagging.length > 0) return `informers lag: ${lagging.join(', ')}`
    const nextMs = manager.nextWorkMs()
    if (nextMs <= aheadMs) return `a controller has work in ${nextMs} ms`
    const after = await revisionOf(client)
    return after === revision || `revision ${after} after ${revision}`
  }, 'the controllers are settled')
  return revision
}

/** The revision of the store: that of any list that is read from it. */
async function revisionOf(client: Client): Promise<number> {
  const { metadata } = await client.resource(resources.core.v1.namespaces).list({ limit: 1 })
  return Number(metadata.resourceVersion)
}

/** Resources of which an informer shows another state than the server. */
async function laggingInformers({ informers }: Pick<Manager, 'informers'>, client: Client): Promise<string[]> {
  const lagging: string[] = []
  for (const informer of informers()) {
    const { items } = await client.metadata(informer.type).listAll()
    if (versionsOf(items) !== versionsOf(informer.all())) lagging.push(informer.type.resource)
  }
  return lagging
}

function versionsOf(objects: Iterable<Frozen<Pick<ApiObject, 'metadata'>>>): string {
  const versions = Array.from(objects, (object) => `${keyOf(object)} ${object.metadata.resourceVersion}`)
  return versions.sort().join('\n')
}
