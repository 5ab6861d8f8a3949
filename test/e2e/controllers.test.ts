import assert from 'node:assert/strict'
import { type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { eventuallyEquals } from '../support/eventually.ts'
import { createKubectl, findKubectl, type Kubectl } from '../support/kubectl.ts'
import { approveAndSign, rollOutAndDelete } from '../support/kubectlcontrollers.ts'

const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`

describe('kubectl on a control plane with its controllers', function () {
  if (!findKubectl()) {
    it.skip('needs kubectl on PATH')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('e2e-controllers')
  let server: ServerProcess
  let kubectl: Kubectl
  before(async () => {
    const flags = [`--data-dir=${folder.path}/data`, '--controllers=*']
    server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
    kubectl = createKubectl(server, folder.path)
  })
  after(async () => {
    assert.equal(await server.stop(), 0)
    folder.remove()
  })

  const ok = async (args: string, input?: string): Promise<string> => {
    const result = await kubectl(args.split(' '), input === undefined ? {} : { input })
    assert.equal(result.code, 0, `kubectl ${args}\n${result.stdout}${result.stderr}`)
    return result.stdout
  }
  const names = async (resources: string, more = ''): Promise<string[]> =>
    (await ok(`get ${resources} -o name${more}`)).split('\n').filter((line) => line !== '')

  it('makes the pods of a deployment, and new ones for another template', async () => {
    await ok('create deployment web --image=nginx --replicas=3')
    await eventuallyEquals(async () => (await names('pods')).length, 3, 'three pods')
    await ok('set image deployment/web nginx=nginx:2')
    await eventuallyEquals(async () => (await names('replicasets')).length, 2, 'a second replica set')
    assert.match(await ok('rollout history deployment/web'), /^2 /m)
  })

  it('deletes what a deployment has made with it, or orphans its sets', async () => {
    await ok('create deployment left --image=nginx --replicas=1')
    await eventuallyEquals(async () => (await names('pods', ' -l app=left')).length, 1, 'a pod')
    await ok('delete deployment left --cascade=orphan')
    assert.equal((await names('replicasets', ' -l app=left')).length, 1)
    await ok('delete deployment web --cascade=foreground --timeout=30s')
    assert.deepEqual(await names('replicasets,pods', ' -l app=web'), [])
    await ok('delete replicasets -l app=left')
    await eventuallyEquals(async () => (await names('pods')).length, 0, 'no pod is left')
  })

  it('gives a new namespace its account and authority, and deletes it with its content', async () => {
    await ok('create namespace n1')
    await eventuallyEquals(
      async () => (await names('serviceaccounts,configmaps', ' -n n1')).length,
      2,
      'the account default and kube-root-ca.crt',
    )
    await ok('run p1 --image=nginx -n n1')
    await ok('create configmap c1 -n n1')
    await ok('delete namespace n1 --timeout=30s')
    assert.equal((await kubectl(['get', 'namespace', 'n1'])).code, 1)
  })

  it('keeps a claim that a pod uses until that pod is deleted', async () => {
    await ok('create -f -', claim)
    const volumes = { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] }
    // A pod that no node has yet doesn't count.
    const overrides = JSON.stringify({ spec: { nodeName: 'n1', ...volumes } })
    const run = await kubectl(['run', 'user', '--image=nginx', `--overrides=${overrides}`])
    assert.equal(run.code, 0, run.stderr)
    await ok('delete persistentvolumeclaim data --wait=false')
    assert.match(await ok('get persistentvolumeclaim data -o yaml'), /deletionTimestamp/)
    await ok('delete pod user --force --grace-period=0')
    await eventuallyEquals(async () => (await names('persistentvolumeclaims')).length, 0, 'the claim goes')
  })

  it('runs the pods of a job', async () => {
    await ok('create job j --image=busybox')
    await eventuallyEquals(async () => (await names('pods', ' -l batch.kubernetes.io/job-name=j')).length, 1, 'its pod')
    await ok('delete job j')
    await eventuallyEquals(async () => (await names('pods')).length, 0, 'no pod is left')
  })

  const lines = async (...line: string[]): Promise<string> => {
    const { code, stdout, stderr } = await kubectl(line)
    assert.equal(code, 0, `kubectl ${line.join(' ')}\n${stdout}${stderr}`)
    return stdout
  }

  it('rolls a deployment out, back and out again', async () => {
    await rollOutAndDelete(lines, async () => {})
  })

  it('signs approved requests, and no denied ones', async () => {
    await approveAndSign(lines, folder.path)
  })
})
