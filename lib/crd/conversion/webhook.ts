import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { Pauses } from '../../base/index.ts'
import { parseOwnObject } from '../../codec/index.ts'
import { type ApiObject, formatGroupVersion, type GroupVersion } from '../../object/index.ts'
import { ConversionNeeded, type HeldConversions } from '../../scheme/index.ts'
import { batchesOf } from './batches.ts'
import type { ConversionMemory, Converted } from './memory.ts'
import type { Subject } from './subject.ts'
import { type ConversionCallDependencies, WebhookCaller } from './webhookcaller.ts'

export interface ConversionDependencies extends ConversionCallDependencies {
  readonly memory: ConversionMemory
}

/** Maximum number of concurrent calls for one list. */
const callsMax = 4

/** Converts by a webhook and caches the answers for a while: an answer serves every reader of the same state. */
export interface WebhookConversion {
  /** Throws ConversionNeeded before the webhook has answered. `subject`: `object`. */
  convert(object: ApiObject, to: GroupVersion, subject: Subject): ApiObject
  /**
   * Calls the webhook for all unknown subjects, and holds the answers until they are released. Rejects with StatusError
   * 500.
   */
  prepare(subjects: readonly Subject[], to: GroupVersion): HeldConversions | Promise<HeldConversions>
  /** The JSON of a converted object that is held or cached, whatever its age. */
  item(key: string, to: GroupVersion): Uint8Array | undefined
  close(): void
}

/** `definition`: its name. `coerce`: prunes a converted object to the schema of its version. */
export function createWebhookConversion(
  definition: { readonly name: string; readonly uid: string; readonly generation: number },
  conversion: v1.WebhookConversion,
  dependencies: ConversionDependencies,
  coerce: (object: ApiObject, to: GroupVersion) => void,
): WebhookConversion {
  return new Webhook(definition, conversion, dependencies, coerce)
}

type Answers = ReadonlyMap<string, Converted>

interface Batch {
  readonly answer: Promise<Answers>
  ask(): Promise<void>
  giveUp(error: unknown): void
}

class Webhook implements WebhookConversion {
  readonly #caller: WebhookCaller
  readonly #dependencies: ConversionDependencies
  readonly #coerce: (object: ApiObject, to: GroupVersion) => void
  /** Prefix of all keys in the cache, which other definitions use as well. */
  readonly #prefix: string
  readonly #held = new Map<string, { readonly converted: Converted; holders: number }>()
  readonly #pending = new Map<string, Promise<Answers>>()

  constructor(
    definition: { readonly name: string; readonly uid: string; readonly generation: number },
    conversion: v1.WebhookConversion,
    dependencies: ConversionDependencies,
    coerce: (object: ApiObject, to: GroupVersion) => void,
  ) {
    const { name, uid, generation } = definition
    this.#caller = new WebhookCaller(name, conversion, dependencies)
    this.#dependencies = dependencies
    this.#coerce = coerce
    this.#prefix = `${name} ${uid} ${generation} `
  }

  convert(object: ApiObject, to: GroupVersion, subject: Subject): ApiObject {
    const key = this.#keyOf(subject.key, to)
    const known = this.#known(key)
    if (!known) throw new ConversionNeeded(this.#answerOf([subject], this.#pending.get(key), to).then(() => {}))
    const converted = parseOwnObject(known.item)
    const { labels, annotations } = converted.metadata
    const { labels: _labels, annotations: _annotations, ...kept } = object.metadata
    return {
      ...converted,
      apiVersion: formatGroupVersion(to),
      metadata: { ...kept, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) },
    }
  }

  prepare(subjects: readonly Subject[], to: GroupVersion): HeldConversions | Promise<HeldConversions> {
    const holding = new Map<string, Converted>()
    const wanted: Subject[] = []
    const due: Subject[] = []
    const missing = new Set<string>()
    const others = new Map<Promise<Answers>, Subject[]>()
    for (const subject of subjects) {
      const key = this.#keyOf(subject.key, to)
      const known = this.#known(key)
      const pending = known ? undefined : this.#pending.get(key)
      if (known) {
        holding.set(key, known)
        if (this.#dependencies.memory.isDue(key, known)) due.push(subject)
        continue
      }
      missing.add(key)
      if (!pending) wanted.push(subject)
      else others.set(pending, [...(others.get(pending) ?? []), subject])
    }
    if (due.length > 0) this.#askAll(due, to).catch(() => {}) // Until then, cached answers serve.
    if (missing.size === 0) return this.#hold(holding)
    const asked = [...others].map(([pending, waiting]) => this.#answerOf(waiting, pending, to))
    if (wanted.length > 0) asked.push(this.#askAll(wanted, to))
    return Promise.all(asked).then((answers) => {
      for (const answer of answers)
        for (const [key, converted] of answer) if (missing.has(key)) holding.set(key, converted)
      return this.#hold(holding)
    })
  }

  item(key: string, to: GroupVersion): Uint8Array | undefined {
    const own = this.#keyOf(key, to)
    return (this.#held.get(own)?.converted ?? this.#known(own))?.item
  }

  close(): void {
    this.#caller.close()
    this.#dependencies.memory.forget(this.#prefix)
  }

  #keyOf(key: string, { version }: GroupVersion): string {
    return `${this.#prefix}${version} ${key}`
  }

  /** A held answer is the newest one, while it is not too old. */
  #known(key: string): Converted | undefined {
    const remembered = this.#dependencies.memory.get(key)
    if (remembered) return remembered
    const held = this.#held.get(key)?.converted
    return held && this.#dependencies.clock.monotonicMs() < held.untilMs ? held : undefined
  }

  #hold(holding: ReadonlyMap<string, Converted>): HeldConversions {
    for (const [key, converted] of holding) {
      const held = this.#held.get(key)
      if (held?.converted === converted) held.holders++
      else this.#held.set(key, { converted, holders: (held?.holders ?? 0) + 1 })
    }
    let isHeld = true
    return {
      release: () => {
        if (!isHeld) return
        isHeld = false
        for (const key of holding.keys()) {
          const held = this.#held.get(key)
          if (held && --held.holders === 0) this.#held.delete(key)
        }
      },
    }
  }

  /**
   * Waits for `pending`, another reader's call with these subjects. It may fail for an object that is none of these.
   */
  async #answerOf(
    subjects: readonly Subject[],
    pending: Promise<Answers> | undefined,
    to: GroupVersion,
  ): Promise<Answers> {
    try {
      if (pending) return await pending
    } catch {
      // The subjects are requested separately below.
    }
    return await this.#askAll(subjects, to)
  }

  async #askAll(subjects: readonly Subject[], to: GroupVersion): Promise<Answers> {
    const batches = batchesOf(subjects).map((batch) => this.#begin(batch, to))
    const asked = Promise.all(batches.map(({ answer }) => answer))
    asked.catch(() => {}) // The failed worker reports it.
    const worker = async (): Promise<void> => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await batch.ask()
    }
    try {
      await Promise.all(Array.from({ length: Math.min(callsMax, batches.length) }, worker))
      return new Map((await asked).flatMap((answers) => [...answers]))
    } catch (error) {
      for (const batch of batches.splice(0)) batch.giveUp(error)
      throw error
    }
  }

  /** Starts a batch that other readers may wait for, too. */
  #begin(subjects: readonly Subject[], to: GroupVersion): Batch {
    const keys = subjects.map(({ key }) => this.#keyOf(key, to))
    const { promise: answer, resolve, reject } = Promise.withResolvers<Answers>()
    for (const key of keys) this.#pending.set(key, answer)
    const over = (): void => {
      for (const key of keys) if (this.#pending.get(key) === answer) this.#pending.delete(key)
    }
    answer.then(over, over)
    return {
      answer,
      ask: async () => {
        try {
          resolve(await this.#call(subjects, keys, to))
        } catch (error) {
          reject(error)
          throw error
        }
      },
      giveUp: reject,
    }
  }

  async #call(subjects: readonly Subject[], keys: readonly string[], to: GroupVersion): Promise<Answers> {
    const { clock, memory } = this.#dependencies
    const pauses = new Pauses(clock)
    const texts: Uint8Array[] = []
    for (const subject of subjects) {
      if (pauses.isDue) await pauses.pause()
      texts.push(await pauses.run(subject.text()))
    }
    const items = await this.#caller.convert(texts, to, (object) => this.#coerce(object, to))
    const answers = new Map<string, Converted>()
    for (const [index, item] of items.entries()) {
      const key = keys[index]
      if (key !== undefined) answers.set(key, memory.set(key, item))
    }
    return answers
  }
}
