// The messages between the page and the thread of its try-out box. The page reads the types of this file.
import type { KindSchema } from './openapischema.ts'

/** The texts that the user typed. YAML or JSON, except for expressions; '' where there is none. */
export interface TryoutQuestion {
  readonly of: 'expression' | 'policy' | 'webhook' | 'definition'
  /** The expression, the policy, the configuration of webhooks, or the CustomResourceDefinition. */
  readonly draft: string
  readonly object: string
  readonly oldObject: string
  readonly params: string
  /** The namespace of the object. Without one, expressions read its name and the label that every namespace has. */
  readonly namespaceObject: string
  /** For an expression: expressions by the name under which it reads them as `variables`. */
  readonly variables: string
  readonly operation: string
  readonly user: string
  /** Names of groups, between commas. */
  readonly groups: string
  /** Plural name in URLs of the object's kind; '' where it is unknown. */
  readonly resource: string
  /** The schema of the object, from the OpenAPI document of its group; undefined where it is unknown. */
  readonly schema: KindSchema | undefined
}

/** The outcome of one expression. */
export interface TryoutFinding {
  readonly place: string
  readonly expression: string
  readonly verdict: 'holds' | 'refuses' | 'fails' | 'changes' | 'keeps' | 'value' | 'unused' | HookVerdict
  readonly text: string
  readonly reason?: string
  /** Undefined where only the cost of several expressions together is known. */
  readonly cost: number | undefined
  readonly costMax: number
}

/** The server's decision about a webhook, as DraftHook's of lib/admission. */
export type HookVerdict = 'called' | 'exempt' | 'unselected' | 'unmet' | 'refused' | 'ignored' | 'invalid'

export interface TryoutReport {
  /** Why nothing could be tried; the rest is empty then. */
  readonly problem: string
  /** The effect of a policy on the request; '' for an expression. */
  readonly verdict: '' | 'allowed' | 'refused' | 'unselected' | 'unmet'
  readonly findings: readonly TryoutFinding[]
  /** Number of further findings, which are left out. */
  readonly left: number
  /** The AdmissionReviews for the webhooks that would be called, as YAML documents; '' for none. */
  readonly reviews: string
  /** The object before and after mutations, as YAML. */
  readonly changed: { readonly before: string; readonly after: string } | undefined
}
