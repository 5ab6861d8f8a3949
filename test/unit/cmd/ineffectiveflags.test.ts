import assert from 'node:assert/strict'
import { apiserverFlags } from '../../../cmd/apiserver/flags.ts'
import { type Flag, formatHelp, parseFlags } from '../../../lib/flags/index.ts'

describe('cmd: flags of the API server', () => {
  it('describes flags without effect in help, and reports in one line that they have none', () => {
    const help = formatHelp(apiserverFlags, 1000)
    const flags = new Map<string, Flag<unknown>>(
      Object.values(apiserverFlags).flatMap((group) => Object.entries(group)),
    )
    let told = 0
    for (const [name, flag] of flags) {
      if (flag.ineffective === undefined) continue
      const argument = ['true', 'false', '7s', '7', 'x'].find((each) => changes(flag, each))
      const { warnings } = parseFlags(apiserverFlags, [`--${name}=${argument}`])
      assert.deepEqual(
        warnings.filter((line) => line.includes('has no effect')),
        [`--${name} has no effect: ${flag.ineffective}`],
      )
      assert.ok(help.includes(`--${name}`), name)
      told++
    }
    assert.ok(told > 5)
  })
})

/** The argument is one that the flag takes, and another than its own. */
function changes(flag: Flag<unknown>, argument: string): boolean {
  try {
    return flag.show(flag.read(argument, undefined)) !== flag.show(flag.initial)
  } catch {
    return false
  }
}
