import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tables } from '../../../api/index.ts'
import { readEnvelope } from '../../../lib/codec/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import { type ApiObject, formatGroupVersion, type GroupResource, StatusError } from '../../../lib/object/index.ts'
import { createScheme, type ResourceDefinition } from '../../../lib/scheme/index.ts'
import { withEnvelope } from '../../support/otherform.ts'

interface StoredObject {
  readonly key: string
  readonly bytes: Uint8Array
}

const stored = (name: string): readonly StoredObject[] =>
  readFileSync(join(import.meta.dirname, `../../golden/stored/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { key, value } = JSON.parse(line) as { key: string; value: string }
      return { key, bytes: Buffer.from(value, 'base64') }
    })

/** What a stock API server of release 1.20 left in etcd. */
const recorded = stored('release-1.20')
/** Objects of versions before that one's, or in a form that it did not have, each as protobuf and as JSON. */
const earlier = stored('earlier-versions')

const pods = {
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ image: 'i', name: 'c' }] } },
}
const group = 'rbac.authorization.k8s.io'
const strict = { limitResponse: { type: 'Reject' } }
const url = { clientConfig: { url: 'https://a.example.com' }, name: 'a.example.com' }
const unknown = { sideEffects: 'Unknown', admissionReviewVersions: ['v1beta1'], matchPolicy: 'Exact' }

/** Parts of what each of them is read as. */
const readAs: Readonly<Record<string, object>> = {
  'deployments/default/old': {
    metadata: { annotations: { 'deprecated.deployment.rollback.to': '4' } },
    spec: { ...pods, replicas: 2, progressDeadlineSeconds: 2147483647 },
  },
  'deployments/default/older': { spec: { ...pods, replicas: 2, revisionHistoryLimit: 2 } },
  'daemonsets/default/old': {
    metadata: { annotations: { 'deprecated.daemonset.template.generation': '3' } },
    spec: { ...pods, updateStrategy: { type: 'OnDelete' }, revisionHistoryLimit: 5 },
  },
  'daemonsets/default/older': {
    metadata: { annotations: { 'deprecated.daemonset.template.generation': '6' } },
    spec: { ...pods, updateStrategy: { type: 'OnDelete' } },
  },
  'replicasets/default/old': { spec: { ...pods, replicas: 3 } },
  'statefulsets/default/old': { spec: { ...pods, serviceName: 's', podManagementPolicy: 'Parallel' } },
  'networkpolicies/default/old': {
    spec: {
      podSelector: { matchLabels: { app: 'a' } },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port: 80, protocol: 'TCP' }], from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
    },
  },
  'roles/default/old': {
    rules: [{ verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['web'] }],
  },
  'clusterroles/old': {
    rules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  },
  'rolebindings/default/old': {
    subjects: [
      { kind: 'ServiceAccount', name: 's', namespace: 'default' },
      { kind: 'Group', apiGroup: group, name: 'devs' },
      { kind: 'Robot', apiGroup: 'example.com', name: 'r' },
    ],
    roleRef: { apiGroup: group, kind: 'Role', name: 'old' },
  },
  'clusterrolebindings/old': {
    subjects: [
      { kind: 'Group', apiGroup: group, name: 'system:authenticated' },
      { kind: 'User', apiGroup: group, name: 'anna' },
    ],
  },
  'runtimeclasses/older': {
    handler: 'box',
    overhead: { podFixed: { cpu: '10m' } },
    scheduling: { nodeSelector: { box: 'yes' } },
  },
  'prioritylevelconfigurations/old': { spec: { type: 'Limited', limited: { ...strict, nominalConcurrencyShares: 7 } } },
  'prioritylevelconfigurations/older': { spec: { limited: { ...strict, nominalConcurrencyShares: 30 } } },
  'prioritylevelconfigurations/newer': {
    spec: { limited: { ...strict, nominalConcurrencyShares: 9, lendablePercent: 50 } },
  },
  'validatingwebhookconfigurations/sparse': {
    webhooks: [{ ...url, ...unknown, failurePolicy: 'Ignore', timeoutSeconds: 30 }],
  },
  'mutatingwebhookconfigurations/sparse': {
    webhooks: [{ ...url, ...unknown, failurePolicy: 'Fail', timeoutSeconds: 5, reinvocationPolicy: 'Never' }],
  },
  'certificatesigningrequests/client': {
    spec: { signerName: 'kubernetes.io/kube-apiserver-client-kubelet' },
    status: { conditions: [{ type: 'Approved', status: 'True' }] },
  },
  'certificatesigningrequests/serving': { spec: { signerName: 'kubernetes.io/kubelet-serving' } },
  'certificatesigningrequests/other': {
    spec: { signerName: 'kubernetes.io/legacy-unknown', usages: ['digital signature', 'key encipherment'] },
  },
}

const namesRead = [...new Set(earlier.map(({ key }) => key.slice('/registry/'.length)))]

describe('objects that were stored in versions that are not served any more', () => {
  const kinds = createKindSet(builtInKinds)
  const scheme = createScheme({ tables, kinds: (group, kind) => kinds.get(group, kind) })
  const hubs = scheme.resources.filter(({ gvr, hubVersion, storage }) => storage && gvr.version === hubVersion)

  function definitionOf(key: string): ResourceDefinition {
    const found = hubs.find(({ storage }) => key.startsWith(`/registry/${storage?.prefix}/`))
    assert.ok(found, key)
    return found
  }

  /** An object as clients see it, in every version and format. */
  function shown(object: ApiObject, resource: GroupResource): string[] {
    return scheme
      .versionsOf(resource)
      .flatMap(({ gvk }) =>
        (['application/json', 'application/vnd.kubernetes.protobuf'] as const).map((mediaType) =>
          Buffer.from(scheme.objects.encodeItem(scheme.objects.convert(object, gvk), mediaType) as Uint8Array).toString(
            'latin1',
          ),
        ),
      )
  }

  function read(name: string): ApiObject {
    const { key, bytes } = recorded.find((each) => each.key === `/registry/${name}`) ?? assert.fail(name)
    return scheme.codec(definitionOf(key).gvr).decodeFromStorage(bytes, '7')
  }

  it('are read as the hub version, and would be stored as such', () => {
    const versions = new Set<string>()
    for (const { key, bytes } of recorded) {
      const { gvr, gvk } = definitionOf(key)
      const object = scheme.codec(gvr).decodeFromStorage(bytes, '7')
      assert.deepEqual([object.apiVersion, object.kind], [formatGroupVersion(gvk), gvk.kind], key)
      assert.equal(object.metadata.name, key.slice(key.lastIndexOf('/') + 1))
      const form = scheme.codec(gvr).stored?.toCanonical?.(bytes)
      if (form) assert.deepEqual(shown(scheme.codec(gvr).decodeFromStorage(form, '7'), gvr), shown(object, gvr), key)
      const { apiVersion } = readEnvelope(bytes)
      if (apiVersion !== object.apiVersion) versions.add(apiVersion)
    }
    assert.deepEqual([...versions].sort(), [
      'admissionregistration.k8s.io/v1beta1',
      'autoscaling/v1',
      'batch/v1beta1',
      'certificates.k8s.io/v1beta1',
      'coordination.k8s.io/v1beta1',
      'discovery.k8s.io/v1beta1',
      'flowcontrol.apiserver.k8s.io/v1beta1',
      'networking.k8s.io/v1beta1',
      'node.k8s.io/v1beta1',
      'policy/v1beta1',
      'storage.k8s.io/v1beta1',
    ])
  })

  for (const name of namesRead)
    it(`are read by their shape, in protobuf and in JSON: ${name}`, () => {
      const forms = earlier.filter(({ key }) => key === `/registry/${name}`)
      assert.equal(forms.length, 2)
      const { gvr, gvk } = definitionOf(`/registry/${name}`)
      const objects = forms.map(({ bytes }) => scheme.codec(gvr).decodeFromStorage(bytes, '7'))
      for (const object of objects) {
        assert.deepEqual([object.apiVersion, object.kind], [formatGroupVersion(gvk), gvk.kind])
        assert.partialDeepStrictEqual(object, readAs[name] ?? assert.fail(name))
      }
      assert.deepEqual(objects[0], objects[1])
      // What a write leaves behind is read as the same.
      const [object = assert.fail(name)] = objects
      assert.deepEqual(scheme.codec(gvr).decodeFromStorage(scheme.objects.encodeForStorage(object), '7'), object)
    })

  it('are an ingress with backends of one service and port', () => {
    assert.deepEqual(read('ingress/default/old')['spec'], {
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [
              {
                path: '/a',
                pathType: 'ImplementationSpecific',
                backend: { service: { name: 'a', port: { name: 'http' } } },
              },
              { path: '/b', pathType: 'Prefix', backend: { service: { name: 'b', port: { number: 8080 } } } },
            ],
          },
        },
      ],
    })
  })

  it('are a budget whose empty selector selects no pod', () => {
    const label = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match'
    assert.deepEqual(read('poddisruptionbudgets/default/none')['spec'], {
      minAvailable: 1,
      selector: { matchExpressions: [{ key: label, operator: 'Exists' }] },
    })
    assert.deepEqual(read('poddisruptionbudgets/default/some')['spec'], {
      maxUnavailable: '10%',
      selector: { matchLabels: { app: 'a' } },
    })
  })

  it('are slices whose zone and host were in labels', () => {
    const { endpoints } = read('endpointslices/default/old') as unknown as { endpoints: object[] }
    assert.deepEqual(endpoints, [
      {
        addresses: ['10.1.2.3'],
        conditions: { ready: true },
        deprecatedTopology: { 'kubernetes.io/hostname': 'n1', rack: 'r9' },
        zone: 'z1',
      },
      { addresses: ['10.1.2.4'], conditions: {}, deprecatedTopology: { 'kubernetes.io/hostname': 'n2' } },
    ])
    const convert = kinds.get('discovery.k8s.io', 'EndpointSlice')?.convert?.['v1beta1']
    const endpoint = { nodeName: 'n1', topology: { 'kubernetes.io/hostname': 'n1' } }
    const converted = convert?.toHub({ ...read('endpointslices/default/old'), endpoints: [endpoint] })
    assert.deepEqual(converted?.['endpoints'], [{ nodeName: 'n1' }])
  })

  it('are priority levels with the shares that they had', () => {
    const { limited } = read('prioritylevelconfigurations/system')['spec'] as { limited: Record<string, unknown> }
    assert.equal(limited['nominalConcurrencyShares'], 30)
  })

  it('are the same objects where the version had the same form, in every version that the tables name', () => {
    let count = 0
    for (const { group, version, types } of tables)
      for (const [kind, type] of Object.entries(types)) {
        const resource = scheme.resourceOfKind({ group, version, kind })
        if (!resource?.storage) continue
        const body = { apiVersion: formatGroupVersion({ group, version }), kind, metadata: { name: 'a' } }
        const options = { mediaType: 'application/json', expected: { group, version, kind } } as const
        const { object } = scheme.objects.decodeObject(Buffer.from(JSON.stringify(body)), options)
        const current = scheme.objects.encodeItem(object, 'application/vnd.kubernetes.protobuf') as Uint8Array
        for (const earlier of type.earlierVersions ?? []) {
          const apiVersion = earlier.includes('/') ? earlier : formatGroupVersion({ group, version: earlier })
          const read = scheme.codec(hubOf(resource)).decodeFromStorage(withEnvelope(apiVersion, kind, current), '7')
          assert.equal(read.apiVersion, formatGroupVersion({ ...hubOf(resource), version: resource.hubVersion }))
          assert.equal(read.metadata.name, 'a')
          count++
        }
      }
    assert.ok(count >= 30, String(count))

    function hubOf({ gvr, table }: ResourceDefinition): { group: string; resource: string; version: string } {
      return { ...gvr, group: table.storageGroup ?? gvr.group }
    }
  })

  it('are refused where a request sends them', () => {
    const expected = { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' }
    const body = Buffer.from(
      JSON.stringify({ apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', metadata: {} }),
    )
    assert.throws(
      () => scheme.objects.decodeObject(body, { mediaType: 'application/json', expected }),
      (error) =>
        error instanceof StatusError &&
        error.code === 400 &&
        error.message ===
          'the API version in the data (policy/v1beta1) does not match the expected API version (policy/v1)',
    )
  })
})
