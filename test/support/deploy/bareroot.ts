// Runs a container's command without a runtime: in a mount namespace, in a folder that has the image's files and nothing else,
// which can't be written.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { endWithUs } from '../child.ts'

const root = join(import.meta.dirname, '..', '..', '..')
/** The image of a test has the sources in the place of compiled ones; at their path, where their compiled code is known. */
const sources = root

export interface Bind {
  readonly from: string
  /** Path in the container. */
  readonly to: string
}

/** Makes a symbolic link, in the place of one that an earlier try of a test has made. */
export function link(target: string, path: string): void {
  rmSync(path, { force: true })
  symlinkSync(target, path)
}

/** Fills the folder with what deploy/container/Containerfile puts into the image, by the script that it runs. */
export function makeImage(folder: string): void {
  const binaries = join(folder, 'opt/pilothouse/node_modules/.bin')
  mkdirSync(binaries, { recursive: true })
  // Images are open to their users.
  chmodSync(folder, 0o755)
  for (const [name, main] of Object.entries({
    pilothouse: 'pilothouse',
    'pilothouse-apiserver': 'apiserver',
    'pilothouse-controller-manager': 'controller-manager',
  })) {
    writeFileSync(join(binaries, name), `#!/usr/bin/env node\nimport('${sources}/cmd/${main}/main.ts')\n`)
    chmodSync(join(binaries, name), 0o755)
  }
  // Native modules, whose libraries the image needs.
  link(join(root, 'node_modules/@lmdb'), join(folder, 'opt/pilothouse/node_modules/@lmdb'))
  const script = join(root, 'deploy/container/rootfs.sh')
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  const { status, stderr } = spawnSync('sh', [script, folder], { encoding: 'utf8', env: { PATH: path } })
  if (status !== 0) throw new Error(`rootfs.sh: ${stderr}`)
}

/** Whether this system lets us make mount namespaces. */
export function canUnshare(): boolean {
  return spawnSync('unshare', ['-rm', 'true']).status === 0
}

/** `user` is honoured where the tests run as root. */
export function startInImage(
  folder: string,
  command: readonly string[],
  { binds = [], user }: { readonly binds?: readonly Bind[]; readonly user?: string } = {},
): ChildProcess {
  const all = [{ from: root, to: sources }, { from: '/proc', to: '/proc' }, { from: '/dev', to: '/dev' }, ...binds]
  for (const { from, to } of all) {
    const target = join(folder, to)
    if (statSync(from).isDirectory()) mkdirSync(target, { recursive: true })
    else if (!existsSync(target)) {
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, '')
    }
  }
  const script = [
    'set -e',
    'mount --bind "$1" "$1"',
    // Before what is bound: the sources may lie below /tmp.
    'mount -t tmpfs tmpfs "$1/tmp"',
    `mkdir -p "$1${sources}"`,
    ...all.map(({ from, to }) => `mount --rbind '${from}' "$1${to}"`),
    'mount -o remount,ro,bind "$1"',
    'image=$1; user=$2; shift 2',
    'exec env -i PATH=/usr/bin:/usr/sbin:/sbin:/bin chroot $user "$image" /usr/bin/env -i PATH=/usr/bin "$@"',
  ].join('\n')
  const isRoot = process.getuid?.() === 0
  const child = spawn(
    'unshare',
    [
      isRoot ? '-m' : '-rm',
      'sh',
      '-c',
      script,
      'sh',
      folder,
      isRoot && user !== undefined ? `--userspec=${user}` : '',
      ...command,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  endWithUs(child)
  return child
}
