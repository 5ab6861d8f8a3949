// `npm run build`: dist/ for publishing: the bundled programs and library, and the declarations that the library needs.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundleClone } from './bundle.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
rmSync(dist, { recursive: true, force: true })
cpSync(await bundleClone(), dist, { recursive: true })
compressServer(join(dist, 'chunks'))
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
keepReachable(join(dist, 'cmd', 'pilothouse', 'library.d.ts'))

/** The server's script has six megabytes, and only snapshots are made of it. */
function compressServer(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => /^server-.*\.cjs$/.test(file))) {
    const path = join(folder, name)
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
    rmSync(path)
  }
}

/** The compiler writes a declaration for each source of the library; a user's compiler reads what the types lead to. */
function keepReachable(entry: string): void {
  const reachable = new Set<string>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reachable.has(path)) continue
    reachable.add(path)
    for (const [, from = ''] of readFileSync(path, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g))
      waiting.push(join(dirname(path), from).replace(/\.ts$/, '.d.ts'))
  }
  // Folders come before their contents: in reverse order they are empty in time.
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }).toSorted().toReversed()) {
    const path = join(dist, name)
    if (name.endsWith('.d.ts') && !reachable.has(path)) rmSync(path)
    else if (existsSync(path) && !/\.\w+$/.test(name) && readdirSync(path).length === 0) rmdirSync(path)
  }
}
