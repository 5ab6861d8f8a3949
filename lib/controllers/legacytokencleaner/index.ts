import type { Pod, Secret } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  type Informer,
  isConflict,
  isNotFound,
  joinKey,
} from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { dayOf, invalidSinceLabel, isTrackedLongEnough, plan, secretsOf } from './plan.ts'

const passMs = 24 * 3600_000
const trackingKey = 'kube-system/kube-apiserver-legacy-service-account-token-tracking'
const tokenType = 'kubernetes.io/service-account-token'

/** Invalidates, and later deletes, service account tokens in secrets that have not been used for long. */
export const legacytokencleaner: ControllerDefinition = {
  name: 'legacy-serviceaccount-token-cleaner-controller',
  aliases: ['legacy-service-account-token-cleaner'],
  account: 'legacy-service-account-token-cleaner',
  start(context) {
    const { configmaps, pods, secrets, serviceaccounts } = resources.core.v1
    const maps = context.informer(configmaps)
    const known = context.informer(secrets)
    const accounts = context.informer(serviceaccounts)
    const running = context.informer(pods)
    const periodMs = context.settings.legacyServiceAccountTokenCleanUpPeriod
    const pass = async (signal: AbortSignal): Promise<void> => {
      const nowMs = context.clock.now()
      if (!isTrackedLongEnough(maps.get(trackingKey)?.data?.['since'], periodMs, nowMs)) return
      const mounted = mountedSecrets(running)
      for (const secret of Array.from(known.all())) {
        if (signal.aborted) return
        if (secret.type !== tokenType) continue
        const { namespace = '', annotations = {} } = secret.metadata
        const account = accounts.get(joinKey(namespace, annotations['kubernetes.io/service-account.name'] ?? ''))
        const tokenContext = { account, mounted: mounted.get(namespace) ?? new Set<string>() }
        await perform(context, secret, plan(secret, tokenContext, periodMs, nowMs), nowMs)
      }
    }
    context.every(passMs, pass, { atOnce: true })
  },
}

function mountedSecrets(pods: Informer<Pod>): ReadonlyMap<string, ReadonlySet<string>> {
  const mounted = new Map<string, Set<string>>()
  for (const pod of pods.all())
    for (const name of secretsOf(pod)) {
      const { namespace = '' } = pod.metadata
      const names = mounted.get(namespace) ?? new Set()
      mounted.set(namespace, names.add(name))
    }
  return mounted
}

async function perform(
  { client, log }: ControllerContext,
  { metadata }: Frozen<Secret>,
  intention: ReturnType<typeof plan>,
  nowMs: number,
): Promise<void> {
  if (intention === 'nothing') return
  const { uid, resourceVersion } = metadata
  const all = client.resource(resources.core.v1.secrets)
  try {
    if (intention === 'delete') await all.delete(metadata, { uid, resourceVersion })
    else await all.patch(metadata, 'merge', { metadata: { uid, labels: { [invalidSinceLabel]: dayOf(nowMs) } } })
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return
    log.error('a token could not be cleaned up', { namespace: metadata.namespace, name: metadata.name, error })
  }
}
