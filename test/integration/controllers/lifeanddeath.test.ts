import assert from 'node:assert/strict'
import type { Job } from '../../../api/gen/batch/v1.ts'
import type { Node, Secret } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import type { Transport } from '../../../lib/client/index.ts'
import { ttlafterfinished } from '../../../lib/controllers/ttlafterfinished/index.ts'
import type { StatusError } from '../../../lib/object/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type ManagedPlane, startManagedPlane } from '../../support/managedplane.ts'
import { runControllers } from '../../support/runcontrollers.ts'

const { configmaps, namespaces, nodes, secrets } = resources.core.v1
const { jobs } = resources.batch.v1
const { clusterroles } = resources.rbac.v1

/** A job that is done as soon as it is there. */
async function createDoneJob(plane: ControlPlane, name: string): Promise<Job> {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }
  const made = await plane.client.resource(jobs).create({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace: 'default', name },
    spec: { ttlSecondsAfterFinished: 0, template },
  } as never)
  const at = new Date().toISOString().replace(/\.\d+/, '')
  const status = {
    ...made.status,
    startTime: at,
    completionTime: at,
    succeeded: 1,
    uncountedTerminatedPods: {},
    conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: at,
      lastProbeTime: at,
    })),
  }
  return (await plane.client.resource(jobs).updateStatus({ ...made, status } as never)) as Job
}

describe('controllers of life and death against the API', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({
      controllers: [
        'ttl-after-finished-controller',
        'ttl-controller',
        'token-cleaner-controller',
        'bootstrap-signer-controller',
        'clusterrole-aggregation-controller',
        'pod-garbage-collector-controller',
        'certificatesigningrequest-cleaner-controller',
      ],
    })
  })
  after(async () => {
    await plane.stop()
  })

  it('a finished job is deleted after its time to live', async () => {
    const made = await createDoneJob(plane, 'done')
    await eventually(async () => {
      const job = await plane.client
        .resource(jobs)
        .get(made.metadata)
        .catch(() => undefined)
      return job === undefined || job.metadata.deletionTimestamp !== undefined
    }, 'deletion')
  })

  it('nodes learn how long they may use mounted objects', async () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: {}, status: {} }
    await plane.client.resource(nodes).create(node as Node)
    await eventually(async () => {
      const { metadata } = await plane.client.resource(nodes).get({ name: 'n' })
      return metadata.annotations?.['node.alpha.kubernetes.io/ttl'] === '0'
    }, 'the annotation')
  })

  const token = (id: string, more: Readonly<Record<string, string>>): Secret =>
    ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'kube-system', name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true', ...more },
    }) as Secret

  it('bootstrap tokens that have expired are deleted; others sign the cluster-info', async () => {
    await eventually(async () => {
      const namespace = await plane.client
        .resource(namespaces)
        .get({ name: 'kube-public' })
        .catch(() => undefined)
      return namespace !== undefined
    }, 'kube-public')
    await plane.client.resource(configmaps).create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'kube-public', name: 'cluster-info' },
      data: { kubeconfig: 'facts' },
    })
    const all = plane.client.resource(secrets)
    await all.create(token('oldold', { expiration: '2020-01-01T00:00:00Z' }))
    await all.create(token('newnew', {}))
    const map = { namespace: 'kube-public', name: 'cluster-info' }
    const data = async () => (await plane.client.resource(configmaps).get(map)).data ?? {}
    await eventually(async () => 'jws-kubeconfig-newnew' in (await data()), 'a signature')
    await eventually(async () => {
      const { items } = await all.list({ namespace: 'kube-system' })
      return !items.some(({ metadata }) => metadata.name === 'bootstrap-token-oldold')
    }, 'the expired token goes')
    assert.deepEqual(Object.keys(await data()).sort(), ['jws-kubeconfig-newnew', 'kubeconfig'])
    await all.delete({ namespace: 'kube-system', name: 'bootstrap-token-newnew' })
    await eventuallyEquals(async () => Object.keys(await data()).length, 1, 'no signature')
  })

  it('a cluster role is filled with the rules that it selects, and emptied again', async () => {
    const all = plane.client.resource(clusterroles)
    const role = (name: string, more: object): never =>
      ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, ...more }) as never
    const matchLabels = { to: 'sum' }
    await all.create(role('sum', { aggregationRule: { clusterRoleSelectors: [{ matchLabels }] }, rules: [] }))
    const rules = [{ verbs: ['get'], apiGroups: ['example.com'], resources: ['things'] }]
    await all.create(role('part', { metadata: { name: 'part', labels: matchLabels }, rules }))
    await eventuallyEquals(async () => (await all.get({ name: 'sum' })).rules?.length, 1, 'rules')
    assert.deepEqual((await all.get({ name: 'sum' })).rules, rules)
    await all.delete({ name: 'part' })
    await eventuallyEquals(async () => ((await all.get({ name: 'sum' })).rules ?? []).length, 0, 'no rules')
  })
})

describe('tokens of service accounts against the API', () => {
  let plane: ControlPlane
  let whenSettled: ManagedPlane['whenSettled']
  before(async () => {
    const controllers = ['serviceaccount-controller', 'serviceaccount-token-controller']
    ;({ plane, whenSettled } = await startManagedPlane({ controllers }))
  })
  after(async () => {
    await plane.stop()
  })

  it('a secret for a missing account is deleted', async () => {
    const all = plane.client.resource(secrets)
    const at = { namespace: 'default', name: 'lost' }
    await all.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...at, annotations: { 'kubernetes.io/service-account.name': 'nobody' } },
      type: 'kubernetes.io/service-account-token',
    } as Secret)
    await eventually(async () => (await all.get(at).catch(() => undefined)) === undefined, 'deletion')
  })

  it('a secret for an account is filled with a token, once, and is deleted with the account', async () => {
    const all = plane.client.resource(secrets)
    const at = { namespace: 'default', name: 'filled' }
    const accounts = plane.client.resource(resources.core.v1.serviceaccounts)
    const account = { namespace: 'default', name: 'robot' }
    const { metadata } = await accounts.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: account })
    await all.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...at, annotations: { 'kubernetes.io/service-account.name': 'robot' } },
      type: 'kubernetes.io/service-account-token',
    } as Secret)
    await eventually(async () => 'token' in ((await all.get(at)).data ?? {}), 'a token')
    const filled = await all.get(at)
    assert.deepEqual(Object.keys(filled.data ?? {}).sort(), ['ca.crt', 'namespace', 'token'])
    assert.equal(filled.metadata.annotations?.['kubernetes.io/service-account.uid'], metadata.uid)
    const token = Buffer.from(Object.getOwnPropertyDescriptor(filled.data, 'token')?.value, 'base64').toString()
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    assert.deepEqual(claims, {
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': 'filled',
      'kubernetes.io/serviceaccount/service-account.name': 'robot',
      'kubernetes.io/serviceaccount/service-account.uid': metadata.uid,
      sub: 'system:serviceaccount:default:robot',
    })
    await whenSettled()
    assert.equal((await all.get(at)).metadata.resourceVersion, filled.metadata.resourceVersion)
    await accounts.delete(account)
    await eventually(async () => (await all.get(at).catch(() => undefined)) === undefined, 'deletion')
  })
})

describe('the controller of finished jobs', () => {
  it('does not overrule a user who deletes the job meanwhile and orphans its pods', async () => {
    const plane = await startControlPlane({ controllers: ['job-controller'] })
    const outcomes: string[] = []
    const wrap = (transport: Transport): Transport => ({
      ...transport,
      async send(request) {
        if (request.method !== 'DELETE') return await transport.send(request)
        await plane.client
          .resource(jobs)
          .delete({ namespace: 'default', name: 'kept' }, { propagationPolicy: 'Orphan' })
        try {
          return await transport.send(request)
        } catch (error) {
          outcomes.push((error as StatusError).reason)
          throw error
        }
      },
    })
    const manager = await runControllers(plane, [ttlafterfinished], {}, { wrap })
    try {
      await createDoneJob(plane, 'kept')
      await eventually(() => outcomes.length > 0, 'a refused deletion')
      const { metadata } = await plane.client.resource(jobs).get({ namespace: 'default', name: 'kept' })
      assert.deepEqual([outcomes[0], metadata.finalizers], ['Conflict', ['orphan']])
    } finally {
      await manager.close()
      await plane.stop()
    }
  })
})
