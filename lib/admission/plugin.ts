import type { ApiObject, GroupVersionKind, GroupVersionResource } from '../object/index.ts'
import type { UserInfo } from '../request/index.ts'

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** A write before it happens. `object` is in the version of the request; a mutating plugin may change it in place. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation
  readonly kind: GroupVersionKind
  readonly resource: GroupVersionResource
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly user: UserInfo
  readonly dryRun: boolean
  /** New object; undefined for DELETE. */
  readonly object: ApiObject | undefined
  /** Stored object; undefined for CREATE and CONNECT. */
  readonly oldObject: ApiObject | undefined
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: ApiObject | undefined
  readonly signal: AbortSignal
  warn(text: string): void
  annotate(key: string, value: string): void
}

/**
 * One admission plugin: it throws StatusError to refuse. It should return no promise unless it waits: every write would
 * pay for one.
 */
export interface AdmissionPlugin {
  readonly name: string
  handles(operation: AdmissionOperation): boolean
  mutate?(attributes: AdmissionAttributes): void | Promise<void>
  validate?(attributes: AdmissionAttributes): void | Promise<void>
}

/** The chain of all enabled plugins, as the registry calls it. */
export interface Admission {
  /** False: no plugin handles this operation, so the caller may skip building attributes. */
  handles(operation: AdmissionOperation): boolean
  mutate(attributes: AdmissionAttributes): void | Promise<void>
  validate(attributes: AdmissionAttributes): void | Promise<void>
}
