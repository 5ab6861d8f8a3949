// A terse mocha reporter: one line per failing, repeated or skipped test. In the file that PILOTHOUSE_COUNTS names, a line of
// JSON has the counts, these lines, and the failures. Beside that file, `<file>.now` names the test that runs, for whoever has
// to end a process that hangs. With PILOTHOUSE_TIMES, the time that each test file took is printed, the most costly ones first.
const { appendFileSync, writeFileSync } = require('node:fs')
const { reporters } = require('mocha')
const trackFileTimes = require('./filetimes.cjs')
const trackLingering = require('./lingering.cjs')

/** Most processes end at once after their last test. */
const lingerMs = 10_000
/** Where a try failed, what it left open keeps nothing else up, and no later try that passed from counting. */
const leftoverMs = 2000
const countsFile = process.env.PILOTHOUSE_COUNTS

module.exports = class TerseReporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options)
    const counts = { passed: 0, failed: 0, skipped: 0, slowest: [], notes: [], failures: [] }
    let hasLeftovers = false
    const note = (line) => {
      process.stdout.write(`  ${line}\n`)
      counts.notes.push(line)
    }
    const complaint = trackLingering(runner)
    const times = trackFileTimes(runner)
    runner.on('test', (test) => countsFile && writeFileSync(`${countsFile}.now`, test.fullTitle()))
    runner.on('pass', (test) => {
      counts.passed++
      counts.slowest.push([test.duration ?? 0, test.fullTitle()])
    })
    runner.on('fail', (test, error) => {
      hasLeftovers = true
      counts.failed++
      note(`FAILED ${test.fullTitle()}`)
      counts.failures.push({ title: test.fullTitle(), message: String(error?.message ?? error) })
    })
    runner.on('retry', (test, error) => {
      hasLeftovers = true
      note(`TRIED AGAIN ${test.fullTitle()}: ${error.message}`)
    })
    runner.on('pending', (test) => {
      counts.skipped++
      note(`SKIPPED ${test.fullTitle()}`)
    })
    runner.once('end', () => {
      if (this.failures.length > 0) reporters.Base.list(this.failures)
      counts.slowest = counts.slowest.sort((a, b) => b[0] - a[0]).slice(0, 3)
      Object.assign(counts, times.total())
      if (process.env.PILOTHOUSE_TIMES) process.stdout.write(`${times.table()}\n`)
      if (countsFile) appendFileSync(countsFile, `${JSON.stringify(counts)}\n`)
      if (hasLeftovers) setTimeout(() => process.exit(), leftoverMs).unref()
      else setTimeout(() => process.stdout.write(`${complaint()}\n`), lingerMs).unref()
    })
  }
}
