import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosEnvironment } from './environment.ts'
import type { Fault } from './faults.ts'

const members = ['etcd1', 'etcd2', 'etcd3']

/**
 * The disks of one member, of the leader, or of all are slow: strace makes every fsync and fdatasync of theirs take up to
 * half a second longer, as a worn or shared disk does. Members are otherwise at work, and answer what needs no disk. What
 * etcd measured itself says whether it was so.
 */
export const slowDisk: Fault = async (around, random) => {
  const { strace, cluster, leader } = around
  if (strace === undefined) return
  const delayMs = 50 + random.fraction() * 450
  const which = random.fraction()
  const chosen = which < 0.3 ? members : [which < 0.7 ? await leader() : members[Math.floor(random.fraction() * 3)]]
  const names = chosen.filter((name) => name !== undefined)
  const delayed = names.map((name) => delaySyncs(strace, cluster.pid(name) ?? 0, delayMs))
  await Promise.all(delayed.map(({ begun }) => begun))
  const before = await Promise.all(names.map((name) => syncsOf(around, name)))
  await sleep(6000)
  const after = await Promise.all(names.map((name) => syncsOf(around, name)))
  const texts = await Promise.all(delayed.map((each) => each.end()))
  return names.flatMap((name, index) => {
    const count = (after[index]?.count ?? 0) - (before[index]?.count ?? 0)
    const seconds = (after[index]?.seconds ?? 0) - (before[index]?.seconds ?? 0)
    // Those that were under way at the beginning were not delayed.
    if (count > 0 && (seconds * 1000) / count > delayMs / 2) return []
    return [
      `${name}: ${count} syncs took ${seconds.toFixed(3)} s, with ${delayMs.toFixed()} ms for each; ${texts[index]}`,
    ]
  })
}

interface Delay {
  /** On a busy machine strace takes its time. */
  readonly begun: Promise<unknown>
  /** Answers what strace had to say. */
  end(): Promise<string>
}

function delaySyncs(strace: string, pid: number, delayMs: number): Delay {
  const calls = 'fsync,fdatasync'
  const inject = `inject=${calls}:delay_exit=${Math.round(delayMs * 1000)}`
  const flags = ['-f', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', inject, '-p', String(pid)]
  const child = spawn(strace, flags, { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  const { promise: attached, resolve } = Promise.withResolvers<void>()
  child.stderr.on('data', (chunk) => {
    text = (text + String(chunk)).slice(0, 500)
    if (/ attached/.test(text)) resolve()
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()))
  return {
    begun: Promise.race([attached, ended, sleep(10_000)]),
    async end() {
      child.kill('SIGTERM')
      await ended
      return text.trim()
    },
  }
}

/** How many syncs of its log a member has done, and how long they took in all. */
async function syncsOf({ cluster }: ChaosEnvironment, name: string): Promise<{ count: number; seconds: number }> {
  const port = cluster.ports.etcd[Number(name.slice(4)) - 1]?.metrics
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const value = (suffix: string): number =>
    Number(new RegExp(`^etcd_disk_wal_fsync_duration_seconds_${suffix} (\\S+)$`, 'm').exec(text)?.[1])
  return { count: value('count'), seconds: value('sum') }
}
