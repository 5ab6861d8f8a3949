import assert from 'node:assert/strict'
import type { Job } from '../../../api/gen/batch/v1.ts'
import type { Endpoints, Node, PersistentVolume, Pod, Service } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import type { Manager } from '../../../lib/controller/index.ts'
import { endpointslice } from '../../../lib/controllers/endpointslice/index.ts'
import { endpointslicemirroring } from '../../../lib/controllers/endpointslicemirroring/index.ts'
import { nodeipam } from '../../../lib/controllers/nodeipam/index.ts'
import { pvbinder } from '../../../lib/controllers/pvbinder/index.ts'
import { ttlafterfinished } from '../../../lib/controllers/ttlafterfinished/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { runControllers } from '../../support/runcontrollers.ts'

const { endpoints, nodes, persistentvolumes, pods, services } = resources.core.v1
const { jobs } = resources.batch.v1
const namespace = 'default'

describe('metrics of controllers', () => {
  let plane: ControlPlane
  let manager: Manager
  const metrics = createMetrics()
  before(async () => {
    plane = await startControlPlane({ controllers: [] })
    const settings = { allocateNodeCidrs: true, clusterCidr: ['10.244.0.0/16'], endpointsliceUpdatesBatchPeriod: 0 }
    const controllers = [endpointslice, endpointslicemirroring, nodeipam, pvbinder, ttlafterfinished]
    manager = await runControllers(plane, controllers, settings, { metrics })
    await manager.whenSynced()
  })
  after(async () => {
    await manager.close()
    await plane.stop()
  })

  /** The lines of metrics that begin so, without this. */
  async function lines(prefix: string): Promise<string[]> {
    const { body } = await metrics.exposition()
    return body.split('\n').flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []))
  }

  async function untilShown(prefix: string, wanted: readonly string[]): Promise<void> {
    const missing = async (): Promise<string[]> => {
      const shown = new Set(await lines(prefix))
      return wanted.filter((line) => !shown.has(line))
    }
    await eventuallyEquals(async () => (await missing()).length, 0, 'the metrics', 10_000).catch(() => {})
    assert.deepEqual(await missing(), [], (await lines(prefix)).join('\n'))
  }

  const serviceOf = (name: string, spec: object): Service =>
    ({ apiVersion: 'v1', kind: 'Service', metadata: { namespace, name }, spec }) as Service

  it('metrics of EndpointSlices count endpoints, slices and writes', async () => {
    const spec = { selector: { app: 'web' }, trafficDistribution: 'PreferClose', ports: [{ port: 80 }] }
    await plane.client.resource(services).create(serviceOf('web', spec))
    for (const [index, name] of ['a', 'b'].entries()) {
      const pod = { metadata: { namespace, name, labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } // biome-ignore format: one line
      await plane.client.resource(pods).create({ apiVersion: 'v1', kind: 'Pod', ...pod } as unknown as Pod)
      const ip = `10.1.0.${index + 1}`
      const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }] }
      await plane.client.resource(pods).patchStatus({ namespace, name }, 'merge', { status })
    }
    await untilShown('endpoint_slice_controller_', [
      'endpoints_desired 2',
      'num_endpoint_slices 1',
      'desired_endpoint_slices 1',
      'endpoints_added_per_sync_sum 2',
      'endpoints_removed_per_sync_sum 0',
      'changes{operation="create"} 1',
      'services_count_by_traffic_distribution{traffic_distribution="PreferClose"} 1',
    ])
    assert.match((await lines('endpoint_slice_controller_syncs')).join(), /\{result="success"\} [1-9]/)
    await plane.client.resource(pods).delete({ namespace, name: 'a' }, { gracePeriodSeconds: 0 })
    await untilShown('endpoint_slice_controller_', ['endpoints_desired 1', 'endpoints_removed_per_sync_sum 1'])
    await plane.client.resource(services).delete({ namespace, name: 'web' })
    await untilShown('endpoint_slice_controller_', ['endpoints_desired 0', 'num_endpoint_slices 0'])
  })

  it('metrics of mirrored EndpointSlices count skipped addresses, too', async () => {
    await plane.client.resource(services).create(serviceOf('db', { ports: [{ port: 5432 }] }))
    const subsets = [{ addresses: [{ ip: '10.1.2.3' }, { ip: '10.1.2.4' }], ports: [{ port: 5432 }] }]
    const made = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace, name: 'db' }, subsets }
    await plane.client.resource(endpoints).create(made as Endpoints)
    const all = ['endpoints_desired 2', 'endpoints_added_per_sync_sum 2', 'changes{operation="create"} 1']
    await untilShown('endpoint_slice_mirroring_controller_', [...all, 'addresses_skipped_per_sync_sum 0'])
  })

  it('metrics of blocks of addresses count allocations and releases', async () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }
    await plane.client.resource(nodes).create(node as Node)
    await untilShown('node_ipam_controller_', [
      'cirdset_max_cidrs{clusterCIDR="10.244.0.0/16"} 256',
      'cidrset_usage_cidrs{clusterCIDR="10.244.0.0/16"} 0.00390625',
      'cidrset_cidrs_allocations_total{clusterCIDR="10.244.0.0/16"} 1',
      'cidrset_allocation_tries_per_request_count{clusterCIDR="10.244.0.0/16"} 1',
    ])
    await untilShown('running_managed_controllers', ['{manager="kube-controller-manager",name="nodeipam"} 1'])
    await plane.client.resource(nodes).delete({ name: 'n1' })
    await untilShown('node_ipam_controller_', ['cidrset_cidrs_releases_total{clusterCIDR="10.244.0.0/16"} 1'])
  })

  it('metrics of volumes count them by class', async () => {
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'fast', hostPath: { path: '/data' } } // biome-ignore format: one line
    const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v' }, spec }
    await plane.client.resource(persistentvolumes).create(volume as unknown as PersistentVolume)
    await untilShown('pv_collector_', [
      'unbound_pv_count{storage_class="fast"} 1',
      'total_pv_count{plugin_name="kubernetes.io/host-path",volume_mode="Filesystem"} 1',
    ])
  })

  it('metrics of finished jobs measure how late these are deleted', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { namespace, name: 'j' }, spec: { ttlSecondsAfterFinished: 0, template } } // biome-ignore format: one line
    const made = await plane.client.resource(jobs).create(job as Job)
    const time = new Date().toISOString().replace(/\.\d+/, '')
    const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: time, lastProbeTime: time })
    const status = {
      startTime: time,
      completionTime: time,
      conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
    }
    await plane.client.resource(jobs).updateStatus({ ...made, status } as Job)
    await untilShown('ttl_after_finished_controller_', ['job_deletion_duration_seconds_count 1'])
  })
})
