import { programVersion } from './apiserver/build.ts'

/** The answer to `--version`: one line, or all of it as JSON for `--version=raw`. */
export function versionLine(form = 'true'): string {
  const version = programVersion()
  return form === 'raw' ? `${JSON.stringify(version, null, 2)}\n` : `Pilothouse ${version.gitVersion}\n`
}
