import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defaultEmulation, type Emulation, type VersionInfo, versionInfo } from '../../lib/features/index.ts'

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

/** The version in the nearest package.json above this file. */
function packageVersion(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    try {
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string }
      if (version !== undefined) return version
    } catch {
      // Not in this folder: go up.
    }
  return '0.0.0'
}
