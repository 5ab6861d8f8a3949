import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createEmbeddedStore, type DataEncryptionKeys, parseDataEncryptionKeys } from '../../../lib/storage/index.ts'
import { testStore } from './suite.ts'

const keys = parseDataEncryptionKeys(randomBytes(32).toString('base64'))
const forms: Readonly<Record<string, DataEncryptionKeys | undefined>> = { embedded: undefined, encrypted: keys }

for (const [name, encryptionKeys] of Object.entries(forms))
  describe(`an embedded store in a folder: ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'pilothouse-embedded-'))
    let opened = 0
    after(() => rmSync(folder, { recursive: true, force: true }))
    testStore(name, {
      open: () =>
        createEmbeddedStore(
          { clock: systemClock, log: silentLogger, random: systemRandom },
          { directory: join(folder, String(opened++)), encryptionKeys },
        ),
      ttl: { seconds: 1, waitMs: 5000 },
    })
  })
