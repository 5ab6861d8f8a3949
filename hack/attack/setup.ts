import { randomBytes } from 'node:crypto'
import { definitionOf } from '../../test/support/crdkit.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type AttackedPlane, accountOf, type UserName } from './plane.ts'

/** A random text in an object: users who may not read the object must never see it. */
export interface Marker {
  readonly text: string
  /** Its place, for findings. */
  readonly place: string
  readonly mayLearn: readonly UserName[]
  /** It is in a Secret: no log, metric or audit line may contain it either. */
  readonly secret: boolean
  /** It is in an object, which an administrator reads. */
  readonly isObject: boolean
}

/** Paths of objects that no attacker may change, and no controller changes. */
export interface Prepared {
  readonly markers: readonly Marker[]
  readonly guarded: readonly string[]
}

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const everything = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']

/** Rules of the roles for the attack; those of the server's own roles are read from it. */
const rolesMade: readonly { readonly user: UserName; readonly rules: readonly object[] }[] = [
  {
    user: 'author',
    rules: [
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: [
          'validatingadmissionpolicies',
          'validatingadmissionpolicybindings',
          'mutatingadmissionpolicies',
          'mutatingadmissionpolicybindings',
        ],
        verbs: everything,
      },
    ],
  },
  {
    user: 'signer',
    rules: [
      { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: everything },
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests/approval'],
        verbs: ['update', 'patch'],
      },
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['signers'],
        resourceNames: ['kubernetes.io/kube-apiserver-client'],
        verbs: ['approve'],
      },
    ],
  },
]

/**
 * Two namespaces: `team`, which the editor may edit, and `vault`, which no attacker may; two nodes with a pod each (the
 * attacker has n1); and marked texts in all of them. A node reads the objects that its pods refer to, and the
 * editor may bind pods of the team to n1.
 */
export async function prepare(plane: AttackedPlane): Promise<Prepared> {
  const admin = plane.as('admin')
  const make = async (path: string, body: object): Promise<void> => {
    const answer = await admin.ask('POST', path, body)
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
  }
  const markers: Marker[] = []
  const mark = (place: string, mayLearn: readonly UserName[] = [], secret = false): string => {
    const text = `m${randomBytes(12).toString('hex')}`
    markers.push({ text, place, mayLearn, secret, isObject: true })
    return text
  }
  for (const name of ['team', 'vault']) await make('/api/v1/namespaces', { metadata: { name } })
  await makeRoles(make)
  for (const name of ['n1', 'n2']) await make('/api/v1/nodes', { metadata: { name } })
  await makeDefinition(plane, make)
  const secret = (namespace: string, name: string, mayLearn: readonly UserName[]): Promise<void> =>
    make(`/api/v1/namespaces/${namespace}/secrets`, {
      metadata: { name },
      stringData: { key: mark(`Secret ${namespace}/${name}`, mayLearn, true) },
    })
  await secret('vault', 'secret', [])
  await secret('vault', 'on-n2', [])
  await secret('team', 'secret', ['editor', 'node'])
  await secret('team', 'on-n1', ['editor', 'node'])
  await make('/api/v1/namespaces/vault/configmaps', {
    metadata: { name: 'config', annotations: { note: mark('annotation of ConfigMap vault/config') } },
    data: { key: mark('ConfigMap vault/config') },
  })
  await make('/apis/attack.example.com/v1/namespaces/vault/widgets', {
    apiVersion: 'attack.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'widget' },
    spec: { text: mark('Widget vault/widget') },
  })
  await make('/api/v1/namespaces/team/configmaps', {
    metadata: { name: 'config' },
    data: { key: mark('ConfigMap team/config', ['editor', 'node']) },
  })
  for (const namespace of ['team', 'vault'])
    await eventually(
      async () => (await admin.ask('GET', `/api/v1/namespaces/${namespace}/serviceaccounts/default`)).status === 200,
      `the account of ${namespace}`,
    )
  await make('/api/v1/namespaces/team/pods', podOn('n1', mark('Pod team/on-n1', ['editor', 'node'])))
  await make('/api/v1/namespaces/vault/pods', podOn('n2', mark('Pod vault/on-n2')))
  markers.push(...secretsOf(plane))
  return { markers, guarded: guardedPaths }
}

const guardedPaths = [
  '/api/v1/namespaces/vault/secrets/secret',
  '/api/v1/namespaces/vault/secrets/on-n2',
  '/api/v1/namespaces/vault/configmaps/config',
  '/apis/attack.example.com/v1/namespaces/vault/widgets/widget',
  `${rbac}/namespaces/team/rolebindings/editor`,
  ...rolesMade.flatMap(({ user }) => [
    `${rbac}/clusterroles/attack-${user}`,
    `${rbac}/clusterrolebindings/attack-${user}`,
  ]),
  `${rbac}/clusterroles/cluster-admin`,
  `${rbac}/clusterrolebindings/cluster-admin`,
  '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical',
]

/** Tokens and keys, which no client may learn. */
function secretsOf(plane: AttackedPlane): Marker[] {
  const tokens = Object.entries(plane.tokens).map(([user, text]) => ({ text, place: `token of ${user}` }))
  const keys = plane.keptSecrets().map((text) => ({ text, place: 'file of the server' }))
  return [...tokens, ...keys].map((each) => ({ ...each, mayLearn: [], secret: true, isObject: false }))
}

async function makeRoles(make: (path: string, body: object) => Promise<void>): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io'
  const subjects = (user: UserName): object[] => [{ kind: 'User', apiGroup, name: accountOf(user) }]
  for (const { user, rules } of rolesMade) {
    const name = `attack-${user}`
    await make(`${rbac}/clusterroles`, { metadata: { name }, rules })
    const roleRef = { apiGroup, kind: 'ClusterRole', name }
    await make(`${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects: subjects(user) })
  }
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'edit' }
  await make(`${rbac}/namespaces/team/rolebindings`, {
    metadata: { name: 'editor' },
    roleRef,
    subjects: subjects('editor'),
  })
}

async function makeDefinition(
  plane: AttackedPlane,
  make: (path: string, body: object) => Promise<void>,
): Promise<void> {
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { text: { type: 'string' } } } } }
  const definition = definitionOf({ kind: 'Widget', group: 'attack.example.com', schema })
  await make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  const path = '/apis/attack.example.com/v1/widgets'
  await eventually(async () => (await plane.as('admin').ask('GET', path)).status === 200, 'the definition is served')
}

/** Tolerates everything, so that no controller evicts it from a node whose kubelet is silent. */
function podOn(node: string, text: string): object {
  return {
    metadata: { name: `on-${node}` },
    spec: {
      nodeName: node,
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'c', image: 'i', env: [{ name: 'TEXT', value: text }] }],
      volumes: [{ name: 's', secret: { secretName: `on-${node}` } }],
    },
  }
}
