import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { systemClock } from '../../../lib/base/index.ts'
import { loadKubeconfig, type ServerEndpoint } from '../../../lib/client/index.ts'
import { FlagError } from '../../../lib/flags/index.ts'

/** The server of a kubeconfig. Rejects with FlagError. */
export async function endpointOf(path: string): Promise<ServerEndpoint> {
  try {
    return await loadKubeconfig({ clock: systemClock, environment: process.env }, path)
  } catch (cause) {
    throw new FlagError(`--kubeconfig: ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** As kubectl finds it; of several, the first. */
export function usualKubeconfig(): string {
  const [first = ''] = (process.env['KUBECONFIG'] ?? '').split(delimiter)
  return first || join(homedir(), '.kube', 'config')
}
