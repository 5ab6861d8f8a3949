import type { Scope } from '../../quota/index.ts'

/** A resource that may only be used in namespaces with a quota for it. */
export interface LimitedResource {
  readonly group: string
  readonly resource: string
  /** Texts of which any one in a name of a quota's resource makes it limited. */
  readonly contains: readonly string[]
  /** Scopes in which objects need a quota of that scope. */
  readonly scopes: readonly Scope[]
}
