import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import { manifestFolder } from '../../hack/node/kubelet.ts'
import type { Frozen } from '../../lib/object/index.ts'
import { eventually } from '../support/eventually.ts'
import { itAtOnce } from './atonce.ts'
import { container, forever, podOf } from './objects.ts'
import { describeOnNode } from './sharednode.ts'
import { createOver, isOver, isPodReady, untilLogs, untilPod } from './waiting.ts'

const { events, pods } = resources.core.v1

const probe = { periodSeconds: 1, failureThreshold: 1, initialDelaySeconds: 1 }
/** A folder that all containers of the pod share. */
const shared = { volumes: [{ name: 'shared', emptyDir: {} }] }
const volumeMounts = [{ name: 'shared', mountPath: '/shared' }]

const isWaiting =
  (reason: string) =>
  ({ status }: Frozen<Pod>): boolean =>
    status.containerStatuses?.[0]?.state?.waiting?.reason === reason

describeOnNode('the life of pods on a real kubelet', (on) => {
  const client = () => on().cluster.client
  const remove = async (name: string, options = {}) =>
    await client().resource(pods).delete({ namespace: 'default', name }, options)
  const create = async (pod: Pod) => await createOver(client(), pods, pod)
  const logs = async (name: string): Promise<string> => (await on().cluster.kubectl(['logs', name])).stdout

  itAtOnce({
    async 'init containers run one after the other before the others'() {
      const init = ['one', 'two'].map((name) => container(`echo ${name} >> /shared/order`, { name, volumeMounts }))
      const spec = { ...shared, restartPolicy: 'Never', initContainers: init }
      await create(podOf('steps', [container('cat /shared/order; echo main', { volumeMounts })], spec))
      await untilPod(client(), 'steps', isOver)
      assert.equal(await logs('steps'), 'one\ntwo\nmain\n')
    },

    async 'a pod is ready when its probes succeed, and not before'() {
      const byCommand = { ...probe, exec: { command: ['test', '-e', '/tmp/ready'] } }
      await create(podOf('unready', [container(forever, { readinessProbe: byCommand })]))
      await create(
        podOf('served', [container(undefined, { readinessProbe: { ...probe, httpGet: { path: '/', port: 8080 } } })]),
      )
      await untilPod(client(), 'served', isPodReady)
      const running = await untilPod(client(), 'unready', ({ status }) => status.phase === 'Running')
      assert.equal(isPodReady(running), false)
      await on().cluster.kubectl(['exec', 'unready', '--', 'touch', '/tmp/ready'])
      await untilPod(client(), 'unready', isPodReady)
    },

    async 'a container whose liveness probe fails is restarted'() {
      const livenessProbe = { ...probe, exec: { command: ['test', '-e', '/tmp/alive'] } }
      await create(
        podOf('dying', [container(`touch /tmp/alive; sleep 2; rm /tmp/alive; ${forever}`, { livenessProbe })]),
      )
      await untilPod(client(), 'dying', ({ status }) => (status.containerStatuses?.[0]?.restartCount ?? 0) > 0)
      const about = { namespace: 'default', fieldSelector: 'involvedObject.name=dying,reason=Killing' }
      await eventually(async () => {
        const { items } = await client().resource(events).list(about)
        return /failed liveness probe/.test(items[0]?.message ?? '') || items
      }, 'an event about the container that is killed')
    },

    async 'hooks run after the start and before the end, within the grace period'() {
      const lifecycle = {
        postStart: { exec: { command: ['sh', '-c', 'echo started > /shared/started'] } },
        preStop: { exec: { command: ['sh', '-c', 'echo stopping > /proc/1/fd/1; sleep 1'] } },
      }
      const main = container(`until cat /shared/started; do sleep 0.2; done 2> /dev/null; ${forever}`, {
        volumeMounts,
        lifecycle,
      })
      await create(podOf('hooked', [main], { ...shared, terminationGracePeriodSeconds: 20 }))
      await untilPod(client(), 'hooked', isPodReady)
      await untilLogs(on().cluster, 'hooked', /^started\n$/)
      const followed = on().cluster.kubectl(['logs', '-f', 'hooked'])
      await remove('hooked')
      const going = await client().resource(pods).get({ namespace: 'default', name: 'hooked' })
      assert.equal(going.metadata.deletionGracePeriodSeconds, 20)
      assert.match((await followed).stdout, /^started\nstopping\n/)
      await untilPod(client(), 'hooked', 'deleted')
    },

    async 'exit codes, deadlines, and memory that ran out are reported'() {
      const limits = { limits: { memory: '16Mi' } }
      await create(podOf('failed', [container('echo why > /dev/termination-log; exit 7')], { restartPolicy: 'Never' }))
      await create(podOf('late', [container(forever)], { restartPolicy: 'Never', activeDeadlineSeconds: 2 }))
      await create(podOf('hungry', [container('tail /dev/zero', { resources: limits })], { restartPolicy: 'Never' }))
      const ended = async (name: string) => (await untilPod(client(), name, isOver)).status
      const failed = await ended('failed')
      const { exitCode, message } = failed.containerStatuses?.[0]?.state?.terminated ?? {}
      assert.deepEqual([failed.phase, exitCode, message], ['Failed', 7, 'why\n'])
      const late = await ended('late')
      assert.deepEqual([late.phase, late.reason], ['Failed', 'DeadlineExceeded'])
      assert.equal((await ended('hungry')).containerStatuses?.[0]?.state?.terminated?.reason, 'OOMKilled')
    },

    async 'images that must not be pulled and users that must not run are reported'() {
      await create(podOf('missing', [container(forever, { image: 'registry.test/none:1' })]))
      await create(podOf('root', [container(forever, { securityContext: { runAsNonRoot: true } })]))
      await untilPod(client(), 'missing', isWaiting('ErrImageNeverPull'))
      await untilPod(client(), 'root', isWaiting('CreateContainerConfigError'))
    },

    async 'a security context sets user, groups and capabilities'() {
      const securityContext = { runAsUser: 65534, runAsGroup: 4711, fsGroup: 4712 }
      const dropped = { capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true }
      const main = container('id; grep CapBnd /proc/self/status; touch /file 2>&1', { securityContext: dropped })
      await create(podOf('person', [main], { restartPolicy: 'Never', securityContext }))
      await untilPod(client(), 'person', isOver)
      const seen =
        'uid=65534(nobody) gid=4711 groups=4711,4712\nCapBnd:\t0000000000000000\ntouch: /file: Read-only file system\n'
      assert.equal(await logs('person'), seen)
    },

    async 'a static pod has a mirror pod, which comes back when it is deleted and ends with its file'() {
      const file = join(manifestFolder(on().node.machine), 'fixed.json')
      writeFileSync(file, JSON.stringify(podOf('fixed', [container()])))
      const mirror = await untilPod(client(), 'fixed-node-1', isPodReady)
      assert.equal(mirror.metadata.annotations?.['kubernetes.io/config.source'], 'file')
      assert.equal(mirror.metadata.ownerReferences?.[0]?.name, 'node-1')
      await remove('fixed-node-1', { gracePeriodSeconds: 0 })
      await untilPod(client(), 'fixed-node-1', ({ metadata }) => metadata.uid !== mirror.metadata.uid)
      rmSync(file)
      await untilPod(client(), 'fixed-node-1', 'deleted')
    },

    async 'a pod is deleted when its containers have ended, and at once where that is forced'() {
      const stubborn = container('trap "" TERM; while :; do sleep 1; done')
      await create(podOf('slow', [stubborn], { terminationGracePeriodSeconds: 3 }))
      await create(podOf('forced', [stubborn], { terminationGracePeriodSeconds: 60 }))
      await untilPod(client(), 'slow', isPodReady)
      const startMs = performance.now()
      await remove('slow')
      await untilPod(client(), 'slow', 'deleted')
      assert.ok(performance.now() - startMs > 2500, 'it had its grace period')
      await untilPod(client(), 'forced', isPodReady)
      await remove('forced', { gracePeriodSeconds: 0 })
      await assert.rejects(client().resource(pods).get({ namespace: 'default', name: 'forced' }), /not found/)
    },
  })

  after(async () => {
    await client().resource(pods).deleteCollection({ namespace: 'default' })
  })
})
