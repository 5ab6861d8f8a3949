import type * as core from '../../../api/gen/core/v1.ts'
import type { Clock, Random } from '../../base/index.ts'
import { mirrorAnnotation, podReferences } from '../../kinds/index.ts'
import { isAbout, refusal } from '../about.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { mountToken } from './mounttoken.ts'

export interface ServiceAccountDependencies {
  readonly clock: Clock
  readonly random: Random
  /** The account as a cache shows it; undefined: it shows none. */
  cached(namespace: string, name: string): core.ServiceAccount | undefined
  /** The account as it is, whatever that costs. */
  live(namespace: string, name: string, signal: AbortSignal): Promise<core.ServiceAccount | undefined>
}

const defaultAccount = 'default'
/** The default account of a new namespace may be on its way. */
const attemptsForDefault = 10
const retryMs = 100

/** Gives pods a service account that exists, its token and its pull secrets. */
export function createServiceAccountAdmission(dependencies: ServiceAccountDependencies): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    handles: (operation) => operation === 'CREATE',
    async mutate(attributes) {
      const pod = podOf(attributes)
      if (!pod || isMirror(pod)) return
      const { spec } = pod
      spec.serviceAccountName ||= defaultAccount
      spec.serviceAccount = spec.serviceAccountName
      const account = await findAccount(dependencies, attributes, spec.serviceAccountName)
      if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
        mountToken(spec, dependencies.random)
      if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length)
        spec.imagePullSecrets = account.imagePullSecrets.map((reference) => ({ ...reference }))
    },
    async validate(attributes) {
      const pod = podOf(attributes)
      if (!pod) return
      if (!isMirror(pod)) {
        await findAccount(dependencies, attributes, pod.spec.serviceAccountName ?? '')
        return
      }
      const problem = mentioned(pod)
      if (problem !== undefined) throw refusal(attributes, `a mirror pod may not ${problem}`)
    },
  }
}

function podOf(attributes: AdmissionAttributes): core.Pod | undefined {
  return isAbout(attributes, 'pods') ? (attributes.object as unknown as core.Pod) : undefined
}

function isMirror({ metadata }: core.Pod): boolean {
  return metadata.annotations?.[mirrorAnnotation] !== undefined
}

/** What of the API a mirror pod uses although nobody could have checked it. */
function mentioned(pod: core.Pod): string | undefined {
  if (pod.spec.serviceAccountName) return 'reference service accounts'
  if (podReferences(pod).secrets.size > 0) return 'reference secrets'
  const projects = pod.spec.volumes?.some((volume) =>
    volume.projected?.sources?.some((source) => source.serviceAccountToken),
  )
  return projects ? 'use ServiceAccountToken volume projections' : undefined
}

async function findAccount(
  { clock, cached, live }: ServiceAccountDependencies,
  attributes: AdmissionAttributes,
  name: string,
): Promise<core.ServiceAccount> {
  const { namespace, signal } = attributes
  const known = cached(namespace, name)
  if (known) return known
  const attempts = name === defaultAccount ? attemptsForDefault : 1
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await clock.sleep(retryMs, signal)
    const found = await live(namespace, name, signal)
    if (found) return found
  }
  const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`
  throw refusal(attributes, why)
}
