import { StartError } from '../../../lib/controlplane/index.ts'
import { StoreToolError } from '../../../lib/storetools/index.ts'
import { findCommand } from '../../commandline.ts'
import { check } from './check.ts'
import { compact } from './compact.ts'
import { defragment } from './defragment.ts'
import { get } from './get.ts'
import { history } from './history.ts'
import { list } from './list.ts'
import { members } from './members.ts'
import { migrate } from './migrate.ts'
import { restore } from './restore.ts'
import { snapshot } from './snapshot.ts'
import { status } from './status.ts'

const usage = `Looks after the store of a control plane: etcd (--etcd-servers) or the embedded one (--data-dir).

Usage:
  pilothouse store <command> [flags]

Commands:
  status       Shows the members, their sizes, and the revision
  members      Lists the members of an etcd cluster
  check        Reads every object, and reports problems
  get          Prints what a key holds
  list         Lists keys
  history      Prints the writes of a key
  compact      Drops old revisions
  defragment   Gives free space back, one member at a time
  snapshot     Writes all of it to a file, while it is in use
  restore      Fills an empty store from such a file
  migrate      Copies a store into an empty one of the other kind, also while it is in use

\`pilothouse store <command> --help\` describes a command.
`

const commands: Readonly<Record<string, (line: readonly string[]) => Promise<number>>> = {
  status,
  members,
  check,
  get,
  list,
  history,
  compact,
  defragment,
  snapshot,
  restore,
  migrate,
}

/** `pilothouse store`: returns the exit code. */
export async function store([given = '--help', ...rest]: readonly string[]): Promise<number> {
  if (given === '--help' || given === '-h' || given === 'help') {
    process.stdout.write(usage)
    return 0
  }
  const command = findCommand('store', commands, given)
  try {
    return await command(rest)
  } catch (error) {
    if (error instanceof StoreToolError) throw new StartError(error.message, { cause: error })
    throw error
  }
}
