/** One encoded request. */
export interface HttpRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
  /** From the request to the answer's head, and then between parts of its body. */
  readonly timeoutMs: number
  /** The answer's body goes on for as long as it likes, as that of a watch. */
  readonly isEndless?: boolean
}

/** Receives one answer. */
export interface AnswerSink {
  onHead(head: AnswerHead): void
  /** May be kept, and must not be changed. */
  onData(chunk: Buffer): void
  /** Once, at the end; nothing follows. With an error: there was no complete answer. */
  onEnd(error?: Error): void
}

export interface AnswerHead {
  readonly status: number
  /** '' for a header that is absent. `name` is in lower case. */
  header(name: string): string
}
