import assert from 'node:assert/strict'
import type { VolumeProjection } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { eventually } from '../../support/eventually.ts'
import { type HollowPlane, startHollowPlane } from '../../support/hollowplane.ts'

const { configmaps, secrets } = resources.core.v1
const namespace = 'default'

describe('files of hollow pods', () => {
  let hollow: HollowPlane
  before(async () => {
    hollow = await startHollowPlane(1)
    const { client } = hollow.plane
    const data = { greeting: 'hello\n' }
    await client
      .resource(configmaps)
      .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'words' }, data })
    const secret = { word: Buffer.from('sesame\n').toString('base64') }
    await client
      .resource(secrets)
      .create({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'hidden' }, data: secret })
  })
  after(async () => await hollow?.plane.stop())

  /** Runs a pod with a projected volume at /p, and one of its fields at /d; returns its log. */
  async function logOf(name: string, script: string, sources: VolumeProjection[]): Promise<string> {
    const items = [
      { path: 'notes', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.annotations' } },
      { path: 'cpu', resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1m' } },
    ]
    await hollow.createPod(
      name,
      {
        restartPolicy: 'Never',
        serviceAccountName: 'default',
        containers: [
          {
            name: 'main',
            image: 'i',
            command: ['sh', '-c', script],
            resources: { limits: { cpu: '1500m' } },
            volumeMounts: [
              { name: 'all', mountPath: '/p/' },
              { name: 'fields', mountPath: '/d' },
              { name: 'all', mountPath: '/one', subPath: 'b/word' },
            ],
          },
        ],
        volumes: [
          { name: 'all', projected: { sources } },
          { name: 'fields', downwardAPI: { items } },
        ],
      },
      { annotations: { b: 'two', a: 'say "x"' } },
    )
    await hollow.until(name, ({ status }) => status.phase === 'Succeeded' || status.phase === 'Failed', `${name} ends`)
    return await (await hollow.plane.fetch(`/api/v1/namespaces/default/pods/${name}/log`)).text()
  }

  it('projected volumes and fields of the pod are what cat prints', async () => {
    const text = await logOf('files', 'cat /p/greeting /p/b/word /p/name; echo; cat /d/notes /d/cpu /one /p/none', [
      { configMap: { name: 'words' } },
      { secret: { name: 'hidden', items: [{ key: 'word', path: 'b/word' }] } },
      { downwardAPI: { items: [{ path: 'name', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }] } },
    ])
    assert.deepEqual(text.split('\n'), [
      'hello',
      'sesame',
      'files',
      'a="say \\"x\\""',
      'b="two"1500sesame',
      "cat: can't open '/p/none': No such file or directory",
      '',
    ])
  })

  it('a projected token is one of the pod’s account, for the audience', async () => {
    const text = await logOf('token', 'cat /p/token', [
      { serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 600 } },
    ])
    const claims = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()) as {
      aud: string[]
      sub: string
      'kubernetes.io': { pod: { name: string } }
    }
    assert.deepEqual(
      [claims.aud, claims.sub, claims['kubernetes.io'].pod.name],
      [['vault'], 'system:serviceaccount:default:default', 'token'],
    )
  })

  it('a projected ConfigMap or key that is missing holds the pod up, in the words of a kubelet', async () => {
    const volumes = (name: string, key: string) => [
      { name: 'all', projected: { sources: [{ configMap: { name, items: [{ key, path: key }] } }] } },
    ]
    await hollow.createPod('waits', { volumes: volumes('nowhere', 'x') })
    await hollow.createPod('lacks', { volumes: volumes('words', 'x') })
    for (const [name, message] of [
      ['waits', 'configmap "nowhere" not found'],
      ['lacks', 'references non-existent config key: x'],
    ] as const) {
      await hollow.until(
        name,
        ({ status }) => status.containerStatuses?.[0]?.state?.waiting?.message === message,
        `${name}: ${message}`,
      )
      const told = `FailedMount: ${message}`
      await eventually(async () => (await hollow.eventsOf(name)).includes(told), told)
    }
  })
})
