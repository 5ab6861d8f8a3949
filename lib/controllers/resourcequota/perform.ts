import type { ResourceQuota, ResourceQuotaStatus } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { isNotFound } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

/** Writes the status, unless another quota has the name by now. */
export async function perform(
  client: Client,
  quota: Frozen<ResourceQuota>,
  status: Frozen<ResourceQuotaStatus>,
): Promise<void> {
  try {
    await client.resource(resources.core.v1.resourcequotas).updateStatus({ ...quota, status })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
