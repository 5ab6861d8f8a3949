import type * as core from '../../../api/gen/core/v1.ts'
import type { Random } from '../../base/index.ts'

const volumePrefix = 'kube-api-access-'
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
/** Slightly more than an hour: this duration distinguishes these tokens from those that a client requested. */
const tokenSeconds = 3607
const fileMode = 0o644
/** Without vowels and similar digits. */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789'
const suffixCharacters = 5

/** Mounts a token where clients expect one, in all containers without another mount there. */
export function mountToken(spec: core.PodSpec, random: Random): void {
  const present = spec.volumes?.find(({ name }) => name.startsWith(volumePrefix))
  const name = present?.name ?? volumePrefix + suffix(random)
  let isMounted = false
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some((mount) => mount.mountPath === mountPath)) continue
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }]
    isMounted = true
  }
  if (isMounted && !present) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)]
}

function suffix(random: Random): string {
  const letter = (): string => suffixAlphabet.charAt(random.below(suffixAlphabet.length))
  return Array.from({ length: suffixCharacters }, letter).join('')
}

function tokenVolume(name: string): core.Volume {
  return {
    name,
    projected: {
      defaultMode: fileMode,
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    },
  }
}
