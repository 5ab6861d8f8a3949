// `npm start [-- FLAGS]`: `pilothouse up` from this clone, bundled, as that starts in half the time of the sources.
import { join } from 'node:path'
import { bundleClone } from './bundle.ts'

const main = join(await bundleClone(), 'cmd', 'pilothouse', 'main.js')
process.argv.splice(1, 1, main, 'up')
await import(main)
