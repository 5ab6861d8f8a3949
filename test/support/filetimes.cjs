// The time that each test file takes: by the clock, and of processors, which other work on the machine changes less.
const { readFileSync } = require('node:fs')
const { relative } = require('node:path')

/** Linux counts the time of ended children in hundredths of a second. */
const tickMs = 10

/** Follows a mocha `runner`; `total()` sums up the process so far, `table()` has a line a file, the most costly first. */
module.exports = function trackFileTimes(runner) {
  const byFile = new Map()
  let begun = { ms: 0, cpuMs: 0, childMs: 0 }

  runner.once('start', () => note('(loading)'))
  runner.on('suite', (suite) => {
    if (suite.parent?.root) begun = used()
  })
  runner.on('suite end', (suite) => {
    if (suite.parent?.root) note(relative(process.cwd(), suite.file ?? suite.title))
  })

  function note(file) {
    const now = used()
    const before = byFile.get(file) ?? { ms: 0, cpuMs: 0, childMs: 0 }
    byFile.set(file, {
      ms: before.ms + now.ms - begun.ms,
      cpuMs: before.cpuMs + now.cpuMs - begun.cpuMs,
      childMs: before.childMs + now.childMs - begun.childMs,
    })
  }

  return {
    total: () => {
      const { cpuMs, childMs } = used()
      return { cpuSeconds: (cpuMs + childMs) / 1000 }
    },
    table: () => {
      const rows = [...byFile].sort(([, a], [, b]) => b.cpuMs + b.childMs - a.cpuMs - a.childMs)
      const line = (cells) => cells.map((cell) => cell.padStart(9)).join('')
      const seconds = (ms) => (ms / 1000).toFixed(2)
      return [
        `${line(['clock', 'here', 'children'])}  seconds of each file`,
        ...rows.map(([file, { ms, cpuMs, childMs }]) => `${line([ms, cpuMs, childMs].map(seconds))}  ${file}`),
      ].join('\n')
    },
  }
}

/** Everything since the process began. */
function used() {
  const { user, system } = process.cpuUsage()
  return { ms: performance.now(), cpuMs: (user + system) / 1000, childMs: childCpuMs() }
}

/** Processor time of children that have ended; 0 where the machine doesn't say. */
function childCpuMs() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The name before the closing parenthesis may contain spaces; behind it the 14th and 15th fields are children's.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * tickMs
  } catch {
    return 0
  }
}
