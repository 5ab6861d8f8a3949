import type { TokenRequest } from '../../../api/gen/authentication.k8s.io/v1.ts'
import type {
  Container,
  DownwardAPIVolumeFile,
  Pod,
  ServiceAccountTokenProjection,
  Volume,
} from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import type { Frozen } from '../../object/index.ts'
import { fieldOf, resourceFieldOf } from './fields.ts'
import { createSources, type Values } from './sources.ts'

/** A pod, and the client that reads its files. */
export interface FilesOf {
  readonly pod: Frozen<Pod>
  readonly podIp: string
  /** Reads as the pod's node. */
  readonly client: Client
}

/**
 * A file of a projected or downward API volume, read now; undefined: there is none. Rejects where an object that it is
 * made of can't be read.
 */
export async function readVolumeFile(
  of: FilesOf,
  container: Pick<Frozen<Container>, 'volumeMounts'>,
  path: string,
): Promise<string | undefined> {
  for (const { root, subPath, volume } of mountsOf(of.pod, container.volumeMounts)) {
    if (!isRead(volume) || (path !== root && !path.startsWith(`${root}/`))) continue
    const inside = [subPath.replace(/\/$/, ''), path.slice(root.length + 1)].filter((each) => each !== '').join('/')
    const found = (await filesOf(of, volume)).get(inside)
    if (found !== undefined) return found
  }
  return undefined
}

/** All such files below a folder by path, or the one at that path. Rejects as `readVolumeFile` does. */
export async function readVolumeFiles(
  of: FilesOf,
  container: Pick<Frozen<Container>, 'volumeMounts'>,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const below = folder === '/' ? '/' : `${folder}/`
  for (const { root, subPath, volume } of mountsOf(of.pod, container.volumeMounts)) {
    const isNear = root === folder || root.startsWith(below) || folder.startsWith(`${root}/`)
    if (!isRead(volume) || !isNear) continue
    const inner = subPath.replace(/\/$/, '')
    for (const [name, content] of await filesOf(of, volume)) {
      const isInner = inner === '' || name === inner || name.startsWith(`${inner}/`)
      const path = isInner ? `${root}/${name.slice(inner.length).replace(/^\//, '')}`.replace(/\/$/, '') : ''
      if (path === folder || path.startsWith(below)) found.set(path, content)
    }
  }
  return found
}

/** Where volumes that are made from objects are mounted: nothing can be written there. */
export function readOnlyMounts(pod: Frozen<Pod>, mounts: Frozen<Container>['volumeMounts']): string[] {
  return mountsOf(pod, mounts).flatMap(({ root, volume, isReadOnly }) =>
    isReadOnly || isRead(volume) || volume.configMap || volume.secret ? [root || '/'] : [],
  )
}

interface Mount {
  /** Its path, without a slash at the end. */
  readonly root: string
  readonly subPath: string
  readonly volume: Frozen<Volume>
  readonly isReadOnly: boolean
}

function mountsOf(pod: Frozen<Pod>, mounts: Frozen<Container>['volumeMounts'] = []): Mount[] {
  return mounts.flatMap(({ name, mountPath, subPath = '', readOnly = false }) => {
    const volume = pod.spec.volumes?.find((each) => each.name === name)
    return volume ? [{ root: mountPath.replace(/\/$/, ''), subPath, volume, isReadOnly: readOnly }] : []
  })
}

/** Whether its files are read when they are used. */
function isRead({ projected, downwardAPI }: Frozen<Volume>): boolean {
  return projected !== undefined || downwardAPI !== undefined
}

/** Waits for what a volume's start requires. A volume with a token, as most pods have one, is read when it is used. */
export async function requireSources(of: FilesOf, volume: Frozen<Volume>): Promise<void> {
  if (requiresSources(volume)) await filesOf(of, volume)
}

export function requiresSources({ projected }: Frozen<Volume>): boolean {
  const { sources = [] } = projected ?? {}
  return (
    sources.some(({ configMap, secret }) => configMap ?? secret) &&
    !sources.some(({ serviceAccountToken }) => serviceAccountToken)
  )
}

async function filesOf(of: FilesOf, { projected, downwardAPI }: Frozen<Volume>): Promise<Values> {
  const files = new Map<string, string>()
  const add = (more: Values): void => {
    for (const [path, content] of more) files.set(path, content)
  }
  add(downwardFiles(of, downwardAPI?.items))
  const sources = createSources(of.pod.metadata.namespace ?? '', of.client)
  for (const { configMap, secret, downwardAPI: fields, serviceAccountToken } of projected?.sources ?? []) {
    if (configMap) add(await sources.volume('configmap', configMap.name, configMap.optional, configMap.items))
    if (secret) add(await sources.volume('secret', secret.name, secret.optional, secret.items))
    add(downwardFiles(of, fields?.items))
    if (serviceAccountToken) files.set(serviceAccountToken.path, await requestToken(of, serviceAccountToken))
  }
  return files
}

function downwardFiles({ pod, podIp }: FilesOf, items: readonly Frozen<DownwardAPIVolumeFile>[] = []): Values {
  const all = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])]
  const content = ({ fieldRef, resourceFieldRef }: Frozen<DownwardAPIVolumeFile>): string => {
    if (fieldRef) return fieldOf(pod, fieldRef.fieldPath, podIp)
    if (!resourceFieldRef) return ''
    return resourceFieldOf(all.find(({ name }) => name === resourceFieldRef.containerName) ?? {}, resourceFieldRef)
  }
  return new Map(items.map((item) => [item.path, content(item)]))
}

/** A token of the pod's account, bound to the pod, as kubelets request it. */
async function requestToken(
  { pod, client }: FilesOf,
  { audience, expirationSeconds }: Frozen<ServiceAccountTokenProjection>,
): Promise<string> {
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const account = { namespace, name: pod.spec.serviceAccountName || 'default' }
  const request: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    spec: {
      audiences: audience ? [audience] : [],
      ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
    },
    status: { token: '' },
  }
  const tokens = client.resource(resources.core.v1.serviceaccounts).subresource<TokenRequest>('token')
  return (await tokens.create(account, request)).status.token
}
