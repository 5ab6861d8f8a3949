// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as flowcontrolApiserverK8sIoV1 from '../flowcontrol.apiserver.k8s.io/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Settings of a level with a limit. */
export type LimitedPriorityLevelConfiguration = {
  /** Share of the server's seats, in relation to those of other levels. */
  assuredConcurrencyShares: number
  /** Treatment of requests beyond the limit. */
  limitResponse: flowcontrolApiserverK8sIoV1.LimitResponse
  /** How many percent of its seats other levels may borrow. Defaults to 0. */
  lendablePercent?: number
  /** Maximum number of borrowed seats, in percent of its own; unset is no limit. */
  borrowingLimitPercent?: number
}

/** A priority level: how many requests it may run at a time, and the treatment of the others. */
export type PriorityLevelConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The limits. */
  spec: PriorityLevelConfigurationSpec
  /** State of the level. */
  status: flowcontrolApiserverK8sIoV1.PriorityLevelConfigurationStatus
}

/** Limits of a priority level. */
export type PriorityLevelConfigurationSpec = {
  /** Exempt, whose requests never wait, or Limited. */
  type: string
  /** Settings of a Limited level. */
  limited?: LimitedPriorityLevelConfiguration
  /** Settings of an Exempt level. */
  exempt?: flowcontrolApiserverK8sIoV1.ExemptPriorityLevelConfiguration
}
