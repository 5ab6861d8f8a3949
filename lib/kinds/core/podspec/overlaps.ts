import type * as core from '../../../../api/gen/core/v1.ts'
import { quote } from '../../../object/index.ts'

/** Files of one volume. */
interface Files {
  /** The earlier path that conflicts with `path`: the same, one above it, or one below. */
  collision(path: string): string | undefined
  add(path: string): void
}

/** Stores `a/b/c` under itself, and as a path below `a` and `a/b`. */
function createFiles(): Files {
  const paths = new Set<string>()
  const below = new Map<string, string>()
  return {
    collision(path) {
      if (path === '') return undefined
      if (paths.has(path)) return path
      for (const above of aboves(path)) if (paths.has(above)) return above
      return below.get(path)
    },
    add(path) {
      paths.add(path)
      for (const above of aboves(path)) if (!below.has(above)) below.set(above, path)
    },
  }
}

function* aboves(path: string): Iterable<string> {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) yield path.slice(0, at)
}

/**
 * Warnings about files of volumes with the same path, or one within another: the later one is lost, or the pod can't
 * start.
 */
export function overlapWarnings(volumes: readonly core.Volume[]): string[] {
  const found: string[] = []
  for (const volume of volumes) {
    const { configMap, secret, downwardAPI, projected } = volume
    const check = (what: string, items: readonly Item[] | undefined): void => {
      if (items && items.length > 1) checkFiles(found, volume, what, items.map(pathOf), createFiles())
    }
    if (configMap) check(`ConfigMap ${quote(configMap.name ?? '')}`, configMap.items)
    if (secret) check(`Secret ${quote(secret.secretName ?? '')}`, secret.items)
    if (downwardAPI) check('DownwardAPI', downwardAPI.items)
    if (projected) checkProjected(found, volume, projected.sources ?? [])
  }
  return found
}

interface Item {
  readonly path: string
}

function pathOf({ path }: Item): string {
  return path.replace(/\/+$/, '')
}

function checkFiles(found: string[], { name }: core.Volume, what: string, paths: readonly string[], files: Files) {
  for (const path of paths) {
    const other = files.collision(path)
    if (other !== undefined)
      found.push(`volume ${quote(name)} (${what}): overlapping paths: ${quote(path)} with ${quote(other)}`)
    files.add(path)
  }
}

function checkProjected(found: string[], volume: core.Volume, sources: readonly core.VolumeProjection[]): void {
  const before = createFiles()
  for (const source of sources) {
    const described = describe(source)
    if (described === undefined) {
      if (Object.keys(source).length === 0)
        found.push(`volume ${quote(volume.name)} (Projected) has no sources provided`)
      continue
    }
    const [what, items] = described
    const paths = items.map(pathOf)
    if (paths.length > 1) checkFiles(found, volume, `Projected ${what}`, paths, createFiles())
    for (const path of paths) {
      const other = before.collision(path)
      if (other === undefined) continue
      const [first, second] = path < other ? [path, other] : [other, path]
      const where = `volume ${quote(volume.name)} (Projected ${what})`
      found.push(`${where}: overlapping paths: ${quote(second)} with ${quote(first)}`)
    }
    for (const path of paths) before.add(path)
  }
}

/** The name of a source, and its files if it lists them. */
function describe(source: core.VolumeProjection): readonly [string, readonly Item[]] | undefined {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = source
  if (configMap?.items) return [`ConfigMap ${quote(configMap.name ?? '')}`, configMap.items]
  if (secret?.items) return [`Secret ${quote(secret.name ?? '')}`, secret.items]
  if (downwardAPI?.items) return ['DownwardAPI', downwardAPI.items]
  if (serviceAccountToken) return ['ServiceAccountToken', [serviceAccountToken]]
  if (clusterTrustBundle) {
    const { name, signerName = '' } = clusterTrustBundle
    return [`ClusterTrustBundle ${quote(name ?? signerName)}`, [clusterTrustBundle]]
  }
  return undefined
}
