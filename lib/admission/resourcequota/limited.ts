import type { QuotaScope } from '../../quota/index.ts'

/** A resource that may only be used in namespaces with a quota for it. */
export interface LimitedResource {
  readonly group: string
  readonly resource: string
  /** A resource name of a quota that contains any of these texts is limited. */
  readonly contains: readonly string[]
  /** Scopes in which objects need a quota with that scope. */
  readonly scopes: readonly QuotaScope[]
}
