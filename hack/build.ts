// `npm run build`: dist/ for publishing: the bundled programs and library, and the declarations that the library needs.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePrograms } from './bundle.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
rmSync(dist, { recursive: true, force: true })
await bundlePrograms(dist)
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
