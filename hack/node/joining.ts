// What an administrator does so that nodes may join: a bootstrap token, the rights of who has it, and the approval of
// serving certificates, which no controller approves.
import { randomBytes } from 'node:crypto'
import type { CertificateSigningRequest } from '../../api/gen/certificates.k8s.io/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { Client } from '../../lib/client/index.ts'
import type { Frozen } from '../../lib/object/index.ts'

const { secrets } = resources.core.v1
const { clusterrolebindings } = resources.rbac.v1
const { certificatesigningrequests } = resources.certificates.v1

const requests = 'system:certificates.k8s.io:certificatesigningrequests'

/** Group → role, as kubeadm binds them. */
const bindings = {
  'node-bootstrap': ['system:bootstrappers', 'system:node-bootstrapper'],
  'node-first-certificate': ['system:bootstrappers', `${requests}:nodeclient`],
  'node-next-certificate': ['system:nodes', `${requests}:selfnodeclient`],
} as const

/** Makes a token by which nodes join within the next day, and binds the roles that they need. */
export async function prepareJoining(client: Client): Promise<string> {
  for (const [name, [group, role]] of Object.entries(bindings))
    await client.resource(clusterrolebindings).patch(
      { name },
      'apply',
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
      },
      { fieldManager: 'node', force: true },
    )
  const [id, secret] = [randomBytes(3).toString('hex'), randomBytes(8).toString('hex')]
  await client.resource(secrets).create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: encoded({
      'token-id': id,
      'token-secret': secret,
      expiration: new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, ''),
      'usage-bootstrap-authentication': 'true',
    }),
  })
  return `${id}.${secret}`
}

function encoded(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]))
}

/** Approves the requests for serving certificates of a node that are not decided; returns their names. */
export async function approveServing(client: Client, node: string): Promise<string[]> {
  const { items } = await client.resource(certificatesigningrequests).list()
  const open = items.filter(
    ({ spec, status }) =>
      spec.signerName === 'kubernetes.io/kubelet-serving' &&
      spec.username === `system:node:${node}` &&
      !status?.conditions?.length,
  )
  for (const request of open) await approve(client, request)
  return open.map(({ metadata }) => metadata.name ?? '')
}

async function approve(client: Client, request: Frozen<CertificateSigningRequest>): Promise<void> {
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'AdministratorApproved',
    message: 'the node was joined here',
  }
  await client
    .resource(certificatesigningrequests)
    .subresource<CertificateSigningRequest>('approval')
    .update(request.metadata, { ...request, status: { ...request.status, conditions: [condition] } })
}
