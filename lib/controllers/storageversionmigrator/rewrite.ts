import type { Client, PartialObject } from '../../client/index.ts'
import { type ApiObject, type Frozen, type ResourceType, StatusError } from '../../object/index.ts'
import { isNewer } from './plan.ts'

const pageSize = 500
const writesAtOnce = 8
const fieldManager = 'storage-version-migrator-controller'

/**
 * Rewrites every object that was not written since `start`. An empty apply changes nothing, but the server writes an
 * object whose stored bytes differ from what it would store now. Rejects with the server's error, unless the object
 * was changed or deleted meanwhile: then it needs no rewrite.
 */
export async function rewriteAll(
  client: Client,
  type: ResourceType<ApiObject>,
  start: string,
  signal: AbortSignal,
): Promise<void> {
  const objects = client.metadata(type)
  let token: string | undefined
  do {
    const page = await objects.list({ limit: pageSize, continue: token, signal })
    const old = page.items.filter(({ metadata }) => !isNewer(metadata.resourceVersion, start)).values()
    const write = async (): Promise<void> => {
      for (const object of old) {
        signal.throwIfAborted()
        await rewrite(client, type, object)
      }
    }
    await Promise.all(Array.from({ length: writesAtOnce }, write))
    token = page.metadata.continue
  } while (token !== undefined && token !== '')
}

async function rewrite(
  client: Client,
  type: ResourceType<ApiObject>,
  { metadata }: Frozen<PartialObject>,
): Promise<void> {
  const { namespace, name, uid, resourceVersion } = metadata
  const patch = {
    apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: { namespace, name, uid, resourceVersion },
  }
  try {
    await client.metadata(type).patch(metadata, 'apply', patch, { fieldManager, force: false })
  } catch (error) {
    if (!(error instanceof StatusError) || (error.code !== 409 && error.code !== 404)) throw error
  }
}
