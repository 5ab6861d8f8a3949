import type { Clock } from '../base/index.ts'
import { type Authorize, CelError } from '../cel/index.ts'
import { type ApiObject, jsonText } from '../object/index.ts'
import type { StructType } from '../schema/index.ts'
import { type Evaluated, outOfBudgetText } from './evaluate.ts'
import type { AdmissionAttributes } from './plugin.ts'
import type { ObjectVersions } from './versions.ts'

/** A request that is invented to try a policy or a webhook with. */
export interface DraftRequest {
  /** `object` is changed in place by mutations. */
  readonly attributes: AdmissionAttributes
  readonly params: ApiObject | null
  /** The namespace of the object, as far as expressions read it. */
  readonly namespace: ApiObject | null
  /** The type of the object; undefined: unknown, so that ApplyConfiguration fails. */
  readonly struct: StructType | undefined
}

export type DraftVerdict = 'holds' | 'refuses' | 'fails' | 'changes' | 'keeps' | 'value' | 'unused'

/** The outcome of one expression of a policy or webhook. */
export interface DraftFinding {
  /** Its place: `validations[0]`. */
  readonly place: string
  readonly expression: string
  readonly verdict: DraftVerdict
  /** Message, value, or error. */
  readonly text: string
  /** Reason of a refusal. */
  readonly reason?: string
  /** Cost units, with those of the variables that it read first, and how many it may cost. */
  readonly cost: number
  readonly costMax: number
}

/** The error of an expression; '' for a value. */
export function faultOf(outcome: Evaluated | undefined): string {
  if (!outcome || outcome.ok) return ''
  return outcome.kind === 'out_of_budget' ? outOfBudgetText : outcome.why
}

/** Fails: a draft is evaluated without any user's rights. */
export const authorizeNobody = (): Authorize => {
  throw new CelError('invalidArgument', 'the authorizer is not available here: only the server decides rights')
}

/** One version, whose objects are neither defaulted nor validated. */
export function draftVersions({ struct }: DraftRequest): ObjectVersions {
  return {
    served: () => undefined,
    equivalents: () => [],
    convert: (object) => object,
    encode: (object) => jsonText(object),
    // The tree has the kind of the object that it was made of.
    decode: (tree) => tree as unknown as ApiObject,
    struct: () => struct,
  }
}

/** Nothing else waits for this work: it pauses for no longer than it must. */
export const draftClock: Clock = {
  now: () => 0,
  monotonicMs: () => 0,
  threadCpuMs: () => 0,
  after: (_delayMs, run) => soon(run),
  every: (_periodMs, run) => soon(run),
  soon: (run) => soon(run),
  turn: (_sinceMs, run) => soon(run),
  sleep: () => Promise.resolve(),
}

function soon(run: () => void): { close(): void } {
  void Promise.resolve().then(run)
  return { close() {} }
}
