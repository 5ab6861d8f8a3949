import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  type AuthorizationAttributes,
  createNodeAuthorizer,
  createNodeGraph,
  type GraphKind,
  type NodeGraph,
} from '../../../lib/authz/index.ts'
import type { ObjectListener } from '../../../lib/authz/objects.ts'
import { createFakeClock, silentMetrics } from '../../../lib/base/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'

const context = { signal: new AbortController().signal }
const newGraph = (): NodeGraph => createNodeGraph({ clock: createFakeClock(), metrics: silentMetrics })
/** The listeners of the nodes' pods, as followers of each node call them. */
const podsOf = (graph: NodeGraph, nodes = ['n1', 'n2']): ObjectListener => {
  const listeners = nodes.map((node) => graph.podsOf(node))
  return {
    set: (object) => listeners.forEach((listener) => listener.set(object)),
    remove: (namespace, name) => listeners.forEach((listener) => listener.remove(namespace, name)),
  }
}
const agent = (node: string, groups = ['system:nodes']) => ({ name: `system:node:${node}`, uid: '', groups, extra: {} })

const pod: ApiObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns' },
  spec: {
    nodeName: 'n1',
    serviceAccountName: 'sa',
    imagePullSecrets: [{ name: 'pull' }],
    initContainers: [{ name: 'i', env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'env', key: 'k' } } }] }],
    containers: [
      { name: 'c', envFrom: [{ secretRef: { name: 'from' } }, { configMapRef: { name: 'cfrom' } }] },
      { name: 'd', env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'cenv', key: 'k' } } }] },
    ],
    ephemeralContainers: [{ name: 'e', envFrom: [{ secretRef: { name: 'eph' } }] }],
    volumes: [
      { name: 's', secret: { secretName: 'vol' } },
      { name: 'c', configMap: { name: 'cvol' } },
      { name: 'p', projected: { sources: [{ secret: { name: 'proj' } }, { configMap: { name: 'cproj' } }] } },
      { name: 'f', csi: { driver: 'd', nodePublishSecretRef: { name: 'csi' } } },
      { name: 'a', azureFile: { secretName: 'azure', shareName: 's' } },
      { name: 'r', rbd: { secretRef: { name: 'rbd' } } },
      { name: 'claim', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'own', ephemeral: {} },
    ],
    resourceClaims: [
      { name: 'x', resourceClaimName: 'rc' },
      { name: 'y', resourceClaimTemplateName: 't' },
    ],
  },
  status: { resourceClaimStatuses: [{ name: 'y', resourceClaimName: 'rc-made' }] },
}
const volume: ApiObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv' },
  spec: {
    claimRef: { namespace: 'ns', name: 'claim' },
    csi: {
      driver: 'd',
      nodeStageSecretRef: { name: 'stage', namespace: 'other' },
      controllerPublishSecretRef: { name: 'controller', namespace: 'other' },
    },
  },
}

describe('node: what leads to a node', () => {
  const graph = newGraph()
  podsOf(graph).set(pod)
  graph.listeners.persistentvolumes.set(volume)
  const reached: [GraphKind, string, string[]][] = [
    ['pod', 'ns', ['p']],
    ['secret', 'ns', ['pull', 'env', 'from', 'eph', 'vol', 'proj', 'csi', 'azure', 'rbd']],
    ['secret', 'other', ['stage']],
    ['configmap', 'ns', ['cfrom', 'cenv', 'cvol', 'cproj']],
    ['claim', 'ns', ['claim', 'p-own']],
    ['volume', '', ['pv']],
    ['resourceclaim', 'ns', ['rc', 'rc-made']],
    ['serviceaccount', 'ns', ['sa']],
  ]
  for (const [kind, namespace, names] of reached)
    for (const name of names)
      it(`${kind} ${namespace}/${name}`, () => {
        assert.equal(graph.reaches('n1', kind, namespace, name), true)
        assert.equal(graph.reaches('n2', kind, namespace, name), false)
        assert.equal(graph.reaches('n1', kind, 'elsewhere', name), kind === 'volume')
      })

  it('an object that only the controller of a volume needs is out of reach', () => {
    assert.equal(graph.reaches('n1', 'secret', 'other', 'controller'), false)
  })

  it('a mirror pod leads to nothing but itself', () => {
    const own = newGraph()
    podsOf(own).set({
      ...pod,
      metadata: { ...pod.metadata, annotations: { 'kubernetes.io/config.mirror': 'x' } },
    })
    assert.equal(own.reaches('n1', 'pod', 'ns', 'p'), true)
    assert.equal(own.reaches('n1', 'secret', 'ns', 'vol'), false)
  })

  it('nothing of a node whose pods are forgotten', () => {
    const own = newGraph()
    podsOf(own).set(pod)
    own.forgetPodsOf('n1')
    assert.equal(own.reaches('n1', 'pod', 'ns', 'p'), false)
    assert.equal(own.reaches('n1', 'secret', 'ns', 'vol'), false)
  })

  it('the same after any changes as if they had always been so', () => {
    const names = fc.constantFrom('1', '2', '3')
    const change = fc.record({
      what: fc.constantFrom('pod' as const, 'volume' as const, 'attachment' as const),
      name: names,
      gone: fc.boolean(),
      node: fc.constantFrom('', 'n1', 'n2'),
      secrets: fc.subarray(['a', 'b', 'c']),
      claim: names,
    })
    const listenerOf = (graph_: NodeGraph, what: 'pod' | 'volume' | 'attachment') =>
      ({
        pod: podsOf(graph_),
        volume: graph_.listeners.persistentvolumes,
        attachment: graph_.listeners.volumeattachments,
      })[what]
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const kept = newGraph()
        const last = new Map<string, { what: 'pod' | 'volume' | 'attachment'; object: ApiObject }>()
        for (const { what, name, gone, node, secrets, claim } of changes) {
          const namespace = what === 'pod' ? 'ns' : ''
          const id = `${what}/${name}`
          if (gone) {
            if (last.delete(id)) listenerOf(kept, what).remove(namespace, name)
            continue
          }
          const spec = {
            pod: {
              nodeName: node,
              containers: secrets.map((secret) => ({ name: secret, envFrom: [{ secretRef: { name: secret } }] })),
              volumes: [{ name: 'v', persistentVolumeClaim: { claimName: claim } }],
            },
            volume: {
              claimRef: { namespace: 'ns', name: claim },
              csi: { nodeStageSecretRef: { namespace: 'ns', name: secrets[0] ?? '' } },
            },
            attachment: { nodeName: node },
          }[what]
          const object = { apiVersion: 'v1', kind: what, metadata: { name, ...(namespace ? { namespace } : {}) }, spec }
          last.set(id, { what, object })
          listenerOf(kept, what).set(object)
        }
        const anew = newGraph()
        for (const { what, object } of last.values()) listenerOf(anew, what).set(object)
        for (const node of ['n1', 'n2'])
          for (const [kind, namespace, all] of [
            ['pod', 'ns', ['1', '2', '3']],
            ['secret', 'ns', ['a', 'b', 'c']],
            ['claim', 'ns', ['1', '2', '3']],
            ['volume', '', ['1', '2', '3']],
            ['attachment', '', ['1', '2', '3']],
          ] as const)
            for (const name of all)
              assert.equal(
                kept.reaches(node, kind, namespace, name),
                anew.reaches(node, kind, namespace, name),
                `${node} ${kind} ${name}`,
              )
      }),
      { numRuns: 300 },
    )
  })
})

describe('node: an agent may', () => {
  const reaches: NodeGraph['reaches'] = (node, _kind, _namespace, name) => node === 'n1' && name === 'mine'
  const withSelectors = createNodeAuthorizer(
    { graph: { reaches } },
    { selectors: true, serviceAccounts: false, podCertificates: true },
  )
  const without = createNodeAuthorizer(
    { graph: { reaches } },
    { selectors: false, serviceAccounts: true, podCertificates: false },
  )

  function ask(line: string, user = agent('n1'), authorizer = withSelectors): string {
    const [verb = '', what = '', where = '', selector = ''] = line.split(' ')
    const [namespace = '', name = ''] = where.split('/')
    const [, resource = '', subresource = '', group = ''] = /^([^/.]*)(?:\/([^.]*))?(?:\.(.*))?$/.exec(what) ?? []
    const attributes: AuthorizationAttributes = {
      user,
      verb,
      isResource: !what.startsWith('/'),
      path: what.startsWith('/') ? what : '',
      group,
      version: 'v1',
      resource,
      subresource,
      namespace,
      name,
      ...(selector === '' ? {} : { fieldSelector: selector }),
    }
    const answer = authorizer.authorize(attributes, context)
    return 'decision' in answer ? `${answer.decision} ${answer.reason}`.trim() : 'later'
  }

  const related = "no-opinion no relationship found between node 'n1' and this object"
  const cases: [string, string][] = [
    ['get secrets ns/mine', 'allow'],
    ['list secrets ns/mine', 'allow'],
    ['watch configmaps ns/mine', 'allow'],
    ['get secrets ns/other', related],
    ['list secrets ns', 'no-opinion No Object name found'],
    ['list secrets', 'no-opinion can only read namespaced object of this type'],
    ['update secrets ns/mine', 'no-opinion can only read resources of this type'],
    ['get secrets/x ns/mine', 'no-opinion cannot read subresource'],
    ['get persistentvolumeclaims ns/mine', 'allow'],
    ['list persistentvolumeclaims ns/mine', 'no-opinion can only get individual resources of this type'],
    ['patch persistentvolumeclaims/status ns/mine', 'allow'],
    ['get persistentvolumeclaims/status ns/mine', 'no-opinion can only get/update/patch this type'],
    ['delete persistentvolumeclaims/status ns/mine', 'no-opinion can only get/update/patch this type'],
    ['get persistentvolumes /mine', 'allow'],
    ['get volumeattachments.storage.k8s.io /mine', 'allow'],
    ['get resourceclaims.resource.k8s.io ns/mine', 'allow'],
    ['create serviceaccounts/token ns/mine', 'allow'],
    ['create serviceaccounts/token ns/other', related],
    ['create serviceaccounts ns/mine', 'no-opinion can only create token subresource of serviceaccount'],
    ['get serviceaccounts ns/mine', 'no-opinion can only create tokens for individual service accounts'],
    ['create leases.coordination.k8s.io kube-node-lease', 'allow'],
    ['update leases.coordination.k8s.io kube-node-lease/n1', 'allow'],
    [
      'update leases.coordination.k8s.io kube-node-lease/n2',
      'no-opinion can only access node lease with the same name as the requesting node',
    ],
    [
      'update leases.coordination.k8s.io ns/n1',
      'no-opinion can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      'list leases.coordination.k8s.io kube-node-lease',
      'no-opinion can only get, create, update, patch, or delete a node lease',
    ],
    ['patch csinodes.storage.k8s.io /n1', 'allow'],
    [
      'patch csinodes.storage.k8s.io /n2',
      'no-opinion can only access CSINode with the same name as the requesting node',
    ],
    ['create resourceslices.resource.k8s.io', 'allow'],
    ['update resourceslices.resource.k8s.io /mine', 'allow'],
    ['list resourceslices.resource.k8s.io  spec.nodeName=n1', 'allow'],
    [
      'list resourceslices.resource.k8s.io',
      'no-opinion can only list/watch/deletecollection resourceslices with nodeName field selector',
    ],
    ['get nodes /n1', 'allow'],
    ['watch nodes /n1', 'allow'],
    ['get nodes /n2', "no-opinion node 'n1' cannot read 'n2', only its own Node object"],
    ['list nodes', "no-opinion node 'n1' cannot read all nodes, only its own Node object"],
    ['patch nodes/status /n1', 'allow'],
    ['delete nodes /n1', 'no-opinion'],
    ['get pods ns/mine', 'allow'],
    ['get pods ns/other', related],
    ['list pods  spec.nodeName=n1', 'allow'],
    ['watch pods  metadata.namespace!=x,spec.nodeName=n1', 'allow'],
    ['list pods  spec.nodeName=n2', 'no-opinion can only list/watch pods with spec.nodeName field selector'],
    ['list pods  spec.nodeName!=n1', 'no-opinion can only list/watch pods with spec.nodeName field selector'],
    ['watch pods ns/mine', 'allow'],
    ['create pods ns', 'allow'],
    ['delete pods ns/p', 'allow'],
    ['patch pods/status ns/p', 'allow'],
    ['create pods/eviction ns/p', 'allow'],
    ['create pods/exec ns/p', 'no-opinion'],
    ['patch pods ns/p', 'no-opinion'],
    ['list services', 'allow'],
    ['create events ns', 'allow'],
    ['create certificatesigningrequests.certificates.k8s.io', 'allow'],
    ['create subjectaccessreviews.authorization.k8s.io', 'allow'],
    ['create podcertificaterequests.certificates.k8s.io ns', 'allow'],
    ['get podcertificaterequests.certificates.k8s.io ns/mine', 'allow'],
    ['get podcertificaterequests.certificates.k8s.io ns/other', related],
    ['watch podcertificaterequests.certificates.k8s.io  spec.nodeName=n1', 'allow'],
    [
      'list podcertificaterequests.certificates.k8s.io  spec.nodeName=n2',
      'no-opinion can only list/watch podcertificaterequests with nodeName field selector',
    ],
    [
      'update podcertificaterequests/status.certificates.k8s.io ns/mine',
      'no-opinion nodes may not access the status subresource of PodCertificateRequests',
    ],
    [
      'delete podcertificaterequests.certificates.k8s.io ns/mine',
      'no-opinion nodes may not delete podcertificaterequests',
    ],
    ['list deployments.apps', 'no-opinion'],
    ['get /metrics', 'no-opinion'],
  ]
  for (const [line, expected] of cases)
    it(`${line}: ${expected}`, () => {
      assert.equal(ask(line), expected)
      assert.equal(ask(line, agent('n1', ['others'])), 'no-opinion')
    })

  it('list all pods and nodes, and get its service accounts, as the gates say', () => {
    assert.equal(ask('list pods', agent('n1'), without), 'allow')
    assert.equal(ask('get nodes /n2', agent('n1'), without), 'allow')
    assert.equal(ask('get serviceaccounts ns/mine', agent('n1'), without), 'allow')
    assert.equal(ask('get serviceaccounts ns/other', agent('n1'), without), related)
    assert.equal(ask('create podcertificaterequests.certificates.k8s.io ns', agent('n1'), without), 'no-opinion')
  })

  it('an agent without a node name may do nothing', () => {
    assert.equal(ask('list services', agent('')), 'no-opinion unknown node for user "system:node:"')
  })

  it('an agent’s rules can not be listed', async () => {
    const { incomplete, errors } = await withSelectors.rulesFor(agent('n1'), 'ns', context)
    assert.deepEqual([incomplete, errors], [true, ['node authorizer does not support user rule resolution']])
    assert.equal((await withSelectors.rulesFor({ ...agent(''), name: 'jane' }, 'ns', context)).incomplete, false)
  })
})
