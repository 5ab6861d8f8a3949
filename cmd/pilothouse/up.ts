import { parseFlags } from '../../lib/flags/index.ts'
import { isAnswered } from '../commandline.ts'
import { upFlags } from './flags.ts'

const usage = `Runs a control plane in one process, with everything it keeps in one folder.

Usage:
  pilothouse up                                          # keeps its data in ./.pilothouse
  pilothouse up --data-dir=/var/lib/pilothouse --secure-port=6443
  pilothouse up --etcd-servers=http://127.0.0.1:2379     # keeps objects in etcd instead

All flags of the API server are taken, too.
`

/** `pilothouse up`: returns the exit code. */
export async function up(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(upFlags, line)
  if (isAnswered(parsed, usage, upFlags)) return 0
  const { runUp } = await import('./runup.ts')
  return await runUp(parsed)
}
