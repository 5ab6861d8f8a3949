import { StatusError } from '../object/index.ts'
import { redactText } from '../observe/index.ts'

/** The latest failure of a queue's turns. */
export interface ControllerFailure {
  readonly queue: string
  /** The key of the turn, most often namespace/name of an object; shortened to 300 characters. */
  readonly key: string
  /** Without the values that a validation refused; shortened to 500 characters. */
  readonly message: string
  /** Since the epoch. */
  readonly atMs: number
  /** Failures of that key since its last success. */
  readonly failures: number
  /** A later turn of the key succeeded. */
  readonly isOver: boolean
}

/** Keeps the latest failure of each queue. Keys and messages name objects, so not every user may read them. */
export interface FailureLog {
  /** `isMinor`: an ordinary event such as a conflict, which takes no other failure's place. */
  failed(
    failure: Omit<ControllerFailure, 'message' | 'isOver'> & { readonly error: unknown; readonly isMinor?: boolean },
  ): void
  /** A turn of a key that had failed succeeded. */
  recovered(queue: string, key: string): void
  /** The newest first. */
  latest(): readonly ControllerFailure[]
}

const queuesMax = 200
const keyCharactersMax = 300
const messageCharactersMax = 500

export function createFailureLog(): FailureLog {
  /** By queue, with the whole key; the queue that failed longest ago first. */
  const kept = new Map<
    string,
    { readonly key: string; readonly failure: ControllerFailure; readonly isMinor: boolean }
  >()
  return {
    failed({ queue, key, error, atMs, failures, isMinor = false }) {
      if (isMinor && kept.get(queue)?.isMinor === false) return
      kept.delete(queue)
      const failure: ControllerFailure = {
        queue,
        key: shorten(key, keyCharactersMax),
        message: shorten(messageOf(error), messageCharactersMax),
        atMs,
        failures,
        isOver: false,
      }
      kept.set(queue, { key, failure, isMinor })
      const [oldest] = kept.keys()
      if (kept.size > queuesMax && oldest !== undefined) kept.delete(oldest)
    },
    recovered(queue, key) {
      const found = kept.get(queue)
      if (found?.key === key) kept.set(queue, { ...found, failure: { ...found.failure, isOver: true } })
    },
    latest: () => Array.from(kept.values(), ({ failure }) => failure).reverse(),
  }
}

/** The document of /debug/controllers/failures. */
export function failuresDocument(failures: readonly ControllerFailure[]): object {
  return {
    failures: failures.map(({ atMs, ...failure }) => ({ ...failure, time: new Date(atMs).toISOString() })),
  }
}

/** Path of the page that serves it. */
export const failuresPath = '/debug/controllers/failures'

/** A quoted text, a number or a word; of any other value, such as an object, the end is not known. */
const refusedValue =
  /((?:Invalid|Unsupported|Duplicate) value: )("(?:[^"\\]|\\.)*"(?=[:,\]]|$)|[-\w.]+(?=[:,\]]|$)|[^]*)/g

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const reason = error instanceof StatusError && error.reason !== '' ? ` (${error.reason})` : ''
  // Before it is searched: a message may hold a whole object.
  return redactText(message.slice(0, 8 * messageCharactersMax)).replaceAll(refusedValue, '$1[redacted]') + reason
}

function shorten(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`
}
