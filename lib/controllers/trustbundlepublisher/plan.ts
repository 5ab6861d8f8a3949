import type { ClusterTrustBundle } from '../../../api/gen/certificates.k8s.io/v1beta1.ts'
import type { Frozen } from '../../object/index.ts'

export interface Plan {
  /** To create, or with a uid to update; undefined: no change. */
  readonly write: Frozen<ClusterTrustBundle> | undefined
  /** Names of the signer's other bundles. */
  readonly remove: readonly string[]
}

/** `known`: all existing bundles. */
export function plan(wanted: Frozen<ClusterTrustBundle>, known: Iterable<Frozen<ClusterTrustBundle>>): Plan {
  const { signerName, trustBundle } = wanted.spec
  const own = Array.from(known).filter(({ spec }) => spec.signerName === signerName)
  const found = own.find(({ metadata }) => metadata.name === wanted.metadata.name)
  const isRight = found?.spec.trustBundle === trustBundle
  return {
    write: isRight ? undefined : found ? { ...found, spec: { ...found.spec, trustBundle } } : wanted,
    remove: own.flatMap(({ metadata: { name = '' } }) => (name === wanted.metadata.name ? [] : [name])),
  }
}
