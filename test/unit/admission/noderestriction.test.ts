import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { type AdmissionOperation, createNodeRestriction } from '../../../lib/admission/index.ts'
import { type ApiObject, StatusError } from '../../../lib/object/index.ts'
import { readSigningRequest } from '../../../lib/pki/index.ts'

const pod = (nodeName: string, change: object = {}, spec: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns', uid: 'u', ...change },
  spec: { nodeName, containers: [], ...spec },
})
const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'nu', controller: true }
const mirror = (change: object = {}, spec: object = {}): ApiObject =>
  pod('n1', { annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner], ...change }, spec)
const node = (change: object = {}, spec: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', ...change },
  spec,
})
const claim = (status: object, change: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c', namespace: 'ns', resourceVersion: String(Math.random()), ...change },
  spec: {},
  status,
})
const token = (spec: object): ApiObject => ({ apiVersion: 'v1', kind: 'TokenRequest', metadata: {}, spec })
const bound = { apiVersion: 'v1', kind: 'Pod', name: 'tp', uid: 'tu' }
const plain = (kind: string, name: string, spec: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  spec,
})

const objects: Record<string, ApiObject> = {
  'pods/ns/p': pod('n1'),
  'pods/ns/other': pod('n2'),
  'pods/ns/tp': pod(
    'n1',
    { uid: 'tu' },
    {
      volumes: [
        {
          name: 'a',
          projected: { sources: [{ serviceAccountToken: { audience: 'vault' } }, { serviceAccountToken: {} }] },
        },
        { name: 'b', persistentVolumeClaim: { claimName: 'c' } },
      ],
    },
  ),
  'pods/ns/mirror': mirror(),
  'serviceaccounts/ns/web': { ...plain('ServiceAccount', 'web'), metadata: { name: 'web', uid: 'su' } },
  'pods/ns/web': pod('n1', { uid: 'wu' }, { serviceAccountName: 'web' }),
  'pods/ns/webfar': pod('n2', { uid: 'wu' }, { serviceAccountName: 'web' }),
  'pods/ns/far': pod('n2', { uid: 'tu' }),
  'nodes//n1': node({ uid: 'nu' }),
  'persistentvolumeclaims/ns/c': plain('PersistentVolumeClaim', 'c', { volumeName: 'pv' }),
  'persistentvolumes//pv': plain('PersistentVolume', 'pv', { csi: { driver: 'driver' } }),
  'csidrivers//driver': plain('CSIDriver', 'driver', { tokenRequests: [{ audience: 'csi' }] }),
}

interface Write {
  op: AdmissionOperation
  /** `resource[/subresource][.group]` */
  on: string
  name?: string
  namespace?: string
  object?: ApiObject
  old?: ApiObject
  user?: string
  groups?: string[]
}

async function admit(
  write: Write,
  options: { anySigningRequests?: boolean; podCertificates?: boolean } = {},
): Promise<string> {
  const plugin = createNodeRestriction(
    {
      find: async (resource, namespace, name) => objects[`${resource}/${namespace}/${name}`],
      commonNameOf: (request) => readSigningRequest(request).commonName,
      isAllowed: async (_attributes, question) => question.resource === 'granted',
    },
    { apiAudiences: ['api'], restrictAudiences: true, anySigningRequests: false, podCertificates: true, ...options },
  )
  const {
    op,
    on,
    name = 'p',
    namespace = 'ns',
    object,
    old,
    user = 'system:node:n1',
    groups = ['system:nodes'],
  } = write
  const [, resource = '', subresource = '', group = ''] = /^([^/.]*)(?:\/([^.]*))?(?:\.(.*))?$/.exec(on) ?? []
  try {
    await plugin.mutate?.({
      operation: op,
      kind: { group, version: 'v1', kind: '' },
      resource: { group, version: 'v1', resource },
      subresource,
      namespace,
      name,
      user: { name: user, uid: '', groups, extra: {} },
      dryRun: false,
      object,
      oldObject: old,
      options: undefined,
      signal: new AbortController().signal,
      warn() {},
      annotate() {},
    })
    return 'fine'
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    return error.message.replace(/^.* is forbidden: /, '')
  }
}

const only = 'node "n1" can only create pods with'
const none = 'node "n1" can not create pods that reference'
const cases: [string, Write, string][] = [
  ['a mirror pod', { op: 'CREATE', on: 'pods', object: mirror() }, 'fine'],
  [
    'another pod',
    { op: 'CREATE', on: 'pods', object: pod('n1') },
    'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
  ],
  [
    "another node's",
    { op: 'CREATE', on: 'pods', object: mirror({}, { nodeName: 'n2' }) },
    `${only} spec.nodeName set to itself`,
  ],
  [
    'a pod of nobody',
    { op: 'CREATE', on: 'pods', object: mirror({ ownerReferences: [] }) },
    `${only} an owner reference set to itself`,
  ],
  [
    'a pod of two',
    { op: 'CREATE', on: 'pods', object: mirror({ ownerReferences: [owner, owner] }) },
    `${only} a single owner reference set to itself`,
  ],
  [
    'not as controller',
    { op: 'CREATE', on: 'pods', object: mirror({ ownerReferences: [{ ...owner, controller: false }] }) },
    `${only} a controller owner reference set to itself`,
  ],
  [
    'a former node',
    { op: 'CREATE', on: 'pods', object: mirror({ ownerReferences: [{ ...owner, uid: 'x' }] }) },
    'node n1 UID mismatch: expected x got nu',
  ],
  [
    'blocking',
    { op: 'CREATE', on: 'pods', object: mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }) },
    'node "n1" must not set blockOwnerDeletion on an owner reference',
  ],
  [
    'with an account',
    { op: 'CREATE', on: 'pods', object: mirror({}, { serviceAccountName: 'x' }) },
    `${none} a service account`,
  ],
  [
    'with a secret',
    { op: 'CREATE', on: 'pods', object: mirror({}, { imagePullSecrets: [{ name: 'x' }] }) },
    `${none} secrets`,
  ],
  [
    'with a config map',
    { op: 'CREATE', on: 'pods', object: mirror({}, { volumes: [{ name: 'x', configMap: { name: 'x' } }] }) },
    `${none} configmaps`,
  ],
  [
    'with a claim',
    { op: 'CREATE', on: 'pods', object: mirror({}, { volumes: [{ name: 'x', ephemeral: {} }] }) },
    `${none} persistentvolumeclaims`,
  ],
  [
    'with a resource claim',
    { op: 'CREATE', on: 'pods', object: mirror({}, { resourceClaims: [{ name: 'x' }] }) },
    `${none} resourceclaims`,
  ],
  ['its pod away', { op: 'DELETE', on: 'pods' }, 'fine'],
  [
    "another's pod away",
    { op: 'DELETE', on: 'pods', name: 'other' },
    'node "n1" can only delete pods with spec.nodeName set to itself',
  ],
  ['no pod away', { op: 'DELETE', on: 'pods', name: 'gone' }, 'pod "gone" not found'],
  [
    'a change',
    { op: 'UPDATE', on: 'pods', object: pod('n1'), old: pod('n1') },
    'unexpected operation "UPDATE", node "n1" can only create and delete mirror pods',
  ],
  ['a status', { op: 'UPDATE', on: 'pods/status', object: pod('n1'), old: pod('n1') }, 'fine'],
  [
    "another's status",
    { op: 'UPDATE', on: 'pods/status', object: pod('n2'), old: pod('n2') },
    'node "n1" can only update pod status for pods with spec.nodeName set to itself',
  ],
  [
    'labels',
    { op: 'UPDATE', on: 'pods/status', object: pod('n1', { labels: { a: 'b' } }), old: pod('n1') },
    'node "n1" cannot update labels through pod status',
  ],
  ['an eviction', { op: 'CREATE', on: 'pods/eviction', object: plain('Eviction', 'p') }, 'fine'],
  [
    "another's eviction",
    { op: 'CREATE', on: 'pods/eviction', name: 'other', object: plain('Eviction', 'other') },
    'node n1 can only evict pods with spec.nodeName set to itself',
  ],
  [
    'a binding',
    { op: 'CREATE', on: 'pods/binding', object: plain('Binding', 'p') },
    "unexpected pod subresource \"binding\", only 'status' and 'eviction' are allowed",
  ],
  [
    'itself',
    {
      op: 'CREATE',
      on: 'nodes',
      name: '',
      object: node({
        labels: {
          'kubernetes.io/os': 'linux',
          'node.kubernetes.io/x': '',
          'a.kubelet.kubernetes.io/x': '',
          'example.com/x': '',
        },
      }),
    },
    'fine',
  ],
  [
    'another node',
    { op: 'CREATE', on: 'nodes', name: '', object: node({ name: 'n2' }) },
    'node "n1" is not allowed to modify node "n2"',
  ],
  [
    'reserved labels',
    {
      op: 'CREATE',
      on: 'nodes',
      name: '',
      object: node({ labels: { 'node-restriction.kubernetes.io/x': '', 'a.k8s.io/b': '' } }),
    },
    'node "n1" is not allowed to set the following labels: a.k8s.io/b, node-restriction.kubernetes.io/x',
  ],
  [
    'reserved labels of another node: whose it is comes first',
    { op: 'CREATE', on: 'nodes', name: '', object: node({ name: 'n2', labels: { 'a.k8s.io/b': '' } }) },
    'node "n1" is not allowed to modify node "n2"',
  ],
  [
    'taints',
    {
      op: 'UPDATE',
      on: 'nodes',
      name: 'n1',
      object: node(),
      old: node({}, { taints: [{ key: 'a', effect: 'NoSchedule' }] }),
    },
    'node "n1" is not allowed to modify taints',
  ],
  [
    'removed labels',
    {
      op: 'UPDATE',
      on: 'nodes',
      name: 'n1',
      object: node(),
      old: node({ labels: { 'x.node-restriction.kubernetes.io/y': '' } }),
    },
    'is not allowed to modify labels: x.node-restriction.kubernetes.io/y',
  ],
  [
    'owners of itself',
    { op: 'UPDATE', on: 'nodes', name: 'n1', object: node({ ownerReferences: [owner] }), old: node() },
    'node "n1" is not allowed to modify ownerReferences',
  ],
  [
    'a config source',
    { op: 'UPDATE', on: 'nodes', name: 'n1', object: node({}, { configSource: { configMap: {} } }), old: node() },
    'node "n1" is not allowed to update configSource to a new non-nil configSource',
  ],
  [
    "another node's status",
    { op: 'UPDATE', on: 'nodes/status', name: 'n2', object: node(), old: node() },
    'node "n1" is not allowed to modify node "n2"',
  ],
  [
    'sizes of a claim',
    {
      op: 'UPDATE',
      on: 'persistentvolumeclaims/status',
      object: claim({ capacity: { storage: '2Gi' } }),
      old: claim({ capacity: { storage: '1Gi' } }),
    },
    'fine',
  ],
  [
    'the phase of a claim',
    { op: 'UPDATE', on: 'persistentvolumeclaims/status', object: claim({ phase: 'Bound' }), old: claim({}) },
    'node "n1" is not allowed to update fields other than status.quantity and status.conditions',
  ],
  [
    'labels of a claim',
    { op: 'UPDATE', on: 'persistentvolumeclaims/status', object: claim({}, { labels: { a: 'b' } }), old: claim({}) },
    'node "n1" is not allowed to update fields other than status.quantity and status.conditions',
  ],
  [
    'a claim',
    { op: 'UPDATE', on: 'persistentvolumeclaims', object: claim({}), old: claim({}) },
    'may only update PVC status',
  ],
  [
    'its lease',
    { op: 'CREATE', on: 'leases.coordination.k8s.io', namespace: 'kube-node-lease', object: plain('Lease', 'n1') },
    'fine',
  ],
  [
    "another's lease",
    {
      op: 'UPDATE',
      on: 'leases.coordination.k8s.io',
      namespace: 'kube-node-lease',
      name: 'n2',
      object: plain('Lease', 'n2'),
    },
    'can only access node lease with the same name as the requesting node',
  ],
  [
    'a lease elsewhere',
    { op: 'CREATE', on: 'leases.coordination.k8s.io', object: plain('Lease', 'n1') },
    'can only access leases in the "kube-node-lease" system namespace',
  ],
  [
    "another's CSINode",
    { op: 'CREATE', on: 'csinodes.storage.k8s.io', object: plain('CSINode', 'n2') },
    'can only access CSINode with the same name as the requesting node',
  ],
  [
    "another's slice",
    { op: 'CREATE', on: 'resourceslices.resource.k8s.io', object: plain('ResourceSlice', 's', { nodeName: 'n2' }) },
    'can only create ResourceSlice with the same NodeName as the requesting node',
  ],
  [
    "another's slice away",
    { op: 'DELETE', on: 'resourceslices.resource.k8s.io', old: plain('ResourceSlice', 's', { nodeName: 'n2' }) },
    'can only delete ResourceSlice with the same NodeName as the requesting node',
  ],
  [
    'a token of a pod',
    { op: 'CREATE', on: 'serviceaccounts/token', object: token({ boundObjectRef: bound, audiences: ['vault'] }) },
    'fine',
  ],
  [
    'a token for the API',
    { op: 'CREATE', on: 'serviceaccounts/token', object: token({ boundObjectRef: bound, audiences: ['api'] }) },
    'fine',
  ],
  [
    'a token for a driver',
    { op: 'CREATE', on: 'serviceaccounts/token', object: token({ boundObjectRef: bound, audiences: ['csi'] }) },
    'fine',
  ],
  [
    'a token that it may ask for',
    { op: 'CREATE', on: 'serviceaccounts/token', object: token({ boundObjectRef: bound, audiences: ['granted'] }) },
    'fine',
  ],
  [
    'a token for others',
    { op: 'CREATE', on: 'serviceaccounts/token', object: token({ boundObjectRef: bound, audiences: ['x'] }) },
    'audience "x" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience',
  ],
  [
    'a token for two',
    { op: 'CREATE', on: 'serviceaccounts/token', object: token({ boundObjectRef: bound, audiences: ['vault', 'x'] }) },
    'node may only request 0 or 1 audiences',
  ],
  [
    'a token of nothing',
    { op: 'CREATE', on: 'serviceaccounts/token', object: token({}) },
    'node requested token not bound to a pod',
  ],
  [
    'a token of any pod',
    { op: 'CREATE', on: 'serviceaccounts/token', object: token({ boundObjectRef: { ...bound, uid: '' } }) },
    'node requested token with a pod binding without a uid',
  ],
  [
    'a token of a former pod',
    { op: 'CREATE', on: 'serviceaccounts/token', object: token({ boundObjectRef: { ...bound, uid: 'x' } }) },
    'the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
  ],
  [
    "a token of another's pod",
    { op: 'CREATE', on: 'serviceaccounts/token', object: token({ boundObjectRef: { ...bound, name: 'far' } }) },
    'node requested token bound to a pod scheduled on a different node',
  ],
  [
    'who does not say which it is',
    { op: 'CREATE', on: 'configmaps', user: 'system:node:', object: plain('ConfigMap', 'c') },
    'could not determine node from user "system:node:"',
  ],
  ['who is no agent', { op: 'CREATE', on: 'pods', groups: [], object: pod('n1') }, 'fine'],
  ['other resources', { op: 'CREATE', on: 'configmaps', object: plain('ConfigMap', 'c') }, 'fine'],
]

const certificate = (change: object = {}): Write => ({
  op: 'CREATE',
  on: 'podcertificaterequests.certificates.k8s.io',
  object: plain('PodCertificateRequest', 'r', {
    signerName: 'example.com/x',
    podName: 'web',
    podUID: 'wu',
    serviceAccountName: 'web',
    serviceAccountUID: 'su',
    nodeName: 'n1',
    nodeUID: 'nu',
    ...change,
  }),
})
const about = 'PodCertificateRequest for pod "ns/web"'
const certificates: [string, Write, string][] = [
  ['for a pod on it', certificate(), 'fine'],
  [
    'for another node',
    certificate({ nodeName: 'n2' }),
    'PodCertificateRequest.Spec.NodeName="n2", which is not the requesting node "n1"',
  ],
  [
    'with another UID of the node',
    certificate({ nodeUID: 'x' }),
    `${about} names node UID "x", inconsistent with the running node ("nu")`,
  ],
  [
    'for a pod that is gone',
    certificate({ podName: 'gone' }),
    'while retrieving pod "ns/gone" named in the PodCertificateRequest: pod "gone" not found',
  ],
  [
    'with another UID of the pod',
    certificate({ podUID: 'x' }),
    `${about} contains pod UID ("x") which differs from running pod "wu"`,
  ],
  [
    "for another node's pod",
    certificate({ podName: 'webfar' }),
    'pod "ns/webfar" is not running on node "n1" named in the PodCertificateRequest',
  ],
  ['for a mirror pod', certificate({ podName: 'mirror', podUID: 'u' }), 'pod "ns/mirror" is a mirror pod'],
  [
    'for another service account',
    certificate({ serviceAccountName: 'root' }),
    `${about} contains serviceAccountName ("root") that differs from running pod ("web")`,
  ],
  [
    'with another UID of the service account',
    certificate({ serviceAccountUID: 'x' }),
    `${about} names service account UID "x", which differs from the running service account ("su")`,
  ],
  ['to change one', { ...certificate(), op: 'UPDATE' }, 'unexpected operation UPDATE'],
]

describe('NodeRestriction, of a request for the certificate of a pod', () => {
  for (const [title, write, expected] of certificates)
    it(`${title}: ${expected}`, async () => {
      assert.equal(await admit(write), expected)
    })

  it('refuses all without their gate, and lets others than nodes pass', async () => {
    assert.equal(
      await admit(certificate(), { podCertificates: false }),
      'PodCertificateRequest feature gate is disabled',
    )
    assert.equal(await admit({ ...certificate({ nodeName: 'n2' }), groups: [] }), 'fine')
  })

  it('a mirror pod with a certificate is refused', async () => {
    const volumes = [{ name: 'v', projected: { sources: [{ podCertificate: { signerName: 'a.io/b' } }] } }]
    assert.equal(
      await admit({ op: 'CREATE', on: 'pods', object: mirror({}, { volumes }) }),
      'node "n1" can not create pods that reference podcertificates',
    )
  })
})

describe('NodeRestriction', () => {
  for (const [title, write, expected] of cases)
    it(`${title}: ${expected}`, async () => {
      assert.equal(await admit(write), expected)
    })

  it('lets an agent ask for its own certificate only', async function () {
    let request: string
    try {
      const line = [
        'req',
        '-new',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        '/dev/null',
      ]
      request = execFileSync('openssl', [...line, '-subj', '/O=system:nodes/CN=system:node:n1'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    } catch {
      this.skip()
      return
    }
    const signing = (user: string, text: string, signerName = 'kubernetes.io/kubelet-serving'): Write => ({
      op: 'CREATE',
      on: 'certificatesigningrequests.certificates.k8s.io',
      user,
      object: plain('CertificateSigningRequest', 'r', { signerName, request: Buffer.from(text).toString('base64') }),
    })
    assert.equal(await admit(signing('system:node:n1', request)), 'fine')
    assert.equal(await admit(signing('system:node:n2', request)), 'can only create a node CSR with CN=system:node:n2')
    assert.equal(await admit(signing('system:node:n2', request, 'example.com/x')), 'fine')
    assert.equal(await admit(signing('system:node:n2', request), { anySigningRequests: true }), 'fine')
    assert.match(await admit(signing('system:node:n1', 'garbage')), /^unable to parse csr: /)
    const cut = request.replace(/\n[^\n]+\n-----END/, '\n-----END')
    for (let length = 30; length < cut.length - 40; length += 50)
      assert.match(
        await admit(signing('system:node:n2', `${cut.slice(0, length)}\n-----END`)),
        /^(unable to parse|can only create)/,
      )
  })
})
