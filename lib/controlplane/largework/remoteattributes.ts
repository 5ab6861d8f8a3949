import type { AdmissionAttributes } from '../../admission/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { Call } from '../../request/index.ts'
import type { AdmissionMessage } from './messages.ts'
import { receiveObject } from './sentobject.ts'

/** A thread's write for the plugins of the event loop: an object is parsed when a plugin first reads it. */
export class RemoteAttributes implements AdmissionAttributes {
  readonly #request: AdmissionMessage
  readonly #call: Call
  #object: ApiObject | undefined
  #oldObject: ApiObject | undefined

  constructor(request: AdmissionMessage, call: Call) {
    this.#request = request
    this.#call = call
  }

  /** The object, if a plugin has read it and may have changed it. */
  get seenObject(): ApiObject | undefined {
    return this.#object
  }
  get object(): ApiObject | undefined {
    const { object } = this.#request
    return (this.#object ??= object && receiveObject(object))
  }
  get oldObject(): ApiObject | undefined {
    const { oldObject } = this.#request
    return (this.#oldObject ??= oldObject && receiveObject(oldObject))
  }
  get options(): ApiObject | undefined {
    const { options } = this.#request
    return options && receiveObject(options)
  }
  get operation(): AdmissionAttributes['operation'] {
    return this.#request.operation
  }
  get kind(): AdmissionAttributes['kind'] {
    return this.#request.kind
  }
  get resource(): AdmissionAttributes['resource'] {
    return this.#request.resource
  }
  get subresource(): string {
    return this.#request.subresource
  }
  get namespace(): string {
    return this.#request.namespace
  }
  get name(): string {
    return this.#request.name
  }
  get dryRun(): boolean {
    return this.#request.dryRun
  }
  get user(): AdmissionAttributes['user'] {
    return this.#call.user
  }
  get signal(): AbortSignal {
    return this.#call.signal
  }
  warn(text: string): void {
    this.#call.warnings.add(text)
  }
  annotate(key: string, value: string): void {
    this.#call.audit.annotate(key, value)
  }
}
