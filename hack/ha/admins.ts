// The rights of admin.conf: its group is bound to the role cluster-admin, as `kubeadm init` does with super-admin.conf.
import { readFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'

const group = 'kubeadm:cluster-admins'
const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: group },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
}

/** Keeps an existing binding. Rejects when the server answers with another error. */
export async function bindAdmins(folder: string, server: string): Promise<void> {
  const config = readFileSync(join(folder, 'super-admin.conf'), 'utf8')
  const field = (name: string): Buffer => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(config)?.[1] ?? '', 'base64')
  const identity = {
    ca: field('certificate-authority-data'),
    cert: field('client-certificate-data'),
    key: field('client-key-data'),
  }
  const headers = { 'content-type': 'application/json' }
  const options = { method: 'POST', agent: false, timeout: 10_000, headers, ...identity }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = https.request(new URL(path, server), options, (answer) => {
    answer.resume()
    const { statusCode } = answer
    if (statusCode === 201 || statusCode === 409) resolve()
    else reject(new Error(`the administrators can't be bound to their role: ${statusCode}`))
  })
  request.on('timeout', () => request.destroy(new Error('no answer in time')))
  request.on('error', reject)
  request.end(JSON.stringify(binding))
  await promise
}
