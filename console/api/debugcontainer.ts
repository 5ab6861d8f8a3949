import { fieldOf, records, text } from '../state/values.ts'
import { type Kind, objectPath } from './kinds.ts'
import { readJson, request } from './session.ts'

interface DebugContainer {
  readonly image: string
  /** The container whose processes it sees, where the runtime can do that. */
  readonly target: string
}

const pollMs = 500

/** Adds an ephemeral container with a terminal to the pod, as `kubectl debug -it` does, and returns its name. Throws ApiError. */
export async function addDebugContainer(
  kind: Kind,
  namespace: string,
  pod: string,
  { image, target }: DebugContainer,
): Promise<string> {
  const name = `debugger-${crypto.randomUUID().slice(0, 5)}`
  const container = {
    name,
    image,
    targetContainerName: target,
    stdin: true,
    tty: true,
    terminationMessagePolicy: 'File',
  }
  const path = `${objectPath(kind, namespace, pod)}/ephemeralcontainers?fieldManager=pilothouse-console`
  await request(path, {
    method: 'PATCH',
    contentType: 'application/strategic-merge-patch+json',
    body: JSON.stringify({ spec: { ephemeralContainers: [container] } }),
  })
  return name
}

/** Waits until the ephemeral container runs; answers why it never will, '' where it does. Throws ApiError. */
export async function debugContainerStart(
  kind: Kind,
  namespace: string,
  pod: string,
  name: string,
  closing: AbortSignal,
): Promise<string> {
  for (;;) {
    const object = await readJson(objectPath(kind, namespace, pod), { signal: closing })
    const statuses = records(fieldOf(object, 'status', 'ephemeralContainerStatuses'))
    const state = fieldOf(
      statuses.find((status) => status['name'] === name),
      'state',
    )
    if (fieldOf(state, 'running') !== undefined) return ''
    const ended = fieldOf(state, 'terminated')
    if (ended !== undefined) return text(fieldOf(ended, 'message')) || text(fieldOf(ended, 'reason'))
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
