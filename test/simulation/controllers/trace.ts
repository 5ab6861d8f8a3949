import { createHash, type Hash } from 'node:crypto'
import type { Clock } from '../../../lib/base/index.ts'

import type { ApiObject } from '../../../lib/object/index.ts'

import type { Request } from './network.ts'

const keptMax = 80

/** The writes of a run in their order: the last of them as text, all of them as a digest. */
export class Trace {
  readonly #clock: Clock
  #hash: Hash = createHash('sha256')
  #lines: string[] = []
  #startMs = 0
  /** How often a quota has refused what a manager wanted. */
  quotaRefusals = 0
  /** Keeps all lines. */
  keepsAll = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(): void {
    this.#hash = createHash('sha256')
    this.#lines = []
    this.quotaRefusals = 0
    this.#startMs = this.#clock.monotonicMs()
  }

  note(who: string, method: string, url: string, outcome: unknown, request?: Request): void {
    const seconds = ((this.#clock.monotonicMs() - this.#startMs) / 1000).toFixed(3)
    const line = `${seconds} ${who}: ${method} ${url}${what(outcome, request)}`
    this.#hash.update(line)
    this.#lines.push(line)
    if (!this.keepsAll && this.#lines.length > 2 * keptMax) this.#lines = this.#lines.slice(-keptMax)
  }

  get lines(): readonly string[] {
    return this.keepsAll ? this.#lines : this.#lines.slice(-keptMax)
  }

  /** The same for the same run. */
  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 16)
  }
}

/** Versions differ from run to run of one seed, as the store goes on. */
function what(outcome: unknown, request: Request | undefined): string {
  if (typeof outcome === 'string') return ` ${outcome.replaceAll(/(?<![\w-])\d{2,}(?![\w-])/g, '#')}`
  const name = (outcome as Partial<ApiObject> | undefined)?.metadata?.name
  const body = request?.body?.value
  const patch = body === undefined ? '' : ` ${JSON.stringify(body).replaceAll(/"resourceVersion":"\d+"/g, '')}`
  return `${name !== undefined && request?.method === 'POST' ? ` → ${name}` : ''}${patch.slice(0, 400)}`
}
