import { type ListMeta, type Revision, StatusError } from '../../object/index.ts'
import { StoreError, type StoreErrorCode, UnreadableObject } from '../../storage/index.ts'

/** An error in a form that can be sent to another thread. */
export type SentError =
  | { readonly type: 'status'; readonly message: string; readonly code: number; readonly rest: StatusRest }
  | { readonly type: 'store'; readonly message: string; readonly code: StoreErrorCode; readonly revision?: Revision }
  | {
      readonly type: 'unreadable'
      readonly message: string
      readonly key: string
      readonly revision: Revision
      readonly transformation: string | undefined
    }
  | { readonly type: 'other'; readonly message: string; readonly stack: string | undefined }

interface StatusRest {
  readonly reason: StatusError['reason']
  readonly details: StatusError['details']
  readonly metadata: ListMeta
  /** Text of the error's cause, which callers log. */
  readonly cause: string | undefined
}

export function sendError(error: unknown): SentError {
  if (error instanceof StatusError) {
    const { message, code, reason, details, metadata, cause } = error
    return {
      type: 'status',
      message,
      code,
      rest: { reason, details, metadata, cause: cause === undefined ? undefined : textOf(cause) },
    }
  }
  if (error instanceof StoreError) {
    const { message, code, revision } = error
    return { type: 'store', message, code, ...(revision === undefined ? {} : { revision }) }
  }
  if (error instanceof UnreadableObject) {
    const { key, revision, transformation } = error
    return { type: 'unreadable', message: textOf(error.cause), key, revision, transformation }
  }
  return { type: 'other', message: textOf(error), stack: error instanceof Error ? error.stack : undefined }
}

export function receiveError(sent: SentError): Error {
  switch (sent.type) {
    case 'status': {
      const { reason, details, metadata, cause } = sent.rest
      return new StatusError(sent.code, reason, sent.message, {
        details,
        metadata,
        cause: cause === undefined ? undefined : new Error(cause),
      })
    }
    case 'store':
      return new StoreError(sent.code, sent.message, { revision: sent.revision })
    case 'unreadable':
      return new UnreadableObject(sent.key, sent.revision, new Error(sent.message), sent.transformation)
    case 'other': {
      const error = new Error(sent.message)
      if (sent.stack !== undefined) error.stack = sent.stack
      return error
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
