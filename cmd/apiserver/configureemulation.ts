import type { ApiserverConfig } from '../../lib/controlplane/index.ts'
import { defaultEmulation, parseEmulation } from '../../lib/features/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import { withFlagName } from './flagfiles.ts'
import type { ApiserverFlags } from './flags.ts'

/** Throws FlagError. */
export function emulationSettings(flags: ApiserverFlags): NonNullable<ApiserverConfig['emulation']> {
  const emulation = withFlagName('emulated-version', () =>
    parseEmulation(flags['emulated-version'], flags['min-compatibility-version']),
  )
  const servesNewerVersions = flags['emulation-forward-compatible']
  const servesNewerNamed = flags['runtime-config-emulation-forward-compatible']
  const isNewest = emulation.release.minor === defaultEmulation.release.minor
  if (isNewest && servesNewerVersions) throw new FlagError(noneNewer('EmulationForwardCompatible'))
  if (isNewest && servesNewerNamed) throw new FlagError(noneNewer('RuntimeConfigEmulationForwardCompatible'))
  return { ...emulation, servesNewerVersions, servesNewerNamed }
}

/** The stock server's message. */
function noneNewer(option: string): string {
  return `ServerRunOptions.${option} cannot be set to true if the emulation version is the same as the binary version`
}
