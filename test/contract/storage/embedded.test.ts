import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createEmbeddedStore } from '../../../lib/storage/index.ts'
import { testStore } from './suite.ts'

describe('an embedded store in a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pilothouse-embedded-'))
  let opened = 0
  after(() => rmSync(folder, { recursive: true, force: true }))
  testStore('embedded', {
    open: () =>
      createEmbeddedStore(
        { clock: systemClock, log: silentLogger, random: systemRandom },
        { directory: join(folder, String(opened++)) },
      ),
    ttl: { seconds: 1, waitMs: 5000 },
  })
})
