// Finds what the examples in other languages need: a Go compiler, and Python with its client of the API and pytest. Of this machine, in
// the cache folder, or else from Debian, fetched as hack/programs.ts does.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, fetchPackages, keepFolder } from './debian.ts'

/** Packages of pure Python, which run on every version of it. */
const pythonPackages = [
  'kubernetes',
  'pytest',
  'attr',
  'cachetools',
  'certifi',
  'chardet',
  'charset-normalizer',
  'dateutil',
  'google-auth',
  'idna',
  'iniconfig',
  'oauthlib',
  'packaging',
  'pluggy',
  'pkg-resources',
  'pyasn1',
  'pyasn1-modules',
  'requests',
  'requests-oauthlib',
  'rsa',
  'six',
  'urllib3',
  'websocket',
  'yaml',
].map((name) => `python3-${name}`)

/** Path of a Go compiler, with the reason on standard error when there is none. */
export function findGo(): string | undefined {
  if (spawnSync('go', ['version']).status === 0) return 'go'
  const folder = fetched({
    name: 'go',
    packages: ['golang-1.19-go', 'golang-1.19-src'],
    suites: ['bookworm'],
    megabytes: 70,
  })
  return folder && join(folder, 'usr/lib/go-1.19/bin/go')
}

/** Folder for PYTHONPATH with the client and pytest; empty where Python finds them, undefined where there are none. */
export function findPythonPackages(python: string): string | undefined {
  if (spawnSync(python, ['-c', 'import kubernetes, pytest']).status === 0) return ''
  if (spawnSync(python, ['--version']).status !== 0) return undefined
  const folder = fetched({ name: 'python', packages: pythonPackages, suites: ['bookworm'], megabytes: 5 })
  return folder && join(folder, 'usr/lib/python3/dist-packages')
}

function fetched(wanted: Parameters<typeof fetchPackages>[0]): string | undefined {
  const cache = cacheFolder()
  const target = join(cache, wanted.name)
  if (existsSync(target)) return target
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, `${wanted.name}-new-`))
  try {
    keepFolder(fetchPackages(wanted, scratch), target)
    return target
  } catch (error) {
    process.stderr.write(`no ${wanted.name}: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
