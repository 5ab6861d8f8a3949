import type { Metrics } from '../base/index.ts'
import type { VersionInfo } from '../features/index.ts'

/** Gauges kubernetes_build_info and version_info, always 1. */
export function recordBuild(metrics: Metrics, version: VersionInfo): void {
  const labels = {
    build_date: version.buildDate,
    compiler: version.compiler,
    git_commit: version.gitCommit,
    git_tree_state: version.gitTreeState,
    git_version: version.gitVersion,
    go_version: version.goVersion,
    major: version.major,
    minor: version.minor,
    platform: version.platform,
  }
  metrics
    .gauge({
      name: 'kubernetes_build_info',
      help: 'What was built, from what and with what; always 1.',
      labels: Object.keys(labels),
      stability: 'BETA',
    })
    .set(Object.values(labels), 1)
  metrics
    .gauge({
      name: 'version_info',
      help: 'Versions that this is, behaves like, and gets along with; always 1.',
      labels: ['binary', 'component', 'emulation', 'min_compat'],
      stability: 'ALPHA',
    })
    .set(
      [
        `${version.major}.${version.minor}`,
        'kube',
        `${version.emulationMajor}.${version.emulationMinor}`,
        `${version.minCompatibilityMajor}.${version.minCompatibilityMinor}`,
      ],
      1,
    )
}
