import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import { createMemoryStore } from '../../../lib/storage/index.ts'
import { testStore } from './suite.ts'

testStore('memory', {
  open: async () => createMemoryStore({ clock: systemClock, log: silentLogger }),
  ttl: { seconds: 1, waitMs: 5000 },
})
