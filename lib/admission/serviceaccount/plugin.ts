import type * as core from '../../../api/gen/core/v1.ts'
import type { Clock, Random } from '../../base/index.ts'
import { mirrorAnnotation, podReferences } from '../../kinds/index.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { limitsSecrets, notMountable, notMountableLater } from './mountable.ts'
import { mountToken } from './mounttoken.ts'

interface ServiceAccountDependencies {
  readonly clock: Clock
  readonly random: Random
  /** The account in a cache; undefined: it is not there. */
  cached(namespace: string, name: string): core.ServiceAccount | undefined
  /** The account in the store. */
  live(namespace: string, name: string, signal: AbortSignal): Promise<core.ServiceAccount | undefined>
}

const defaultAccount = 'default'
/** The default account of a new namespace may still be missing for a moment. */
const attemptsForDefault = 10
const retryMs = 100

/** Gives pods a service account that exists, its token and its pull secrets. */
export function createServiceAccountAdmission(dependencies: ServiceAccountDependencies): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    // Synchronous for writes that don't concern pods, which is most of them.
    mutate(attributes) {
      const pod = podOf(attributes)
      return pod && !isMirror(pod) ? complete(dependencies, attributes, pod.spec) : undefined
    },
    validate(attributes) {
      if (isDebugging(attributes)) return limitSecrets(dependencies, attributes, notMountableLater)
      const pod = podOf(attributes)
      if (!pod) return undefined
      if (!isMirror(pod)) return limitSecrets(dependencies, attributes, notMountable)
      const problem = mentioned(pod)
      if (problem !== undefined) throw refusal(attributes, `a mirror pod may not ${problem}`)
      return undefined
    },
  }
}

async function complete(
  dependencies: ServiceAccountDependencies,
  attributes: AdmissionAttributes,
  spec: core.PodSpec,
): Promise<void> {
  spec.serviceAccountName ||= defaultAccount
  spec.serviceAccount = spec.serviceAccountName
  const account = await findAccount(dependencies, attributes, spec.serviceAccountName)
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
    mountToken(spec, dependencies.random)
  if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length)
    spec.imagePullSecrets = account.imagePullSecrets.map((reference) => ({ ...reference }))
}

/** The new pod of a write. */
function podOf(attributes: AdmissionAttributes): core.Pod | undefined {
  const isNew = attributes.operation === 'CREATE' && concernsResource(attributes, 'pods')
  return isNew ? (attributes.object as core.Pod) : undefined
}

/** An existing pod can only get ephemeral containers. */
function isDebugging({ resource, subresource }: AdmissionAttributes): boolean {
  return resource.group === '' && resource.resource === 'pods' && subresource === 'ephemeralcontainers'
}

/** Checks that the account exists, and that the pod uses only secrets that the account allows. */
async function limitSecrets(
  dependencies: ServiceAccountDependencies,
  attributes: AdmissionAttributes,
  find: typeof notMountable,
): Promise<void> {
  const { spec, metadata } = attributes.object as core.Pod
  const { serviceAccountName: name } = spec
  if (!name)
    throw refusal(attributes, `no service account specified for pod ${attributes.namespace}/${metadata.name ?? ''}`)
  const account = await findAccount(dependencies, attributes, name)
  const problem = limitsSecrets(account) ? find(spec, account) : undefined
  if (problem !== undefined) throw refusal(attributes, problem)
}

function isMirror({ metadata }: core.Pod): boolean {
  return metadata.annotations?.[mirrorAnnotation] !== undefined
}

/** The kind of API object that a mirror pod uses although no API server has authorized it. */
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
