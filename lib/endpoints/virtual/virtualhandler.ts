import type { Admission } from '../../admission/index.ts'
import { yamlInlineBytesMax } from '../../codec/index.ts'
import { type ApiObject, type GroupVersionKind, type GroupVersionResource, statusErrors } from '../../object/index.ts'
import { type Call, type FieldValidationOption, type Negotiator } from '../../request/index.ts'
import { sendObject } from '../answer/send.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { type AdmissionSubject, mutate, validate } from '../request/admit.ts'
import { readObject } from '../request/body.ts'

/**
 * A resource that is not stored (a review), or a subresource that is not a part of its object (token, exec). It
 * declares its requests; `callVirtual` enforces that before `handle` runs.
 */
export interface VirtualHandler {
  readonly gvr: GroupVersionResource
  /** '' for the resource itself. */
  readonly subresource: string
  /** The authorization verbs for what `handle` does. */
  readonly verbs: readonly string[]
  /** Methods, where they differ from those of its verbs; absent: all but HEAD. */
  readonly methods?: readonly string[]
  /** Whether the path may continue behind the subresource. */
  readonly takesPath?: boolean
  /** Whether the path contains `namespaces/{namespace}/`. */
  readonly namespaced: boolean
  /** Whether the path has a name after the resource; true for subresources. */
  readonly named: boolean
  handle(call: Call, kit: VirtualKit): void | Promise<void>
}

/** The steps that virtual handlers share with stored resources. */
export interface VirtualKit {
  readonly admission: Admission
  /** The request's object, typed and with defaults. */
  read(call: Call, expected: GroupVersionKind, fieldValidation: FieldValidationOption): Promise<ApiObject>
  /** Runs both phases of admission on an object that is not stored. */
  admit(subject: AdmissionSubject, operation: 'CREATE' | 'CONNECT', object: ApiObject): Promise<void>
  respond(call: Call, status: number, object: ApiObject): void | Promise<void>
}

/** Throws 404 where the handler declares no such path, 405 for another verb or HEAD. */
export function callVirtual(handler: VirtualHandler, call: Call, kit: VirtualKit): void | Promise<void> {
  const { verbs, methods, namespaced, named, subresource, takesPath = false } = handler
  const { info } = call
  const segments = subresource !== '' ? 3 : named ? 2 : 1
  const { length } = info.parts
  if (length < segments || (length > segments && !takesPath) || (named && info.parts[1] === ''))
    throw statusErrors.noSuchResource()
  if (info.namespaced !== namespaced || (namespaced && info.namespace === '')) throw statusErrors.noSuchResource()
  const takesMethod = methods ? methods.includes(info.method) : info.method !== 'HEAD'
  if (!verbs.includes(info.verb) || !takesMethod) throw statusErrors.methodNotAllowed()
  return handler.handle(call, kit)
}

export function createVirtualKit({ kindCodec, admission }: EndpointServices, negotiator: Negotiator): VirtualKit {
  return {
    admission,
    async read(call, expected, fieldValidation) {
      const isYaml = negotiator.body(call.headers['content-type']) === 'yaml'
      if (isYaml && !call.objects && (await call.body()).length > yamlInlineBytesMax)
        throw statusErrors.tooLarge(`a ${expected.kind} in YAML has at most ${yamlInlineBytesMax} bytes`)
      const read = await readObject(call, kindCodec, { negotiator, gvk: expected }, fieldValidation, {
        largeWork: undefined,
      })
      return read()
    },
    async admit(subject, operation, object) {
      await mutate(admission, subject, operation, object, undefined)
      await validate(admission, subject, operation, object, undefined)
    },
    respond(call, status, object) {
      const negotiated = negotiator.response(call.headers['accept'])
      if (negotiated.transform) throw statusErrors.notAcceptable('the object can only be shown as it is')
      return sendObject(call, kindCodec, negotiated, status, object)
    },
  }
}
