import type { Admission, AdmissionAttributes, AdmissionOperation } from '../../admission/index.ts'
import type { ApiObject, GroupVersionKind, GroupVersionResource } from '../../object/index.ts'
import type { Call, UserInfo } from '../../request/index.ts'

/** The common part of all calls of admission within one request. */
export interface AdmissionSubject {
  readonly call: Call
  readonly kind: GroupVersionKind
  readonly resource: GroupVersionResource
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly dryRun: boolean
  /** Fields of the options object. */
  readonly options: object
}

/**
 * Admission sees a PATCH or PUT as the operation that it results in: with the options of a creation where the object is
 * missing, else those of an update, and without a patch's `force`.
 */
const optionsKinds: Readonly<Record<AdmissionOperation, string | undefined>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
  CONNECT: undefined,
}

class Attributes implements AdmissionAttributes {
  readonly operation: AdmissionOperation
  readonly object: ApiObject | undefined
  readonly oldObject: ApiObject | undefined
  readonly #subject: AdmissionSubject

  constructor(
    subject: AdmissionSubject,
    operation: AdmissionOperation,
    object: ApiObject | undefined,
    oldObject: ApiObject | undefined,
  ) {
    this.#subject = subject
    this.operation = operation
    this.object = object
    this.oldObject = oldObject
  }
  get kind(): GroupVersionKind {
    return this.#subject.kind
  }
  get resource(): GroupVersionResource {
    return this.#subject.resource
  }
  get subresource(): string {
    return this.#subject.subresource
  }
  get namespace(): string {
    return this.#subject.namespace
  }
  get name(): string {
    return this.#subject.name
  }
  get dryRun(): boolean {
    return this.#subject.dryRun
  }
  get user(): UserInfo {
    return this.#subject.call.user
  }
  get signal(): AbortSignal {
    return this.#subject.call.signal
  }
  /** Options have no metadata: the one object of the API that has none. */
  get options(): ApiObject | undefined {
    const kind = optionsKinds[this.operation]
    if (kind === undefined) return undefined
    return { apiVersion: 'meta.k8s.io/v1', kind, ...this.#subject.options } as ApiObject
  }
  warn(text: string): void {
    this.#subject.call.warnings.add(text)
  }
  annotate(key: string, value: string): void {
    this.#subject.call.audit.annotate(key, value)
  }
}

/** Runs the mutating plugins on `object`, in place. */
export function mutate(
  admission: Admission,
  subject: AdmissionSubject,
  operation: AdmissionOperation,
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
): void | Promise<void> {
  if (admission.handles(operation)) return admission.mutate(new Attributes(subject, operation, object, oldObject))
}

/** Runs the validating plugins on the object to store. */
export function validate(
  admission: Admission,
  subject: AdmissionSubject,
  operation: AdmissionOperation,
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
): void | Promise<void> {
  if (admission.handles(operation)) return admission.validate(new Attributes(subject, operation, object, oldObject))
}
