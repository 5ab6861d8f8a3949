import { systemClock } from '../../../lib/base/index.ts'
import { FlagError, parseFlags } from '../../../lib/flags/index.ts'
import { isAnswered } from '../../commandline.ts'
import { keepAliveDuring } from '../../keepaliveduring.ts'
import { endpointOf } from '../recording/access.ts'
import { replayFlags } from '../recording/flags.ts'
import { type Played, play } from './play.ts'
import { readRecording } from './read.ts'
import { createTarget } from './target.ts'

const usage = `Plays what \`pilothouse record\` wrote to a server, and lists answers that differ. It writes and deletes as the recorded client
did: play to a control plane of its own. Exits with 0 where all answers are the same, with 2 where some differ.

Usage:
  pilothouse up --data-dir=scratch --storage-backend=memory &
  pilothouse replay session.jsonl --kubeconfig=scratch/admin.kubeconfig
  pilothouse replay session.jsonl --kubeconfig=admin.conf --speed=0 --bodies
`

const differs = 2

/** `pilothouse replay`: returns the exit code. */
export async function replay(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(replayFlags, line)
  const { positional, values } = parsed
  if (isAnswered({ values, positional: [] }, usage, replayFlags)) return 0
  const [path, more] = positional
  if (path === undefined) throw new FlagError('must specify a recording')
  if (more !== undefined) throw new FlagError(`unexpected argument: ${more}`)
  if (values.kubeconfig === '') throw new FlagError('must specify --kubeconfig')
  const speed = Number(values.speed)
  if (values.speed.trim() === '' || !(speed >= 0 && speed <= 1000))
    throw new FlagError(`--speed: ${JSON.stringify(values.speed)} is not between 0 and 1000`)
  if (values.timeout < 1 || values.timeout > 3600) throw new FlagError('--timeout must be between 1 and 3600')
  const { calls, isTruncated } = await readRecording(path)
  const target = createTarget(await endpointOf(values.kubeconfig), values.timeout * 1000)
  try {
    const played = play({ clock: systemClock, target }, calls, { speed, comparesBodies: values.bodies })
    const counts = await keepAliveDuring(() => report(played))
    const end = isTruncated ? '; the recording is not complete' : ''
    process.stdout.write(`${calls.length} requests: ${counts.differing} differ, ${counts.skipped} not played${end}\n`)
    return counts.differing > 0 ? differs : 0
  } finally {
    target.close()
  }
}

async function report(played: AsyncIterable<Played>): Promise<{ differing: number; skipped: number }> {
  const rows: string[][] = [['LINE', 'REQUEST', 'RECORDED', 'REPLAYED']]
  const counts = { differing: 0, skipped: 0 }
  for await (const { call, skipped, recorded, actual, isSame } of played) {
    if (skipped !== undefined) counts.skipped++
    else if (isSame) continue
    else counts.differing++
    if (rows.length > rowsMax) continue
    const { method, path } = call.request
    rows.push([
      String(call.line),
      `${method} ${path}`,
      recorded,
      skipped === undefined ? actual : `not played: ${skipped}`,
    ])
  }
  if (rows.length > 1) process.stdout.write(table(rows))
  return counts
}

/** Rows of the table; all are counted. */
const rowsMax = 1000

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  )
  // Answers of a server are shown in a terminal.
  return `${lines.join('\n')}\n`.replaceAll(/[^\n\x20-\x7e]/g, '?')
}
