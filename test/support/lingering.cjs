// What keeps a test process alive after its last test, and after which suite it was first there.

/** Notes what is open after each outermost suite of a mocha `runner`; `complaint()` names what is open now. */
module.exports = function trackLingering(runner) {
  /** Handles (sockets, servers, child processes) by the suite that left them open. */
  const leftBy = new WeakMap()
  /** For every type of resource (timers, too, which are no handles): how many there are, and who left more behind. */
  const types = new Map()

  const countByType = () => {
    const counts = new Map()
    for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1)
    return counts
  }
  // Not part of node's documented interface, but nothing else tells where a socket leads.
  const handles = () => process._getActiveHandles?.() ?? []

  runner.on('suite end', (suite) => {
    if (!suite.parent?.root) return
    for (const handle of handles()) if (!leftBy.has(handle)) leftBy.set(handle, suite.title)
    const counts = countByType()
    for (const type of new Set([...types.keys(), ...counts.keys()])) {
      const entry = types.get(type) ?? { count: 0, suites: [] }
      const count = counts.get(type) ?? 0
      if (count > entry.count) entry.suites.push(suite.title)
      if (count === 0) entry.suites = []
      entry.count = count
      types.set(type, entry)
    }
  })

  return () => {
    const byType = [...countByType()].map(([type, count]) => {
      const suites = types.get(type)?.suites ?? []
      return `  ${count} × ${type}${suites.length > 0 ? `, more of them after: ${suites.slice(-3).join('; ')}` : ''}`
    })
    const byHandle = handles()
      .filter((handle) => handle.fd === undefined || handle.fd > 2)
      .map((handle) => `  ${describe(handle)}, there after: ${leftBy.get(handle) ?? 'the last suite'}`)
    return ['Open after the last test:', ...byType, ...byHandle].join('\n')
  }
}

/** A line about a handle: where a socket leads, where a server listens, what a child process runs. */
function describe(handle) {
  const name = handle.constructor?.name ?? 'handle'
  if (handle.spawnargs) return `${name} ${handle.pid} (${handle.spawnargs.join(' ').slice(0, 200)})`
  if (handle.remoteAddress) return `${name} ${handle.localPort} -> ${handle.remoteAddress}:${handle.remotePort}`
  const at = typeof handle.address === 'function' ? handle.address() : undefined
  return at ? `${name} at ${typeof at === 'string' ? at : `${at.address}:${at.port}`}` : name
}
