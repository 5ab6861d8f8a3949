import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Kernel clock ticks a second (USER_HZ). */
const ticksPerSecond = 100

function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The program's name may hold spaces: fields are counted from behind its closing bracket.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** A process and all its descendants. */
function family(root: number): number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      parents.set(Number(entry), Number(statFields(Number(entry))[1]))
    } catch {
      // It ended between the listing and the reading.
    }
  }
  const members = [root]
  for (const member of members) for (const [pid, parent] of parents) if (parent === member) members.push(pid)
  return members
}

/** User and system time that a process and its descendants have used, in microseconds. */
export function cpuMicroseconds(pid: number): number {
  let ticks = 0
  for (const member of family(pid)) {
    const fields = statFields(member)
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return (ticks * 1e6) / ticksPerSecond
}

/** Resident memory now and at its highest, in MB; `file`: pages of programs and of an embedded store's data file. */
export function memoryMb(pid: number): { resident: number; peak: number; file: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
  return { resident: read('VmRSS'), peak: read('VmHWM'), file: read('RssFile') }
}

/**
 * CPU time of each thread of a process, in microseconds: finer than the clock ticks of cpuMicroseconds, without threads
 * that have ended.
 */
function threadMicroseconds(pid: number): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [nanoseconds = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    times.set(thread, Number(nanoseconds) / 1000)
  }
  return times
}

/** CPU time in microseconds that the process uses while `work` runs, for spans shorter than a clock tick. */
export async function cpuOfSpan(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = threadMicroseconds(pid)
  await work()
  let total = 0
  for (const [thread, time] of threadMicroseconds(pid)) total += time - (before.get(thread) ?? 0)
  return total
}

/** Bytes that the process has read and written: over its connections, but for files. */
export function transferredBytes(pid: number): number {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  const read = (name: string): number => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(io)?.[1] ?? 0)
  return read('rchar') + read('wchar')
}

/** Number of the process' established connections to a port. */
export function connectionsOf(pid: number, port: number): number {
  const inodes = new Set<string>()
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]
      if (inode !== undefined) inodes.add(inode)
    } catch {
      // It was closed between the listing and the reading.
    }
  }
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const established = '01'
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[2]?.endsWith(remote) && fields[3] === established && inodes.has(fields[9] ?? '')).length
}
