import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod, Volume } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import { eventually } from '../support/eventually.ts'
import { ask } from '../support/plane.ts'
import { itAtOnce } from './atonce.ts'
import { container, forever, podOf } from './objects.ts'
import { describeOnNode } from './sharednode.ts'
import { createOver, isOver, isPodReady, untilLogs, untilPod } from './waiting.ts'

const { configmaps, persistentvolumeclaims, persistentvolumes, pods, secrets, serviceaccounts } = resources.core.v1

const named = (name: string) => ({ name, namespace: 'default' })
const bytes = (text: string): string => Buffer.from(text).toString('base64')

/** A pod that runs a script with volumes at the paths that they are named after: `/data`. */
function withVolumes(name: string, script: string, volumes: readonly Volume[], spec: Partial<Pod['spec']> = {}): Pod {
  const volumeMounts = volumes.map((volume) => ({ name: volume.name, mountPath: `/${volume.name}` }))
  return podOf(name, [container(script, { volumeMounts })], { restartPolicy: 'Never', volumes: [...volumes], ...spec })
}

describeOnNode('volumes and variables on a real kubelet', (on) => {
  const client = () => on().cluster.client
  const create = async (pod: Pod) => await createOver(client(), pods, pod)
  const createMap = async (name: string, data: Record<string, string>) =>
    await createOver(client(), configmaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: named(name), data })
  const createSecret = async (name: string, data: Record<string, string>) =>
    await createOver(client(), secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: named(name),
      type: 'Opaque',
      data,
    })
  const output = async (name: string): Promise<string> => {
    await untilPod(client(), name, isOver)
    return (await on().cluster.kubectl(['logs', name])).stdout
  }

  itAtOnce({
    async 'an emptyDir on disk and one in memory are writable'() {
      const volumes = [
        { name: 'disk', emptyDir: {} },
        { name: 'memory', emptyDir: { medium: 'Memory' } },
      ]
      await create(
        withVolumes(
          'empty',
          'echo a > /disk/a; echo b > /memory/b; cat /disk/a /memory/b; grep -c " /memory tmpfs" /proc/mounts',
          volumes,
        ),
      )
      assert.equal(await output('empty'), 'a\nb\n1\n')
    },

    async 'config maps and secrets are files, whose changes arrive, and variables, which stay'() {
      await createMap('colours', { sky: 'blue', grass: 'green' })
      await createSecret('keys', { password: bytes('hunter2') })
      const volumes = [
        { name: 'map', configMap: { name: 'colours', items: [{ key: 'sky', path: 'above/sky' }] } },
        { name: 'secret', secret: { secretName: 'keys', defaultMode: 0o400 } },
        { name: 'absent', configMap: { name: 'no-such', optional: true } },
      ]
      const pod = withVolumes(
        'configured',
        `echo $SKY $K_password; stat -c %a /secret/..data/password; until grep red /map/above/sky; do sleep 0.2; done; echo $SKY; ${forever}`,
        volumes,
      )
      const [main] = pod.spec.containers ?? []
      Object.assign(main as object, {
        env: [{ name: 'SKY', valueFrom: { configMapKeyRef: { name: 'colours', key: 'sky' } } }],
        envFrom: [{ prefix: 'K_', secretRef: { name: 'keys' } }],
      })
      await create(pod)
      await untilLogs(on().cluster, 'configured', /^blue hunter2\n400\n$/)
      await client()
        .resource(configmaps)
        .patch(named('colours'), 'merge', { data: { sky: 'red' } })
      // A kubelet looks for changes of a pod's maps with every sync of the pod, which a new annotation brings forward.
      await client()
        .resource(pods)
        .patch(named('configured'), 'merge', { metadata: { annotations: { look: 'again' } } })
      await untilLogs(on().cluster, 'configured', /^blue hunter2\n400\nred\nblue\n$/)
    },

    async 'a pod waits for a config map that does not exist yet'() {
      await create(withVolumes('hesitant', 'cat /map/key', [{ name: 'map', configMap: { name: 'later' } }]))
      await untilPod(client(), 'hesitant', ({ spec }) => spec.nodeName === 'node-1')
      await createMap('later', { key: 'value\n' })
      assert.equal(await output('hesitant'), 'value\n')
    },

    async 'the downward API shows the pod, and resources of its containers'() {
      const items = [
        { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
        { path: 'limit', resourceFieldRef: { containerName: 'main', resource: 'limits.memory', divisor: '1Mi' } },
      ]
      const pod = withVolumes('self', 'cat /info/labels; echo; cat /info/limit; echo; echo $NAME $NODE $HOST_IP', [
        { name: 'info', downwardAPI: { items } },
      ])
      const [main] = pod.spec.containers ?? []
      const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } })
      Object.assign(main as object, {
        resources: { limits: { memory: '64Mi' } },
        env: [field('NAME', 'metadata.name'), field('NODE', 'spec.nodeName'), field('HOST_IP', 'status.hostIP')],
      })
      await create(pod)
      assert.equal(await output('self'), `app="self"\n64\nself node-1 ${on().node.machine.address}\n`)
    },

    async 'a host path shows the node’s folder, and sub paths parts of a volume'() {
      const folder = join(on().node.machine.folder, 'host')
      mkdirSync(join(folder, 'part'), { recursive: true })
      writeFileSync(join(folder, 'part/file'), 'on the node\n')
      const pod = withVolumes('host', 'cat /host/part/file /whole /of-host; echo back > /host/back', [
        { name: 'host', hostPath: { path: folder, type: 'Directory' } },
      ])
      const [main] = pod.spec.containers ?? []
      main?.volumeMounts?.push(
        { name: 'host', mountPath: '/whole', subPath: 'part/file' },
        { name: 'host', mountPath: '/of-host', subPathExpr: '$(PART)/file' },
      )
      Object.assign(main as object, { env: [{ name: 'PART', value: 'part' }] })
      await create(pod)
      assert.equal(await output('host'), 'on the node\n'.repeat(3))
      assert.equal(readFileSync(join(folder, 'back'), 'utf8'), 'back\n')
    },

    async 'a claim on a local volume is bound, and mounted'() {
      const folder = join(on().node.machine.folder, 'volume')
      mkdirSync(folder)
      const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'by-hand' }
      await client()
        .resource(persistentvolumes)
        .create({
          apiVersion: 'v1',
          kind: 'PersistentVolume',
          metadata: { name: 'disk' },
          spec: {
            ...spec,
            capacity: { storage: '1Gi' },
            hostPath: { path: folder },
            persistentVolumeReclaimPolicy: 'Retain',
          },
          status: {},
        })
      await client()
        .resource(persistentvolumeclaims)
        .create({
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: named('claim'),
          spec: { ...spec, resources: { requests: { storage: '1Gi' } } },
          status: {},
        })
      await create(
        withVolumes('claimant', 'echo kept > /data/file', [
          { name: 'data', persistentVolumeClaim: { claimName: 'claim' } },
        ]),
      )
      await output('claimant')
      assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'kept\n')
    },

    async 'tokens of a service account work against the API as far as their audience and rights go'() {
      await createOver(client(), serviceaccounts, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: named('robot'),
      })
      const sources = [{ serviceAccountToken: { path: 'token', audience: 'somebody-else', expirationSeconds: 600 } }]
      const volumes = [{ name: 'other', projected: { sources } }]
      await create(withVolumes('robot', forever, volumes, { serviceAccountName: 'robot' }))
      await untilPod(client(), 'robot', isPodReady)
      const read = async (path: string) => (await on().cluster.kubectl(['exec', 'robot', '--', 'cat', path])).stdout
      const own = '/var/run/secrets/kubernetes.io/serviceaccount'
      assert.equal((await read(`${own}/ca.crt`)).trim(), on().cluster.plane.caCertificate.trim())
      assert.equal(await read(`${own}/namespace`), 'default')
      const { url } = on().cluster.plane
      const token = await read(`${own}/token`)
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
      const review = await ask(url, '/apis/authentication.k8s.io/v1/selfsubjectreviews', { token, body })
      const { username, extra } = review.body.status.userInfo
      assert.equal(username, 'system:serviceaccount:default:robot')
      assert.deepEqual(extra['authentication.kubernetes.io/pod-name'], ['robot'])
      assert.equal((await ask(url, '/api/v1/secrets', { token })).status, 403)
      assert.equal((await ask(url, '/api', { token: await read('/other/token') })).status, 401)
      await client().resource(pods).delete(named('robot'))
      await untilPod(client(), 'robot', 'deleted')
      await eventually(async () => (await ask(url, '/api', { token })).status === 401, 'the token ends with its pod')
    },
  })

  after(async () => {
    await client().resource(pods).deleteCollection({ namespace: 'default' })
  })
})
