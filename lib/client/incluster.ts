import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../base/index.ts'
import { createFileCredentials } from './credentials.ts'
import type { ServerEndpoint } from './endpoint.ts'

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The API server of the cluster whose pod this process runs in. Rejects with an Error of one line outside of a pod. */
export async function loadInCluster(
  dependencies: { readonly clock: Clock },
  env: Readonly<Record<string, string | undefined>>,
  folder: string = accountFolder,
): Promise<ServerEndpoint> {
  const host = env['KUBERNETES_SERVICE_HOST'] ?? ''
  const port = env['KUBERNETES_SERVICE_PORT'] ?? ''
  if (host === '' || port === '')
    throw new Error('this is no pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set')
  const credentials = createFileCredentials(dependencies, { token: join(folder, 'token') })
  // An unreadable token is reported at once, not at the first request.
  await credentials.current()
  const ca = await readFile(join(folder, 'ca.crt'), 'utf8')
  return { url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`, ca, credentials }
}
