// features: the feature gates with their history as data, which of them are on, and the releases that can be
// emulated. Invariant: a gate's default is that of the release, derived from its history. Must not know what a
// gate does.

export { describeGate, unreadGates } from './effects.ts'
export { defaultEmulation, type Emulation, parseEmulation } from './emulation.ts'
export { createFeatureGates, type FeatureGates } from './gates.ts'
export {
  compareReleases,
  newestRelease,
  parseRelease,
  type Release,
  type VersionInfo,
  versionInfo,
} from './release.ts'
export { gateTable } from './table.ts'
