// Changes of one object that a button makes.
import { request } from './session.ts'
import { warningsOf } from './warnings.ts'

export async function merge(path: string, patch: unknown, signal?: AbortSignal): Promise<void> {
  await request(`${path}?fieldManager=pilothouse-console`, {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body: JSON.stringify(patch),
    ...(signal && { signal }),
  })
}

/** As `kubectl rollout restart` does it. */
export async function restart(path: string, signal?: AbortSignal): Promise<void> {
  const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() }
  await merge(path, { spec: { template: { metadata: { annotations } } } }, signal)
}

export async function scale(path: string, replicas: number): Promise<void> {
  await merge(`${path}/scale`, { spec: { replicas } })
}

export async function setCordoned(path: string, isCordoned: boolean, signal?: AbortSignal): Promise<void> {
  await merge(path, { spec: { unschedulable: isCordoned ? true : null } }, signal)
}

interface RemoveOptions {
  readonly propagationPolicy?: string
  /** Nothing is deleted: policies and webhooks are asked alone. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

/** Deletes the object with that uid and no later one of its name; '': whichever has the name. Returns the server's warnings. */
export async function remove(path: string, uid: string, options: RemoveOptions): Promise<readonly string[]> {
  const { propagationPolicy, dryRun = false, signal } = options
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(uid !== '' && { preconditions: { uid } }),
    ...(dryRun && { dryRun: ['All'] }),
  }
  return warningsOf(await request(path, { method: 'DELETE', body: JSON.stringify(body), ...(signal && { signal }) }))
}
