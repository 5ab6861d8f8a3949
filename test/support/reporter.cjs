// A terse mocha reporter: one line per failing or skipped test, and the counts in the file that PILOTHOUSE_COUNTS names.
const { appendFileSync } = require('node:fs')
const { reporters } = require('mocha')

module.exports = class TerseReporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options)
    const counts = { passed: 0, failed: 0, skipped: 0, slowest: [] }
    runner.on('pass', (test) => {
      counts.passed++
      counts.slowest.push([test.duration ?? 0, test.fullTitle()])
    })
    runner.on('fail', (test) => {
      counts.failed++
      process.stdout.write(`  FAILED ${test.fullTitle()}\n`)
    })
    runner.on('pending', (test) => {
      counts.skipped++
      process.stdout.write(`  SKIPPED ${test.fullTitle()}\n`)
    })
    runner.once('end', () => {
      if (this.failures.length > 0) reporters.Base.list(this.failures)
      counts.slowest = counts.slowest.sort((a, b) => b[0] - a[0]).slice(0, 3)
      if (process.env.PILOTHOUSE_COUNTS) appendFileSync(process.env.PILOTHOUSE_COUNTS, `${JSON.stringify(counts)}\n`)
    })
  }
}
