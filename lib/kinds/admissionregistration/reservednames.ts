import type { KindDefinition } from '../definition.ts'

/** Suffix of the names of webhook configurations, policies and bindings from files. */
export const staticNameSuffix = '.static.k8s.io'

export const reservedNames: NonNullable<KindDefinition['reservedNames']> = {
  suffix: staticNameSuffix,
  gate: 'ManifestBasedAdmissionControlConfig',
  message: `names ending with "${staticNameSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`,
}
