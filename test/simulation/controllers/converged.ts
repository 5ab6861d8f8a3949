import type { Deployment } from '../../../api/gen/apps/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { controllerOf, joinKey, keyOf } from '../../../lib/controller/index.ts'
import type { ApiObject, Frozen } from '../../../lib/object/index.ts'
import { targetMilli } from './metricsserver.ts'
import { accountAnnotation } from './objects.ts'
import { isFinished } from './rules/jobs.ts'
import { nodeOf } from './rules/workloads.ts'
import type { Truth } from './truth.ts'
import { isActive, isReady } from './view.ts'
import { Violation } from './violation.ts'

/** Autoscalers leave alone what is as near as a tenth; usage is reported in whole thousandths. */
const toleranceMax = 0.106

const { core, apps, batch, discovery, policy } = resources

/** Everything is as the user wants it. */
export function checkConverged(truth: Truth, prefix: string, loads: ReadonlyMap<string, number>): void {
  const wrong: string[] = []
  const expect = (is: unknown, wanted: unknown, what: string): void => {
    if (is !== wanted) wrong.push(`${what} is ${String(is)}, not ${String(wanted)}`)
  }
  const podsOf = (uid = '') => truth.all(core.v1.pods).filter((pod) => controllerOf(pod)?.uid === uid)
  const activeOf = (uid = '') => podsOf(uid).filter(isActive)

  for (const { resource, object } of truth.everything()) {
    const { deletionTimestamp, ownerReferences = [] } = object.metadata
    const what = `${resource} ${keyOf(object)}`
    if (deletionTimestamp !== undefined) wrong.push(`${what} is still being deleted`)
    if (ownerReferences.length > 0 && ownerReferences.every((owner) => !truth.byUid(owner.uid)))
      wrong.push(`${what} has lost all its owners`)
    if (new Set(ownerReferences.filter(({ controller }) => controller).map(({ uid }) => uid)).size > 1)
      wrong.push(`${what} has two controllers`)
  }
  checkAutoscalers(truth, loads, expect)
  checkTokens(truth, expect)
  const quotas = truth.all(core.v1.resourcequotas)
  for (const deployment of truth.all(apps.v1.deployments)) checkDeployment(truth, deployment, expect)
  for (const set of [...truth.all(apps.v1.replicasets), ...truth.all(core.v1.replicationcontrollers)]) {
    const { replicas = 1 } = set.spec
    const what = `${set.kind} ${keyOf(set)}`
    expect(activeOf(set.metadata.uid).length, replicas, `${what}: pods`)
    expect(set.status?.replicas ?? 0, replicas, `${what}: status.replicas`)
    expect(set.status?.readyReplicas ?? 0, activeOf(set.metadata.uid).filter(isReady).length, `${what}: ready`)
    expect(set.status?.observedGeneration, set.metadata.generation, `${what}: observedGeneration`)
  }
  for (const set of truth.all(apps.v1.statefulsets)) {
    const { replicas = 1 } = set.spec
    const what = `statefulset ${keyOf(set)}`
    const names = activeOf(set.metadata.uid).map(({ metadata }) => metadata.name ?? '')
    const wanted = Array.from({ length: replicas }, (_, ordinal) => `${set.metadata.name}-${ordinal}`)
    expect(names.toSorted().join(), wanted.join(), `${what}: pods`)
    expect(set.status.readyReplicas ?? 0, replicas, `${what}: readyReplicas`)
    expect(set.status.observedGeneration, set.metadata.generation, `${what}: observedGeneration`)
    const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0
    for (const pod of activeOf(set.metadata.uid)) {
      const ordinal = Number(pod.metadata.name?.split('-').at(-1))
      if (ordinal >= partition)
        expect(
          pod.metadata.labels?.['controller-revision-hash'],
          set.status.updateRevision,
          `${what}: revision of ${ordinal}`,
        )
    }
  }
  for (const set of truth.all(apps.v1.daemonsets)) {
    const what = `daemonset ${keyOf(set)}`
    const selected = truth
      .all(core.v1.nodes)
      .filter(({ metadata }) =>
        Object.entries(set.spec.template.spec.nodeSelector ?? {}).every(
          ([name, value]) => metadata.labels?.[name] === value,
        ),
      )
    const nodes = activeOf(set.metadata.uid).map(nodeOf)
    expect(namesOf(nodes), namesOf(selected.map(({ metadata }) => metadata.name)), `${what}: nodes`)
    expect(set.status.numberReady, selected.length, `${what}: numberReady`)
    expect(set.status.updatedNumberScheduled ?? 0, selected.length, `${what}: updated`)
  }
  for (const job of truth.all(batch.v1.jobs)) {
    const what = `job ${keyOf(job)}`
    if (job.spec.parallelism !== 0) expect(isFinished(job), true, `${what}: is over`)
    if (!isFinished(job)) continue
    expect(activeOf(job.metadata.uid).length, 0, `${what}: active pods`)
    const left = podsOf(job.metadata.uid).filter(({ metadata }) => (metadata.finalizers?.length ?? 0) > 0)
    expect(left.length, 0, `${what}: pods with finalizers`)
    const isComplete = job.status?.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True')
    if (isComplete)
      expect((job.status?.succeeded ?? 0) >= (job.spec.completions ?? 1), true, `${what}: enough succeeded`)
    expect(job.status?.uncountedTerminatedPods?.succeeded?.length ?? 0, 0, `${what}: uncounted`)
  }
  for (const cronjob of truth.all(batch.v1.cronjobs)) {
    const children = truth.all(batch.v1.jobs).filter((job) => controllerOf(job)?.uid === cronjob.metadata.uid)
    if (children.length > 2) wrong.push(`cronjob ${keyOf(cronjob)} keeps ${children.length} jobs`)
    expect(
      cronjob.status?.active?.length ?? 0,
      children.filter((job) => !isFinished(job)).length,
      `cronjob ${keyOf(cronjob)}: active`,
    )
  }
  for (const service of truth.all(core.v1.services)) {
    if (!service.metadata.namespace?.startsWith(prefix)) continue
    checkService(truth, keyOf(service), service.spec.selector ?? {}, service.metadata, expect)
  }
  for (const budget of truth.all(policy.v1.poddisruptionbudgets)) {
    const app = budget.spec.selector?.matchLabels?.['app']
    const { namespace } = budget.metadata
    const guarded = truth
      .all(core.v1.pods)
      .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.['app'] === app)
    const what = `budget ${keyOf(budget)}`
    expect(budget.status?.currentHealthy, guarded.filter(isReady).length, `${what}: currentHealthy`)
    expect(budget.status?.observedGeneration, budget.metadata.generation, `${what}: observedGeneration`)
    const { expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed } = budget.status
    // Of pods that nobody controls a number that may be missing says nothing: none is expected, and none may go.
    if (guarded.length > 0 && expectedPods > 0)
      expect(disruptionsAllowed, Math.max(0, currentHealthy - desiredHealthy), `${what}: allowed`)
  }
  for (const quota of quotas) {
    const { namespace } = quota.metadata
    const pods = truth
      .all(core.v1.pods)
      .filter(
        ({ metadata, status }) =>
          metadata.namespace === namespace && status.phase !== 'Succeeded' && status.phase !== 'Failed',
      )
    expect(quota.status?.used?.['pods'], String(pods.length), `quota ${keyOf(quota)}: pods`)
    const maps = truth.all(core.v1.configmaps).filter(({ metadata }) => metadata.namespace === namespace)
    expect(quota.status?.used?.['count/configmaps'], String(maps.length), `quota ${keyOf(quota)}: configmaps`)
  }
  for (const { metadata } of truth.all(core.v1.namespaces)) {
    expect(
      truth.get(core.v1.serviceaccounts, `${metadata.name}/default`) !== undefined,
      true,
      `account of ${metadata.name}`,
    )
    expect(
      truth.get(core.v1.configmaps, `${metadata.name}/kube-root-ca.crt`) !== undefined,
      true,
      `authority of ${metadata.name}`,
    )
  }
  for (const pod of truth.all(core.v1.pods)) {
    const { nodeName } = pod.spec
    if (nodeName && !truth.get(core.v1.nodes, nodeName))
      wrong.push(`pod ${keyOf(pod)} is on node ${nodeName}, which is gone`)
  }
  for (const claim of truth.all(core.v1.persistentvolumeclaims)) {
    const volume = truth.all(core.v1.persistentvolumes).find(({ spec }) => spec.claimRef?.uid === claim.metadata.uid)
    expect(claim.spec.volumeName || undefined, volume?.metadata.name, `claim ${keyOf(claim)}: volume`)
    expect(claim.status?.phase, volume ? 'Bound' : 'Pending', `claim ${keyOf(claim)}: phase`)
  }
  if (wrong.length > 0) throw new Violation(`not as it should be at rest:\n${wrong.join('\n')}`)
}

function namesOf(names: readonly (string | undefined)[]): string {
  return names
    .map((name) => name ?? '')
    .sort()
    .join()
}

type Expect = (is: unknown, wanted: unknown, what: string) => void

/** Each workload has as many pods as its load needs, as far as its autoscaler allows. */
function checkAutoscalers(truth: Truth, loads: ReadonlyMap<string, number>, expect: Expect): void {
  for (const { metadata, spec } of truth.all(resources.autoscaling.v2.horizontalpodautoscalers)) {
    const key = joinKey(metadata.namespace ?? '', spec.scaleTargetRef.name)
    const replicas = truth.get(apps.v1.deployments, key)?.spec.replicas
    // Nothing is there to be scaled, or somebody has turned it off.
    if (replicas === undefined || replicas === 0) continue
    // What is measured of each pod is whole thousandths.
    const needed = (Math.round((loads.get(key) ?? 0) / replicas) * replicas) / targetMilli
    const isNear = Math.abs(needed / replicas - 1) <= toleranceMax
    const { minReplicas = 1, maxReplicas } = spec
    const wanted = Math.max(minReplicas, Math.min(maxReplicas, isNear ? replicas : Math.ceil(needed)))
    expect(replicas, wanted, `deployment ${key}: replicas of ${needed}`)
  }
}

/** Secrets that ask for a token have that of an account that there is. */
function checkTokens(truth: Truth, expect: Expect): void {
  for (const { metadata, type, data } of truth.all(core.v1.secrets)) {
    if (type !== 'kubernetes.io/service-account-token') continue
    const { [accountAnnotation]: name = '', 'kubernetes.io/service-account.uid': uid } = metadata.annotations ?? {}
    const account = truth.get(core.v1.serviceaccounts, joinKey(metadata.namespace ?? '', name))
    const what = `secret ${joinKey(metadata.namespace ?? '', metadata.name ?? '')}`
    expect(account !== undefined, true, `${what}: its account is there`)
    expect(uid, account?.metadata.uid, `${what}: uid of its account`)
    for (const key of ['token', 'namespace', 'ca.crt']) expect(data?.[key] !== undefined, true, `${what}: ${key}`)
  }
}

function checkDeployment(truth: Truth, deployment: Frozen<Deployment>, expect: Expect): void {
  const { metadata, spec, status } = deployment
  const what = `deployment ${keyOf(deployment)}`
  const { replicas = 1 } = spec
  expect(status?.observedGeneration, metadata.generation, `${what}: observedGeneration`)
  for (const name of ['replicas', 'updatedReplicas', 'availableReplicas'] as const)
    expect(status?.[name] ?? 0, replicas, `${what}: ${name}`)
  const sets = truth.all(apps.v1.replicasets).filter((set) => controllerOf(set)?.uid === metadata.uid)
  if (replicas > 0) expect(sets.filter((set) => set.spec.replicas !== 0).length, 1, `${what}: sets in use`)
  if (sets.length > 3) expect(sets.length, '≤ 3', `${what}: sets`)
}

function checkService(
  truth: Truth,
  key: string,
  selector: Readonly<Record<string, string>>,
  { namespace, name }: Frozen<ApiObject>['metadata'],
  expect: Expect,
): void {
  const pods = truth
    .all(core.v1.pods)
    .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.['app'] === selector['app'])
  const ready = pods.filter(isReady).map(({ status }) => status.podIP ?? '')
  const endpoints = truth.get(core.v1.endpoints, key)
  const addresses = (endpoints?.subsets ?? []).flatMap((subset) => subset.addresses ?? []).map(({ ip }) => ip)
  expect(addresses.toSorted().join(), ready.toSorted().join(), `endpoints ${key}`)
  const slices = truth
    .all(discovery.v1.endpointslices)
    .filter(
      ({ metadata }) => metadata.namespace === namespace && metadata.labels?.['kubernetes.io/service-name'] === name,
    )
    .filter(
      ({ metadata }) =>
        metadata.labels?.['endpointslice.kubernetes.io/managed-by'] === 'endpointslice-controller.k8s.io',
    )
  const inSlices = slices
    .flatMap(({ endpoints: all }) => all ?? [])
    .filter(({ conditions }) => conditions?.ready)
    .flatMap(({ addresses: all }) => all ?? [])
  expect(inSlices.toSorted().join(), ready.toSorted().join(), `slices of ${key}`)
}

/** Nothing of a seed is left. */
export function checkEmpty(truth: Truth, prefix: string): void {
  const left: string[] = []
  for (const { resource, object } of truth.everything())
    if (keyOf(object).startsWith(`${prefix}-`)) left.push(`${resource} ${keyOf(object)}`)
  if (left.length > 0) throw new Violation(`left behind: ${left.join(', ')}`)
}
