import type { EndpointSlice } from '../../../api/gen/discovery.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { isNamespaceTerminating, isNotFound } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

export interface SliceChanges {
  readonly create: readonly Frozen<EndpointSlice>[]
  readonly update: readonly Frozen<EndpointSlice>[]
  readonly delete: readonly Frozen<EndpointSlice>[]
}

/** Rejects at the first write that fails; a terminating namespace gets no new slices. */
export async function writeSlices(plan: SliceChanges, client: Client): Promise<void> {
  const slices = client.resource(resources.discovery.v1.endpointslices)
  for (const slice of plan.create) {
    try {
      await slices.create(slice)
    } catch (error) {
      if (isNamespaceTerminating(error)) return
      throw error
    }
  }
  for (const slice of plan.update) await slices.update(slice)
  for (const { metadata } of plan.delete) {
    const { namespace = '', name = '' } = metadata
    try {
      await slices.delete({ namespace, name })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}
