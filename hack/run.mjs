// Runs one of the project's programs on the project's own Node: `node hack/run.mjs FILE [ARGUMENT…]`.
// Plain JavaScript on purpose: it must work with whatever Node starts it (20 or later), before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const node = join(root, 'node_modules', '.bin', 'node')
const stamp = join(root, 'node_modules', '.installed-lock')

/** What is installed is what this names. */
function lockDigest() {
  const digest = createHash('sha256')
  for (const file of ['package-lock.json', 'package.json']) digest.update(readFileSync(join(root, file)))
  return digest.digest('hex')
}

function isInstalled(digest) {
  return existsSync(node) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
}

/**
 * Programs and libraries for this machine that the lock file names and npm left out: they are optional, as each machine takes
 * others, and npm passes over those that it could not fetch.
 */
function missingParts() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const libc = process.report?.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
  return Object.entries(packages)
    .filter(
      ([place, { optional, os, cpu, libc: libcs = [libc] }]) =>
        optional &&
        os?.includes(process.platform) &&
        cpu?.includes(process.arch) &&
        libcs.includes(libc) &&
        !existsSync(join(root, place)),
    )
    .map(([place]) => place.replace('node_modules/', ''))
}

const triesMax = 3

function install(digest) {
  process.stderr.write('pilothouse: installing what package-lock.json names (once, about half a minute)…\n')
  let missing
  for (let tries = 0; tries < triesMax && missing?.length !== 0; tries++) {
    npmInstall()
    missing = missingParts()
  }
  if (missing.length > 0) process.stderr.write(`pilothouse: npm could not fetch ${missing.join(', ')}\n`)
  else writeFileSync(stamp, digest)
}

function npmInstall() {
  // The project's Node is among the development dependencies, which NODE_ENV=production would leave out.
  // `npm install` respects the lock file; `npm ci` refuses it where optional packages of other platforms are missing.
  const result = spawnSync(
    'npm',
    ['install', '--include=dev', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  if (result.status === 0 && existsSync(node)) return
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}\n`)
  process.stderr.write('pilothouse: `npm install` failed; see above.\n')
  process.exit(1)
}

const digest = lockDigest()
if (!isInstalled(digest)) install(digest)

const [program, ...rest] = process.argv.slice(2)
const child = spawn(node, [join(root, program), ...rest], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
