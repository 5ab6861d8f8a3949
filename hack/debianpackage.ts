// `npm run build:deb [-- FOLDER]`: the binary and the systemd units as a Debian package, binaries/pilothouse_<version>_<architecture>.deb.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { programs } from '../cmd/binary/programs.ts'
import { binaryOfClone } from './binary.ts'

const root = join(import.meta.dirname, '..')
const deploy = join(root, 'deploy')
const own = join(deploy, 'debian')
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

interface PackageOptions {
  readonly binary: string
  /** Folder for the package. */
  readonly folder: string
  /** Default: package.json's. */
  readonly version?: string
  /** Level of compression, 1 to 19. */
  readonly level?: number
}

/**
 * Builds the package with dpkg-deb; returns its path. The same files make the same bytes: times are SOURCE_DATE_EPOCH, or that of the
 * last commit. (A binary that is built again differs in the compiled code that it holds.)
 */
export function buildPackage({ binary, folder, version = versionOfProject(), level = 12 }: PackageOptions): string {
  const architecture = architectures[process.arch]
  if (architecture === undefined) throw new Error(`Debian has no architecture for ${process.arch}`)
  mkdirSync(folder, { recursive: true })
  const tree = mkdtempSync(join(folder, 'tree-'))
  try {
    addFiles(tree, binary)
    addControl(tree, { VERSION: version, ARCHITECTURE: architecture })
    const epoch = process.env['SOURCE_DATE_EPOCH'] ?? timeOfCommit()
    setTimes(tree, Number(epoch))
    const target = join(folder, `pilothouse_${version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', `-z${level}`, '--build', tree, target], {
      env: { ...process.env, SOURCE_DATE_EPOCH: epoch },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return target
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

function versionOfProject(): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

function timeOfCommit(): string {
  return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim()
}

function addFiles(tree: string, binary: string): void {
  copy(binary, join(tree, 'usr/bin/pilothouse'), 0o755)
  for (const { aliases } of Object.values(programs))
    for (const alias of aliases)
      if (alias.startsWith('pilothouse-')) symlinkSync('pilothouse', join(tree, 'usr/bin', alias))
  const units = join(deploy, 'systemd/system')
  for (const name of readdirSync(units))
    if (/^pilothouse.*\.service$/.test(name))
      write(join(tree, 'usr/lib/systemd/system', name), unitOfPackage(readFileSync(join(units, name), 'utf8')))
  const users = readFileSync(join(deploy, 'systemd/sysusers.d/pilothouse.conf'), 'utf8')
  // The user of etcd comes with etcd.
  write(join(tree, 'usr/lib/sysusers.d/pilothouse.conf'), users.replace(/^u etcd .*\n/m, ''))
  copy(join(deploy, 'systemd/tmpfiles.d/pilothouse.conf'), join(tree, 'usr/lib/tmpfiles.d/pilothouse.conf'))
  copy(join(own, 'pilothouse.env'), join(tree, 'etc/pilothouse/pilothouse.env'))
  const documents = join(tree, 'usr/share/doc/pilothouse')
  copy(join(own, 'copyright'), join(documents, 'copyright'))
  write(join(documents, 'changelog.gz'), gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 }))
  for (const name of filesBelow(join(root, 'docs')).map((path) => relative(root, path)))
    copy(join(root, name), join(documents, name))
}

/** A unit starts the binary, which has its compiled code inside. Throws when a unit has another form. */
export function unitOfPackage(text: string): string {
  const program = /^ExecStart=\S+\/node \S+\/dist\/cmd\/([\w-]+)\/main\.js/m
  const [start, name = ''] = program.exec(text) ?? []
  if (start === undefined) throw new Error('the unit starts no program of the project')
  const word = name === 'pilothouse' ? '' : ` ${name}`
  return text
    .replace(start, `ExecStart=/usr/bin/pilothouse${word}`)
    .replace(/^Environment=NODE_COMPILE_CACHE=.*\n/m, '')
    .replace(/^CacheDirectory=.*\n/m, '')
}

function addControl(tree: string, values: Readonly<Record<string, string>>): void {
  const kibibytes = Math.ceil(filesBelow(tree).reduce((sum, path) => sum + lstatSync(path).size, 0) / 1024)
  const template = readFileSync(join(own, 'control'), 'utf8')
  const all: Readonly<Record<string, string>> = { ...values, KIBIBYTES: String(kibibytes) }
  const folder = join(tree, 'DEBIAN')
  write(
    join(folder, 'control'),
    template.replaceAll(/%(\w+)%/g, (_, name: string) => all[name] ?? ''),
  )
  write(join(folder, 'conffiles'), '/etc/pilothouse/pilothouse.env\n')
  for (const script of ['postinst', 'prerm', 'postrm']) copy(join(own, script), join(folder, script), 0o755)
}

function copy(from: string, to: string, mode = 0o644): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
  chmodSync(to, mode)
}

function write(path: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, contents, { mode: 0o644 })
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name))
}

function setTimes(tree: string, seconds: number): void {
  chmodSync(tree, 0o755)
  for (const name of [...readdirSync(tree, { recursive: true, encoding: 'utf8' }), '.']) {
    const path = join(tree, name)
    if (lstatSync(path).isDirectory()) chmodSync(path, 0o755)
    lutimesSync(path, seconds, seconds)
  }
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, 'binaries'))
  const built = join(folder, 'pilothouse')
  process.stdout.write(`${buildPackage({ binary: existsSync(built) ? built : await binaryOfClone(), folder })}\n`)
}
