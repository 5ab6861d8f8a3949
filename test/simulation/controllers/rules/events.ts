import type { Event, Secret } from '../../../../api/gen/core/v1.ts'
import { resources } from '../../../../api/gen/resources.ts'
import type { Clock, LogFields, Logger } from '../../../../lib/base/index.ts'
import { nameOf } from '../../../../lib/controller/index.ts'
import type { Frozen } from '../../../../lib/object/index.ts'
import type { Request } from '../network.ts'
import type { Write } from '../truth.ts'
import { Violation } from '../violation.ts'

const secretsName = nameOf(resources.core.v1.secrets)
const burst = 25
const refillMs = 300_000
const differentMax = 10
/** Shorter values may be words. */
const tellingLength = 12
const publicKeys = new Set(['namespace', 'ca.crt'])
const combined = '(combined from similar events): '

/** What one source has said of one object. */
interface Said {
  readonly sinceMs: number
  /** New events of each type, distinguished from repeated tries by their text and time. */
  readonly made: Map<string, Set<string>>
  /** By reason: the messages of events that stand for themselves. */
  readonly messages: Map<string, Set<string>>
}

/** No source floods an object with events, and nothing that a secret holds gets into events or logs. */
export class EventRules {
  readonly #clock: Clock
  readonly #said = new Map<string, Said>()
  readonly #secrets = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(): void {
    this.#said.clear()
    this.#secrets.clear()
  }

  written({ resource, after }: Write): void {
    if (resource !== secretsName || !after) return
    for (const [key, value] of Object.entries((after as Frozen<Secret>).data ?? {})) {
      if (publicKeys.has(key)) continue
      const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : Buffer.from(value as Uint8Array)
      for (const text of [bytes.toString(), bytes.toString('base64')])
        if (text.length >= tellingLength) this.#secrets.add(text)
    }
  }

  /** A manager is about to write an event. */
  asked(manager: string, { method, object, body }: Request): void {
    this.#mustKeep('an event', JSON.stringify(object ?? body?.value ?? ''))
    if (method === 'POST') this.#made(manager, object as Frozen<Event>)
  }

  #made(manager: string, event: Frozen<Event>): void {
    const { source, involvedObject: about, type = '', reason = '', message = '', firstTimestamp = '' } = event
    const key = `${manager} ${source?.component} ${about.kind} ${about.namespace}/${about.name} ${about.uid}`
    const nowMs = this.#clock.monotonicMs()
    const said = this.#said.get(key) ?? { sinceMs: nowMs, made: new Map(), messages: new Map() }
    this.#said.set(key, said)
    const made = said.made.get(type) ?? new Set()
    said.made.set(type, made.add(`${reason} ${message} ${firstTimestamp}`))
    if (made.size > burst + Math.ceil((nowMs - said.sinceMs) / refillMs))
      throw new Violation(`${key}: ${made.size} ${type} events`)
    if (message.startsWith(combined)) return
    const messages = said.messages.get(`${type} ${reason}`) ?? new Set()
    said.messages.set(`${type} ${reason}`, messages.add(message))
    // Ten minutes without a word begin a new count.
    if (messages.size > differentMax && nowMs - said.sinceMs < 2 * refillMs)
      throw new Violation(`${key}: ${messages.size} events ${reason} that say almost the same`)
  }

  /** A log that keeps every line to itself, once it has been looked at. */
  log(onViolation: (error: unknown) => void): Logger {
    const look = (message: string, fields: LogFields = {}): void => {
      if (this.#secrets.size === 0) return
      try {
        this.#mustKeep('a log', `${message} ${JSON.stringify(fields, shown)}`)
      } catch (error) {
        onViolation(error)
      }
    }
    const verbose = (_level: number, message: string, fields?: LogFields): void => look(message, fields)
    const log: Logger = {
      info: look,
      warn: look,
      error: look,
      verbose,
      lines: (all) => look(all.join('\n')),
      enabled: () => true,
      named: () => log,
    }
    return log
  }

  #mustKeep(where: string, text: string): void {
    for (const secret of this.#secrets)
      if (text.includes(secret)) throw new Violation(`${where} holds what a secret does: ${text.slice(0, 200)}`)
  }
}

function shown(_name: string, value: unknown): unknown {
  return value instanceof Error ? { text: String(value.stack), cause: value.cause } : value
}
