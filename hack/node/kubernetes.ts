// Builds kubelet, kubeadm and kube-proxy from the newest source of them that Debian has, with Debian's compiler: once,
// into the cache folder. Started as a program by programs.ts under a lock, so that two runs don't build at once.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, fetchPackages, fetchSource, keepFolder } from '../debian.ts'

/** The release of bookworm's source. Later suites have kubectl's alone. */
const release = '1.20.2'
const suites = ['bookworm']
/** Programs of earlier builds are built again. */
const build = 2

export const kubernetesCommands = ['kubelet', 'kubeadm', 'kube-proxy'] as const

/** Where the built programs are, or will be. */
export function kubernetesFolder(): string {
  return join(cacheFolder(), `kubernetes-${release}-${build}`)
}

export function isKubernetesBuilt(): boolean {
  return kubernetesCommands.every((name) => existsSync(join(kubernetesFolder(), name)))
}

/** Minutes of two cores, 2 GB of disk while it builds, 200 MB after it. Throws where Debian's packages are missing. */
function buildKubernetes(): void {
  mkdirSync(cacheFolder(), { recursive: true })
  const scratch = mkdtempSync(join(cacheFolder(), 'kubernetes-new-'))
  const removeScratch = (): void => rmSync(scratch, { recursive: true, force: true })
  process.once('exit', removeScratch)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  const compiler = fetchPackages(
    { name: 'golang', packages: ['golang-1.19-go', 'golang-1.19-src'], suites, megabytes: 90 },
    inside(scratch, 'compiler'),
  )
  const source = fetchSource(
    { name: 'kubernetes', packages: ['kubernetes'], suites, megabytes: 45 },
    inside(scratch, 'source'),
  )
  // The source is built as part of a GOPATH, as Debian's package does: its vendor folder needs no module files.
  const place = join(inside(scratch, 'gopath/src/k8s.io'), 'kubernetes')
  renameSync(source, place)
  renewReflection(place, scratch)
  process.stderr.write(`building ${kubernetesCommands.join(', ')} ${release} (once, some minutes)\n`)
  compile(join(compiler, 'usr/lib/go-1.19'), place, scratch)
  keepFolder(join(scratch, 'built'), kubernetesFolder())
}

/**
 * The source brings release 1.0.1 of a library that knows the insides of Go's maps up to Go 1.17: programs that Debian's
 * compiler builds with it crash where they write a map as JSON, kubeadm with every patched manifest. Debian has 1.0.2.
 */
function renewReflection(place: string, scratch: string): void {
  const library = 'github.com/modern-go/reflect2'
  const wanted = { name: 'reflect2', packages: ['golang-github-modern-go-reflect2-dev'], suites, megabytes: 1 }
  const unpacked = fetchPackages(wanted, inside(scratch, 'reflection'))
  const vendored = join(place, 'vendor', library)
  rmSync(vendored, { recursive: true })
  cpSync(join(unpacked, 'usr/share/gocode/src', library), vendored, { recursive: true })
}

function inside(scratch: string, name: string): string {
  const folder = join(scratch, name)
  mkdirSync(folder, { recursive: true })
  return folder
}

function compile(goRoot: string, place: string, scratch: string): void {
  const [major, minor] = release.split('.')
  const version = { gitVersion: `v${release}`, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' }
  const settings = ['component-base/version', 'client-go/pkg/version'].flatMap((library) =>
    Object.entries(version).map(([name, value]) => `-X k8s.io/kubernetes/vendor/k8s.io/${library}.${name}=${value}`),
  )
  const run = spawnSync(
    'nice',
    [
      join(goRoot, 'bin/go'),
      'build',
      '-trimpath',
      // Neither clouds nor Docker: half of the work.
      '-tags=providerless,dockerless',
      `-ldflags=-s -w ${settings.join(' ')}`,
      `-o=${inside(scratch, 'built')}/`,
      ...kubernetesCommands.map((name) => `./cmd/${name}`),
    ],
    {
      cwd: place,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: scratch,
        GOROOT: goRoot,
        GOPATH: join(scratch, 'gopath'),
        GOCACHE: join(scratch, 'cache'),
        GOTMPDIR: inside(scratch, 'tmp'),
        GO111MODULE: 'off',
        GOPROXY: 'off',
        CGO_ENABLED: '0',
      },
    },
  )
  if (run.status !== 0) throw new Error(`go build: ${run.stderr.trim().split('\n').at(-1)}`)
}

if (import.meta.main && !isKubernetesBuilt()) buildKubernetes()
