import type { AdmissionOperation } from '../../admission/index.ts'
import type { AuthorizationAttributes, Decision } from '../../authz/index.ts'
import type { ServiceAddress } from '../../client/index.ts'
import type { Egress } from '../../egress/index.ts'
import type { FieldError, GroupResource, GroupVersionKind, GroupVersionResource, Revision } from '../../object/index.ts'
import type { Format, RequestInfo, ResponseHeaders, UserInfo } from '../../request/index.ts'
import type { WriteResult } from '../../storage/index.ts'
import type { ApiSettings } from '../apisettings.ts'
import type { SentError } from './senterror.ts'

/** Data of a thread's start. */
export interface ThreadData {
  readonly settings: ApiSettings
  /** Ways to conversion webhooks behind a proxy. */
  readonly selections: Egress['selections']
  /** Which hooks each resource has. */
  readonly hooks: readonly { readonly resource: GroupResource; readonly names: readonly HookName[] }[]
}

export type HookName = 'allocate' | 'authorize' | 'afterUpdate' | 'afterDelete'

/** A value of the store, or an entry of a cache, in a form that can be sent. */
export interface SentValue {
  readonly key: string
  readonly value: Uint8Array
  readonly createRevision: Revision
  readonly modRevision: Revision
  readonly stale: boolean
  readonly unreadable?: SentError
}

/** A custom resource's definition. `value`: absent when the thread has it already. */
export interface SentDefinition {
  readonly name: string
  readonly revision: Revision
  readonly value?: SentValue
}

export interface RequestTask {
  /** Identifies the task in its calls. */
  readonly id: number
  readonly method: string
  readonly url: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly remoteAddress: string
  readonly httpVersion: '1.1' | '2'
  readonly info: RequestInfo
  readonly user: UserInfo
  readonly receivedAtMs: number
  readonly auditId: string | undefined
  readonly audits: boolean
  readonly body: Uint8Array
  /** The object as the cache has it. */
  readonly entry: SentValue | undefined
  readonly admits: readonly AdmissionOperation[]
  readonly definition: SentDefinition | undefined
  /** The server's time. */
  readonly nowMs: number
}

export interface RequestAnswer {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: readonly Uint8Array[]
}

export interface ItemTask {
  readonly id: number
  readonly gvr: GroupVersionResource
  readonly format: Format
  readonly entry: SentValue
  readonly definition: SentDefinition | undefined
}

/** Methods of a thread, which the event loop calls. */
export type ThreadMethods = {
  /** Answers a request. */
  readonly request: { readonly takes: RequestTask; readonly gives: RequestAnswer }
  /** The client has left, or the request has timed out. */
  readonly abort: { readonly takes: { readonly id: number; readonly reason: string }; readonly gives: void }
  readonly item: { readonly takes: ItemTask; readonly gives: Uint8Array }
}

/** Identifies the task of a call. */
interface OfTask {
  readonly task: number
}

export interface AdmissionMessage extends OfTask {
  readonly phase: 'mutate' | 'validate'
  readonly operation: AdmissionOperation
  readonly kind: GroupVersionKind
  readonly resource: GroupVersionResource
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly dryRun: boolean
  /** JSON, like the objects. */
  readonly options: Uint8Array | undefined
  readonly object: Uint8Array | undefined
  readonly oldObject: Uint8Array | undefined
}

export interface HookCall extends OfTask {
  readonly resource: GroupResource
  readonly object: Uint8Array
  readonly old: Uint8Array | undefined
  readonly dryRun: boolean
}

interface SentAuthorization {
  readonly decision: Decision
  readonly reason: string
  readonly error: SentError | undefined
}

/** Methods of the event loop, which threads call. */
export type LoopMethods = {
  readonly 'store.get': { readonly takes: OfTask & { key: string }; readonly gives: SentRead }
  readonly 'store.create': {
    readonly takes: OfTask & { key: string; value: Uint8Array; ttlSeconds: number | undefined }
    readonly gives: SentWrite
  }
  readonly 'store.update': {
    readonly takes: OfTask & { key: string; value: Uint8Array; expected: Revision; ttlSeconds: number | undefined }
    readonly gives: SentWrite
  }
  readonly 'store.delete': { readonly takes: OfTask & { key: string; expected: Revision }; readonly gives: SentWrite }
  /** The object after the mutating plugins, if they may have changed it. */
  readonly admit: { readonly takes: AdmissionMessage; readonly gives: Uint8Array | undefined }
  readonly authorize: {
    readonly takes: OfTask & { attributes: AuthorizationAttributes }
    readonly gives: SentAuthorization
  }
  /** The object with its allocations. `allocates`: whether the write's outcome must be reported. */
  readonly 'hook.allocate': {
    readonly takes: HookCall
    readonly gives: { readonly object: Uint8Array; readonly allocates: boolean }
  }
  readonly 'hook.endAllocation': { readonly takes: OfTask & { isStored: boolean }; readonly gives: void }
  readonly 'hook.authorize': { readonly takes: HookCall; readonly gives: FieldError[] }
  readonly 'hook.afterUpdate': { readonly takes: HookCall; readonly gives: void }
  readonly 'hook.afterDelete': { readonly takes: HookCall; readonly gives: void }
  readonly warn: { readonly takes: OfTask & { text: string }; readonly gives: void }
  readonly annotate: { readonly takes: OfTask & { key: string; value: string }; readonly gives: void }
  readonly audit: { readonly takes: OfTask & { object: Uint8Array }; readonly gives: void }
  readonly step: {
    readonly takes: OfTask & { name: string; about: Readonly<Record<string, string | number>> | undefined }
    readonly gives: void
  }
  readonly resolve: {
    readonly takes: { readonly namespace: string; readonly name: string; readonly port: number }
    readonly gives: ServiceAddress
  }
}

export interface SentRead {
  readonly value: SentValue | undefined
  readonly revision: Revision
}

export type SentWrite =
  | Extract<WriteResult, { ok: true }>
  | { readonly ok: false; readonly current: SentValue | undefined; readonly revision: Revision }
