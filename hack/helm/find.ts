// Builds hack/helm/template.go, which renders charts as helm does, with Debian's packages of Go and of the libraries that helm
// is made with: Debian has no helm.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, fetchPackages, keepFolder } from '../debian.ts'

const go = '1.24'
const libraries = [
  'golang-github-google-uuid-dev',
  'golang-github-huandu-xstrings-dev',
  'golang-github-imdario-mergo-dev',
  'golang-github-masterminds-goutils-dev',
  'golang-github-masterminds-semver-dev',
  'golang-github-masterminds-sprig-dev',
  'golang-github-mitchellh-copystructure-dev',
  'golang-github-mitchellh-reflectwalk-dev',
  'golang-github-shopspring-decimal-dev',
  'golang-github-spf13-cast-dev',
  'golang-github-xeipuuv-gojsonpointer-dev',
  'golang-github-xeipuuv-gojsonreference-dev',
  'golang-github-xeipuuv-gojsonschema-dev',
  'golang-golang-x-crypto-dev',
  'golang-k8s-sigs-yaml-dev',
]

/**
 * Path of the program: PILOTHOUSE_HELM_TEMPLATE, in the cache folder, or built now (52 MB to download, half a minute to
 * compile). Undefined, with the reason on standard error, when it is not available.
 */
export function findHelmTemplate(): string | undefined {
  const named = process.env['PILOTHOUSE_HELM_TEMPLATE']
  if (named) return named
  const source = join(import.meta.dirname, 'template.go')
  const cache = cacheFolder()
  // One for each version of the source: a changed source is built again.
  const name = `helm-template-${createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12)}`
  const folder = join(cache, name)
  try {
    if (!existsSync(folder)) {
      mkdirSync(cache, { recursive: true })
      build(source, folder, mkdtempSync(join(cache, 'helm-template-new-')))
    }
    return join(folder, 'template')
  } catch (error) {
    process.stderr.write(`charts can't be rendered: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

function build(source: string, folder: string, scratch: string): void {
  try {
    const packages = [`golang-${go}-go`, `golang-${go}-src`, ...libraries]
    const unpacked = fetchPackages({ name: 'helm-template', packages, suites: ['trixie'], megabytes: 52 }, scratch)
    const output = join(scratch, 'output')
    mkdirSync(output)
    const root = join(unpacked, 'usr/lib', `go-${go}`)
    const run = spawnSync(join(root, 'bin/go'), ['build', '-o', join(output, 'template'), source], {
      encoding: 'utf8',
      timeout: 300_000,
      env: {
        PATH: process.env['PATH'],
        GOROOT: root,
        GOPATH: join(unpacked, 'usr/share/gocode'),
        GOCACHE: join(scratch, 'gocache'),
        GO111MODULE: 'off',
        // The compiler of this package, and no other that it would fetch.
        GOTOOLCHAIN: 'local',
        CGO_ENABLED: '0',
      },
    })
    if (run.status !== 0) throw new Error(run.stderr || 'go build did not finish')
    keepFolder(output, folder)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
