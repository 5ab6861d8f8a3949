import assert from 'node:assert/strict'
import type { Job } from '../../../api/gen/batch/v1.ts'
import type { CertificateSigningRequest } from '../../../api/gen/certificates.k8s.io/v1.ts'
import type { ConfigMap } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { planSignatures } from '../../../lib/controllers/bootstrapsigner/plan.ts'
import { isOver } from '../../../lib/controllers/csrcleaner/plan.ts'
import { plan as planPods } from '../../../lib/controllers/podgc/plan.ts'
import { expirationMs } from '../../../lib/controllers/shared/bootstraptoken.ts'
import { nextStep, secondsOf } from '../../../lib/controllers/ttl/plan.ts'
import { expiryMs } from '../../../lib/controllers/ttlafterfinished/plan.ts'
import { formatTime } from '../../../lib/object/index.ts'
import { givenObject, runScripts } from '../../support/controllerscript.ts'

runScripts('podgc', ({ input, lister }) => {
  const { doomed, nodesMissing } = planPods(
    lister(resources.core.v1.pods),
    lister(resources.core.v1.nodes),
    Number(input['threshold'] ?? 12_500),
  )
  return { doomed: doomed.map(({ pod, reason }) => `${pod.metadata.name} ${reason}`), nodesMissing }
})

runScripts('ttlafterfinished', ({ key, lister }) => {
  const job = lister(resources.batch.v1.jobs).get(key)
  const atMs = job && expiryMs(job as Job)
  return atMs === undefined ? undefined : formatTime(atMs)
})

runScripts('csrcleaner', ({ key, nowMs, lister }) => {
  const request = lister(resources.certificates.v1.certificatesigningrequests).get(key)
  assert.ok(request)
  return isOver(request as CertificateSigningRequest, nowMs)
})

runScripts('tokencleaner', ({ key, lister }) => {
  const secret = lister(resources.core.v1.secrets).get(key)
  assert.ok(secret)
  const atMs = expirationMs(secret)
  if (atMs === undefined) return 'never'
  return Number.isFinite(atMs) ? formatTime(atMs) : 'long since'
})

runScripts('bootstrapsigner', ({ nowMs, lister }) =>
  planSignatures(
    lister(resources.core.v1.configmaps).get('kube-public/cluster-info'),
    lister(resources.core.v1.secrets).in('kube-system'),
    nowMs,
  ),
)

describe('signatures of bootstrap tokens', () => {
  it('stay as they are once they are right', () => {
    const secret = givenObject({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'kube-system', name: 'bootstrap-token-abcdef' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {},
      data: {
        'token-id': Buffer.from('abcdef').toString('base64'),
        'token-secret': Buffer.from('0123456789abcdef').toString('base64'),
        'usage-bootstrap-signing': Buffer.from('true').toString('base64'),
      },
    })
    const map = (data: Readonly<Record<string, string>>): ConfigMap => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'kube-public', name: 'cluster-info' },
      data: { ...data },
    })
    const signed = planSignatures(map({ kubeconfig: 'x' }), [secret], 0)
    assert.match(signed?.['jws-kubeconfig-abcdef'] ?? '', /^[\w-]+\.\.[\w-]+$/)
    assert.equal(planSignatures(map(signed ?? {}), [secret], 0), undefined)
  })
})

describe('ttl of the kubelets by the cluster size', () => {
  const cases = [
    [0, 100, 0],
    [0, 101, 15],
    [1, 95, 15],
    [1, 89, 0],
    [0, 600, 30],
    [0, 5000, 300],
    [4, 1800, 300],
    [4, 1799, 60],
    [4, 1, 0],
  ] as const
  for (const [step, nodes, seconds] of cases)
    it(`is ${seconds} s with ${nodes} nodes after step ${step}`, () => {
      assert.equal(secondsOf(nextStep(step, nodes)), seconds)
    })
})
