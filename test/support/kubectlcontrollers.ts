import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, eventuallyEquals } from './eventually.ts'
import { createSigningRequest } from './signingrequest.ts'

/** Runs kubectl and answers its standard output. */
type Kubectl = (...line: string[]) => Promise<string>

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly deletionTimestamp?: string }
    readonly status: { readonly phase: string }
  }[]
}

/** Between two looks at the pods: each runs kubectl. */
const podsEveryMs = 300

/** In place of nodes: the pods of the deployment run, and are ready. */
async function runPods(kubectl: Kubectl, selector: string): Promise<void> {
  const { items } = JSON.parse(await kubectl('get', 'pods', '-l', selector, '-o', 'json')) as PodList
  const waiting = items.filter(({ metadata, status }) => !metadata.deletionTimestamp && status.phase !== 'Running')
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now }] }
  const patch = JSON.stringify({ status })
  for (const { metadata } of waiting)
    await kubectl('patch', 'pod', metadata.name, '--subresource=status', '-p', patch).catch(() => {})
}

/**
 * Rolls a deployment out, back and out again, as users do it, then deletes it and leaves its pods. `disturb` is called in
 * the middle of the first rollout.
 */
export async function rollOutAndDelete(kubectl: Kubectl, disturb: () => Promise<void>): Promise<void> {
  let isOver = false
  const running = (async () => {
    for (; !isOver; await sleep(podsEveryMs)) await runPods(kubectl, 'app=roll').catch(() => {})
  })()
  try {
    await kubectl('create', 'deployment', 'roll', '--image=nginx', '--replicas=2')
    await kubectl('wait', '--for=condition=Available', 'deployment/roll', '--timeout=20s')
    const rolledOut = () => kubectl('rollout', 'status', 'deployment/roll', '--timeout=30s')
    assert.match(await rolledOut(), /successfully rolled out/)
    await kubectl('set', 'image', 'deployment/roll', 'nginx=nginx:2')
    await disturb()
    assert.match(await rolledOut(), /successfully rolled out/)
    await kubectl('rollout', 'undo', 'deployment/roll')
    await rolledOut()
    const image = '-o=jsonpath={.spec.template.spec.containers[0].image}'
    assert.equal(await kubectl('get', 'deployment', 'roll', image), 'nginx')
    await kubectl('rollout', 'restart', 'deployment/roll')
    await rolledOut()
    assert.match(await kubectl('rollout', 'history', 'deployment/roll'), /^4 /m)
    await kubectl('autoscale', 'deployment', 'roll', '--min=1', '--max=3')
    assert.match(await kubectl('get', 'hpa', 'roll', '-o', 'name'), /horizontalpodautoscaler/)
    assert.equal((await kubectl('create', 'token', 'default')).trim().split('.').length, 3)
  } finally {
    isOver = true
    await running
  }
  await kubectl('delete', 'deployment', 'roll', '--cascade=orphan')
  const left = (resource: string) => async (): Promise<number> =>
    (await kubectl('get', resource, '-l', 'app=roll', '-o', 'name')).split('\n').length - 1
  assert.deepEqual([await left('replicasets')(), await left('pods')()], [3, 2])
  await kubectl('delete', 'replicasets', '-l', 'app=roll', '--cascade=foreground', '--timeout=20s')
  await eventuallyEquals(() => left('pods')(), 0, 'the pods go with their set')
  await kubectl('delete', 'hpa', 'roll')
}

/** As a user gets a certificate for a client: one request is approved, another denied. Files go into `folder`. */
export async function approveAndSign(kubectl: Kubectl, folder: string): Promise<void> {
  for (const name of ['approved', 'denied']) {
    const { request } = createSigningRequest(`user-${name}`, ['readers'])
    const object = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: {
        request: Buffer.from(request).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
        expirationSeconds: 3600,
      },
    }
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(object))
    await kubectl('create', '-f', file)
  }
  await kubectl('certificate', 'deny', 'denied')
  await kubectl('certificate', 'approve', 'approved')
  const read = (...line: string[]): Promise<string> => kubectl('get', ...line)
  const issued = (name: string): Promise<string> => read('csr', name, '-o=jsonpath={.status.certificate}')
  await eventually(async () => (await issued('approved')) !== '', 'the certificate is there')
  const certificate = new X509Certificate(Buffer.from(await issued('approved'), 'base64'))
  const clientAuthority = '-o=jsonpath={.data.client-ca-file}'
  const authority = await read('configmap', 'extension-apiserver-authentication', '-n=kube-system', clientAuthority)
  assert.ok(certificate.verify(new X509Certificate(authority).publicKey))
  assert.equal(certificate.subject, 'O=readers\nCN=user-approved')
  assert.match(await read('csr'), /^approved .*Approved,Issued$/m)
  assert.match(await read('csr'), /^denied .*Denied$/m)
  assert.equal(await issued('denied'), '')
  await kubectl('delete', 'csr', 'approved', 'denied')
}
