/** CPU time in milliseconds that this thread has used: what a limit in a test is held against, as machines are busy. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** CPU time in milliseconds that this process has used, with all of its threads. */
export function processCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
