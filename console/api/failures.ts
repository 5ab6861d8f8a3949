import { records, text } from '../state/values.ts'
import { ApiError, actingUser, readJson } from './session.ts'

/** The latest failure of a controller's queue. */
export interface ControllerFailure {
  readonly queue: string
  readonly key: string
  readonly message: string
  readonly atMs: number
  readonly isOver: boolean
}

/** Failures by queue, or why they are not shown. */
export type Failures =
  | { readonly byQueue: ReadonlyMap<string, ControllerFailure> }
  | { readonly lack: 'forbidden' | 'elsewhere'; readonly user: string }

export const failuresPath = '/debug/controllers/failures'

/** Of the controllers in the process of this server. Throws ApiError where it does not answer. */
export async function readFailures(signal: AbortSignal): Promise<Failures> {
  try {
    const { failures } = await readJson(failuresPath, { signal })
    const found = records(failures).map(
      (failure): ControllerFailure => ({
        queue: text(failure['queue']),
        key: text(failure['key']),
        message: text(failure['message']),
        atMs: Date.parse(text(failure['time'])),
        isOver: failure['isOver'] === true,
      }),
    )
    return { byQueue: new Map(found.map((failure) => [failure.queue, failure])) }
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 0
    if (code === 403) return { lack: 'forbidden', user: actingUser.value }
    if (code === 404) return { lack: 'elsewhere', user: actingUser.value }
    throw error
  }
}
