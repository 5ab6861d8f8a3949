import { defaultEmulation, type Emulation, type VersionInfo, versionInfo } from '../../lib/features/index.ts'
import { packageVersion } from '../packageversion.ts'

/** The version of this program, run from its sources or from the published package. */
export function programVersion(emulation: Emulation = defaultEmulation): VersionInfo {
  const build = {
    packageVersion: packageVersion(),
    nodeVersion: process.version,
    platform: process.platform,
    arch: process.arch,
  }
  return versionInfo(build, emulation)
}
