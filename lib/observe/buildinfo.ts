import type { Metrics } from '../base/index.ts'
import type { VersionInfo } from '../features/index.ts'

/** Gauge kubernetes_build_info, always 1. */
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
      stability: 'ALPHA',
    })
    .set(Object.values(labels), 1)
}
