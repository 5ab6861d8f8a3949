import { resources } from '../../../api/gen/resources.ts'
import type { ApiObject, Frozen, ResourceType } from '../../../lib/object/index.ts'
import type { Truth } from '../controllers/truth.ts'
import { Violation } from '../controllers/violation.ts'

const app = 'bystander'
const labels = { app }
const podSpec = { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1m' } } }] }
const template = { metadata: { labels }, spec: podSpec }
const replicas = 3

/** Plain objects in the namespace of extreme ones. */
export function bystanders(namespace: string): readonly [ResourceType<ApiObject>, Frozen<ApiObject>][] {
  const metadata = { name: app, namespace }
  const made = (
    type: unknown,
    apiVersion: string,
    kind: string,
    spec: object,
  ): [ResourceType<ApiObject>, ApiObject] => [
    // Types differ in what they hold; these objects are as users write them.
    type as ResourceType<ApiObject>,
    { apiVersion, kind, metadata, spec },
  ]
  const selector = { matchLabels: labels }
  const job = { template: { spec: { ...podSpec, restartPolicy: 'Never' } } }
  return [
    made(resources.apps.v1.deployments, 'apps/v1', 'Deployment', { replicas, selector, template }),
    made(resources.apps.v1.statefulsets, 'apps/v1', 'StatefulSet', {
      replicas,
      serviceName: app,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: { app: 'set' } },
      template: { ...template, metadata: { labels: { app: 'set' } } },
    }),
    made(resources.batch.v1.jobs, 'batch/v1', 'Job', { ...job, completions: 2, parallelism: 2 }),
    made(resources.batch.v1.cronjobs, 'batch/v1', 'CronJob', { schedule: '* * * * *', jobTemplate: { spec: job } }),
    made(resources.core.v1.services, 'v1', 'Service', { selector: labels, ports: [{ port: 80 }] }),
    made(resources.policy.v1.poddisruptionbudgets, 'policy/v1', 'PodDisruptionBudget', { minAvailable: 1, selector }),
  ]
}

/** Throws Violation where a controller has not done its work on one of them. */
export function checkBystanders(truth: Truth, namespace: string): void {
  const inNamespace = (type: unknown): Frozen<ApiObject>[] =>
    truth.all(type as ResourceType<ApiObject>).filter(({ metadata }) => metadata.namespace === namespace)
  const { core, apps, batch, discovery, policy } = resources
  const count = (what: string, type: unknown, least: number, is: (object: Frozen<ApiObject>) => boolean): void => {
    const found = inNamespace(type).filter(is).length
    if (found < least) throw new Violation(`of ${least} ${what} there are ${found}`)
  }
  const isNamed = ({ metadata }: Frozen<ApiObject>): boolean => metadata.name?.startsWith(`${app}-`) === true
  const isOf = (name: string) => (object: Frozen<ApiObject>) => object.metadata.labels?.['app'] === name
  count('sets of the deployment', apps.v1.replicasets, 1, isNamed)
  count('pods of the deployment', core.v1.pods, replicas, isOf(app))
  count('pods of the stateful set', core.v1.pods, replicas, isOf('set'))
  count('pods of the job', core.v1.pods, 2, ({ metadata }) => metadata.labels?.['job-name'] === app)
  count('jobs of the cron job', batch.v1.jobs, 1, isNamed)
  count('slices of the service', discovery.v1.endpointslices, 1, isNamed)
  count('budgets with a status', policy.v1.poddisruptionbudgets, 1, (budget) => {
    const status = budget['status'] as { observedGeneration?: number } | undefined
    return budget.metadata.name === app && status?.observedGeneration !== undefined
  })
}
