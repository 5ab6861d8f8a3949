import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { createConversion } from '../../../cmd/pilothouse/conversion.ts'
import { splitDocuments } from '../../../lib/codec/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'

const scheme = createScheme({ tables, kinds: createKindSet(builtInKinds).get })

function converted(text: string): { objects: readonly ApiObject[]; problems: readonly string[] } {
  const conversion = createConversion({ scheme, target: undefined, validate: 'Strict' })
  for (const document of splitDocuments(Buffer.from(`---\n${text}`))) conversion.add('file', document)
  return { objects: conversion.objects, problems: conversion.problems.map(({ message }) => message) }
}

/** The one object of a text; its spec as plain data. */
function one(text: string): { apiVersion: string; spec: Record<string, unknown> } {
  const { objects, problems } = converted(text)
  assert.deepEqual(problems, [])
  const [object] = objects
  assert.ok(object)
  return { apiVersion: object.apiVersion, spec: JSON.parse(JSON.stringify(object['spec'] ?? {})) }
}

const template = 'template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}'

describe('cmd: versions that were removed', () => {
  it('a deployment keeps the pods and the pace that it had', () => {
    const { apiVersion, spec } = one(
      `{apiVersion: extensions/v1beta1, kind: Deployment, metadata: {name: d}, spec: {rollbackTo: {revision: 1}, ${template}}}`,
    )
    assert.equal(apiVersion, 'apps/v1')
    assert.deepEqual(spec['selector'], { matchLabels: { app: 'web' } })
    assert.deepEqual(spec['strategy'], { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } })
    assert.equal(spec['progressDeadlineSeconds'], 2 ** 31 - 1)
    assert.equal(spec['rollbackTo'], undefined)
  })

  it('an explicit setting is not overruled', () => {
    const { spec } = one(
      `{apiVersion: apps/v1beta1, kind: StatefulSet, metadata: {name: s}, spec: {serviceName: s, selector: {matchLabels: {app: web}}, updateStrategy: {type: RollingUpdate}, ${template}}}`,
    )
    assert.deepEqual(spec['updateStrategy'], { type: 'RollingUpdate' })
    assert.deepEqual(spec['selector'], { matchLabels: { app: 'web' } })
  })

  it('an ingress names its services and paths as it is done now', () => {
    const { apiVersion, spec } = one(`
apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata: {name: i}
spec:
  backend: {serviceName: web, servicePort: http}
  rules:
  - host: example.com
    http:
      paths:
      - {path: /a, backend: {serviceName: a, servicePort: 80}}
      - {path: /b, pathType: Prefix, backend: {resource: {apiGroup: g, kind: K, name: x}}}
`)
    assert.equal(apiVersion, 'networking.k8s.io/v1')
    assert.deepEqual(spec, {
      defaultBackend: { service: { name: 'web', port: { name: 'http' } } },
      rules: [
        {
          host: 'example.com',
          http: {
            paths: [
              {
                path: '/a',
                pathType: 'ImplementationSpecific',
                backend: { service: { name: 'a', port: { number: 80 } } },
              },
              { path: '/b', pathType: 'Prefix', backend: { resource: { apiGroup: 'g', kind: 'K', name: 'x' } } },
            ],
          },
        },
      ],
    })
  })

  it('an empty selector of a budget still matches nothing', () => {
    const { apiVersion, spec } = one(
      '{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {minAvailable: 1, selector: {}}}',
    )
    assert.equal(apiVersion, 'policy/v1')
    const key = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match'
    assert.deepEqual(spec['selector'], { matchExpressions: [{ key, operator: 'Exists' }] })
  })

  it('kinds of the same shape change their version alone', () => {
    const texts = [
      '{apiVersion: batch/v1beta1, kind: CronJob, metadata: {name: a}, spec: {schedule: "* * * * *", jobTemplate: {}}}',
      '{apiVersion: rbac.authorization.k8s.io/v1beta1, kind: Role, metadata: {name: a}, rules: []}',
      '{apiVersion: storage.k8s.io/v1beta1, kind: StorageClass, metadata: {name: a}, provisioner: p}',
      '{apiVersion: autoscaling/v2beta2, kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {maxReplicas: 1, scaleTargetRef: {kind: Deployment, name: d}}}',
    ]
    const { objects, problems } = converted(texts.join('\n---\n'))
    assert.deepEqual(problems, [])
    assert.deepEqual(
      objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
      [
        'batch/v1 CronJob',
        'rbac.authorization.k8s.io/v1 Role',
        'storage.k8s.io/v1 StorageClass',
        'autoscaling/v2 HorizontalPodAutoscaler',
      ],
    )
  })

  it('a definition of a custom resource has its schema where it belongs now', () => {
    const { apiVersion, spec } = one(`
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec: {group: example.com, version: v1, scope: Namespaced, names: {plural: things, kind: Thing}, versions: [{name: v1, served: true, storage: true}], validation: {openAPIV3Schema: {type: object}}}
`)
    assert.equal(apiVersion, 'apiextensions.k8s.io/v1')
    const [version] = spec['versions'] as { schema: object }[]
    assert.deepEqual(version?.schema, { openAPIV3Schema: { type: 'object' } })
  })

  it('a setting without a place in the new version is reported', () => {
    const { problems } = converted(
      `{apiVersion: apps/v1beta2, kind: Deployment, metadata: {name: d}, spec: {nonsense: 1, ${template}}}`,
    )
    assert.deepEqual(problems, [
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.nonsense"',
    ])
  })
})
