import assert from 'node:assert/strict'
import { programVersion } from '../../../cmd/apiserver/build.ts'
import { configure } from '../../../cmd/apiserver/configure.ts'
import { apiserverFlags } from '../../../cmd/apiserver/flags.ts'
import { checkFlags } from '../../../cmd/apiserver/rules.ts'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { parseFlags } from '../../../lib/flags/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'

describe('cmd: the certificate for aggregated servers', () => {
  for (const [given, missing] of [
    ['cert', 'key'],
    ['key', 'cert'],
  ] as const)
    it(`is none without --proxy-client-${missing}-file, and a warning says so`, async () => {
      const folder = scratchFolder('proxyclient')
      try {
        const line = ['--storage-backend=memory', `--cert-dir=${folder.path}`, `--proxy-client-${given}-file=/nowhere`]
        const parsed = parseFlags(apiserverFlags, line)
        checkFlags(parsed)
        const services = { clock: systemClock, random: systemRandom }
        const config = await configure(parsed.values, services, programVersion, parsed.given)
        assert.equal(config.aggregation?.proxyClient, undefined)
        assert.deepEqual(config.warnings, [
          `--proxy-client-${given}-file has no effect without --proxy-client-${missing}-file`,
        ])
      } finally {
        folder.remove()
      }
    })
})
