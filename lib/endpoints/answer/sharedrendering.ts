import type { Entry } from '../../cache/index.ts'
import type { ApiObject, ListMeta } from '../../object/index.ts'
import type { Written } from '../../registry/index.ts'
import { withConversions } from '../../scheme/index.ts'
import type { Asked, Entries, Rendering, Send, WatchAnswer } from './rendering.ts'
import { sendObject } from './send.ts'
import { adoptWritten, readBack } from './written.ts'

/** The common part of all forms: `object` answers single objects. */
export abstract class SharedRendering implements Rendering {
  readonly walks: boolean = false
  protected readonly asked: Asked

  constructor(asked: Asked) {
    this.asked = asked
  }

  /** Throws ConversionNeeded. */
  protected abstract object(status: number, object: ApiObject): void | Promise<void>
  abstract prepareList(listed: Entries, metadata: ListMeta): Promise<Send>
  abstract watch(): WatchAnswer

  one(entry: Entry): void | Promise<void> {
    return this.unstored(200, entry.object())
  }

  written(status: number, written: Written): void | Promise<void> {
    const { endpoint } = this.asked
    return withConversions(() => {
      const left = readBack(endpoint, written)
      adoptWritten(endpoint, left)
      return this.object(status, left.object)
    })
  }

  unstored(status: number, object: ApiObject): void | Promise<void> {
    return withConversions(() => this.object(status, object))
  }

  outcome(status: ApiObject): void | Promise<void> {
    const { call, services, negotiated } = this.asked
    return sendObject(call, services.kindCodec, negotiated, 200, status)
  }

  async list(listed: Entries, metadata: ListMeta): Promise<void> {
    const send = await this.prepareList(listed, metadata)
    return send()
  }
}
