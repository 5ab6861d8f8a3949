// Reads one moment of the embedded store whose folder is its argument, and holds it until it is killed.
import { openEmbeddedReader } from '../../../lib/storage/index.ts'

const reader = await openEmbeddedReader(process.argv[2] ?? '')
const snapshot = reader.snapshot()
process.stdout.write(`holds revision ${snapshot.revision}\n`)
setInterval(() => snapshot.page('', { entries: 1, bytes: 1 }), 1000)
