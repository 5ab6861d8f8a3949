import assert from 'node:assert/strict'
import type * as core from '../../../api/gen/core/v1.ts'
import {
  createDefaultIngressClass,
  createDefaultStorageClass,
  createPersistentVolumeClaimResize,
  createRuntimeClass,
} from '../../../lib/admission/index.ts'
import { admit, make } from '../../support/admissionkit.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const classOf = (name: string, annotation = '', creationTimestamp = '2026-01-01T00:00:00Z', more: object = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'Class',
    metadata: { name, creationTimestamp, ...(annotation && { annotations: { [annotation]: 'true' } }) },
    ...more,
  }) as never

describe('DefaultStorageClass', () => {
  const ga = 'storageclass.kubernetes.io/is-default-class'
  const beta = 'storageclass.beta.kubernetes.io/is-default-class'
  const later = '2026-02-01T00:00:00Z'
  const annotated = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'own' } }
  for (const [title, classes, spec, metadata, expected] of [
    ['gives a claim the default class', [classOf('a'), classOf('b', ga)], {}, {}, 'b'],
    ['takes the former annotation, too', [classOf('b', beta)], {}, {}, 'b'],
    ['takes the newest of several', [classOf('a', ga), classOf('b', ga, later), classOf('c', ga)], {}, {}, 'b'],
    ['takes the first by name of equally new ones', [classOf('b', ga), classOf('a', ga)], {}, {}, 'a'],
    ['does nothing without a default', [classOf('a')], {}, {}, undefined],
    ['leaves a class that was named', [classOf('b', ga)], { storageClassName: 'own' }, {}, 'own'],
    ['leaves a claim that wants none', [classOf('b', ga)], { storageClassName: '' }, {}, ''],
    ['leaves a class that an annotation names', [classOf('b', ga)], {}, annotated, undefined],
  ] as const)
    it(title, async () => {
      const plugin = createDefaultStorageClass({ all: async () => classes })
      const { spec: got } = (await admit(
        plugin,
        'persistentvolumeclaims',
        make('PersistentVolumeClaim', { ...spec }, metadata),
      )) as core.PersistentVolumeClaim
      assert.equal(got.storageClassName, expected)
    })
})

describe('DefaultIngressClass', () => {
  const key = 'ingressclass.kubernetes.io/is-default-class'
  const annotated = { annotations: { 'kubernetes.io/ingress.class': 'own' } }
  for (const [title, classes, spec, metadata, expected] of [
    ['gives an ingress the default class', [classOf('a'), classOf('b', key)], {}, {}, 'b'],
    ['takes the newest of several', [classOf('a', key), classOf('b', key, '2026-03-01T00:00:00Z')], {}, {}, 'b'],
    ['does nothing without a default', [classOf('a')], {}, {}, undefined],
    ['leaves a class that was named', [classOf('b', key)], { ingressClassName: 'own' }, {}, 'own'],
    ['leaves a class that an annotation names', [classOf('b', key)], {}, annotated, undefined],
  ] as const)
    it(title, async () => {
      const plugin = createDefaultIngressClass({ all: async () => classes })
      const { spec: got } = await admit(plugin, 'ingresses.networking.k8s.io', make('Ingress', { ...spec }, metadata))
      assert.equal((got as { ingressClassName?: string }).ingressClassName, expected)
    })
})

describe('PersistentVolumeClaimResize', () => {
  const plugin = createPersistentVolumeClaimResize({
    find: async (name) =>
      name === 'gone' ? undefined : classOf(name, '', undefined, { allowVolumeExpansion: name === 'grows' }),
  })
  const claim = (storage: string, storageClassName = 'grows', phase = 'Bound') => ({
    ...make('PersistentVolumeClaim', { resources: { requests: { storage } }, storageClassName }),
    status: { phase },
  })
  const notDynamic =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'
  for (const [title, old, next, why] of [
    ['lets a claim grow whose class can', claim('1Gi'), claim('2Gi'), undefined],
    ['lets a claim stay as it is, whatever its class', claim('1Gi', 'fixed'), claim('1024Mi', 'fixed'), undefined],
    ['refuses growth where the class can not', claim('1Gi', 'fixed'), claim('2Gi', 'fixed'), notDynamic],
    ['refuses growth where the class is gone', claim('1Gi', 'gone'), claim('2Gi', 'gone'), notDynamic],
    ['refuses growth without a class', claim('1Gi', ''), claim('2Gi', ''), notDynamic],
    ['refuses growth with a change of class', claim('1Gi', 'fixed'), claim('2Gi', 'grows'), notDynamic],
    [
      'refuses growth before there is a volume',
      claim('1Gi', 'grows', 'Pending'),
      claim('2Gi'),
      'Only bound persistent volume claims can be expanded',
    ],
  ] as const)
    it(title, async () => {
      const admitted = admit(plugin, 'persistentvolumeclaims', next, { operation: 'UPDATE', oldObject: old })
      if (why === undefined) await admitted
      else await assert.rejects(admitted, { code: 403, message: `persistentvolumeclaims "x" is forbidden: ${why}` })
    })
})

describe('RuntimeClass', () => {
  const podFixed = { cpu: '250m' }
  const seconds = (tolerationSeconds: number) => ({
    key: 'k',
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  })
  const everything = { operator: 'Exists' }
  const classes: Record<string, object> = {
    plain: {},
    heavy: { overhead: { podFixed } },
    placed: { scheduling: { nodeSelector: { disk: 'ssd' }, tolerations: [seconds(30)] } },
    tolerant: { scheduling: { tolerations: [everything] } },
  }
  const plugin = createRuntimeClass({
    find: async (name) => classes[name] && classOf(name, '', undefined, { handler: 'h', ...classes[name] }),
  })
  const run = async (spec: object): Promise<core.PodSpec> =>
    ((await admit(plugin, 'pods', make('Pod', spec))) as core.Pod).spec

  for (const [title, spec, expected] of [
    ['leaves a pod without a class', {}, {}],
    ['leaves a pod of a class that says nothing', { runtimeClassName: 'plain' }, {}],
    ['adds what pods of the class cost', { runtimeClassName: 'heavy' }, { overhead: podFixed }],
    ['takes a cost that is the same', { runtimeClassName: 'heavy', overhead: podFixed }, { overhead: podFixed }],
    [
      'joins the places of the class with those of the pod',
      { runtimeClassName: 'placed', nodeSelector: { disk: 'ssd', zone: 'a' }, tolerations: [{ key: 'own' }] },
      { nodeSelector: { disk: 'ssd', zone: 'a' }, tolerations: [{ key: 'own' }, seconds(30)] },
    ],
    [
      'keeps a toleration only where no other covers it',
      { runtimeClassName: 'tolerant', tolerations: [{ key: 'own', effect: 'NoSchedule' }] },
      { tolerations: [everything] },
    ],
    [
      'keeps the longer of two tolerations',
      { runtimeClassName: 'placed', tolerations: [seconds(60)] },
      { nodeSelector: { disk: 'ssd' }, tolerations: [seconds(60)] },
    ],
  ] as const)
    it(title, async () => {
      const { runtimeClassName: _, ...got } = await run(structuredClone(spec))
      assert.deepEqual(got, expected)
    })

  it('refuses more tolerations than can be compared without holding up others', async () => {
    const many = (length: number) =>
      Array.from({ length }, (_, index) => ({ key: 'k', operator: 'Equal', value: `v${index}`, effect: 'NoSchedule' }))
    assert.equal((await run({ runtimeClassName: 'placed', tolerations: many(250) })).tolerations?.length, 251)
    const startMs = threadCpuMs()
    const refused = run({ runtimeClassName: 'placed', tolerations: many(20_000) })
    await assert.rejects(refused, { code: 403, message: /250 tolerations at most/ })
    assert.ok(threadCpuMs() - startMs < 500)
  })

  const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
  for (const [title, spec, why] of [
    ['a class that is not there', { runtimeClassName: 'nope' }, 'pod rejected: RuntimeClass "nope" not found'],
    ['another cost than the class has', { runtimeClassName: 'heavy', overhead: { cpu: '1' } }, mismatch],
    [
      'a cost without a class',
      { overhead: { cpu: '1' } },
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ],
    [
      'another place than the class has',
      { runtimeClassName: 'placed', nodeSelector: { disk: 'hdd' } },
      'conflict: runtimeClass.scheduling.nodeSelector[disk] = ssd; pod.spec.nodeSelector[disk] = hdd',
    ],
  ] as const)
    it(`refuses ${title}`, () =>
      assert.rejects(run(structuredClone(spec)), { code: 403, message: `pods "x" is forbidden: ${why}` }))
})
