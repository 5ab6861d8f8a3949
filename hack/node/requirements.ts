// Whether a real node can run on this machine.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The reason why no node can run here; undefined where one can, given its programs. */
export function nodeObstacle(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root of a Linux machine can start one'
  if (!existsSync('/sys/fs/cgroup/memory')) return 'its kubelet needs control groups of version 1'
  for (const program of ['ip', 'unshare', 'nsenter', 'flock'])
    if (spawnSync(program, ['--version']).error) return `${program} is not on PATH`
  // Containers of some hosts must not.
  const { status, stderr } = spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true'], { encoding: 'utf8' })
  return status === 0 ? undefined : stderr.trim()
}
