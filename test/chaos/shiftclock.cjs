// Shifts the wall clock of the process that loads this by the milliseconds in a file (PILOTHOUSE_CHAOS_CLOCK): a clock that
// somebody sets. Monotonic clocks go on.
const { readFileSync } = require('node:fs')

const file = process.env.PILOTHOUSE_CHAOS_CLOCK ?? ''
const RealDate = Date
let shiftMs = 0

function look() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    shiftMs = 0
  }
}

const now = () => RealDate.now() + shiftMs
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) => new target(...(given.length === 0 ? [now()] : given)),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
look()
setInterval(look, 100).unref()
