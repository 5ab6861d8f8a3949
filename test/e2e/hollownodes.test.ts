import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { eventually } from '../support/eventually.ts'
import { createKubectl, findKubectl, type Kubectl } from '../support/kubectl.ts'
import { freePort } from '../support/ports.ts'

describe('kubectl and up --nodes=3', function () {
  if (!findKubectl()) {
    it.skip('needs kubectl on PATH')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('e2e-hollownodes')
  let server: ServerProcess
  let kubectl: Kubectl

  before(async () => {
    const flags = [`--data-dir=${folder.path}/data`, '--nodes=3', '--controllers=*', '--storage-backend=memory']
    server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
    kubectl = createKubectl(server, folder.path)
    const ready = await kubectl(['wait', '--for=condition=Ready', 'nodes', '--all', '--timeout=20s'])
    assert.deepEqual([ready.code, ready.stdout.split('\n').length], [0, 4], ready.stderr)
    await ok(['create', 'deployment', 'web', '--image=nginx', '--replicas=3'])
    assert.match(await ok(['rollout', 'status', 'deployment', 'web', '--timeout=20s']), /successfully rolled out/)
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  /** What kubectl prints, where it succeeds. */
  async function ok(args: readonly string[], input?: string): Promise<string> {
    const result = await kubectl(args, input === undefined ? {} : { input })
    assert.equal(result.code, 0, `kubectl ${args.join(' ')}: ${result.stderr}`)
    return result.stdout
  }

  it('a Deployment is rolled out over all nodes', async () => {
    const nodes = await ok(['get', 'pods', '-l', 'app=web', '-o', 'jsonpath={.items[*].spec.nodeName}'])
    assert.deepEqual(nodes.split(' ').sort(), ['hollow-0', 'hollow-1', 'hollow-2'])
  })

  it('logs -f shows what a container writes as it comes, and the end', async () => {
    const command = ['sh', '-c', 'echo first; sleep 1; echo second >&2; sleep 1; echo third']
    await ok(['run', 'talker', '--image=busybox', '--restart=Never', '--command', '--', ...command])
    await ok(['wait', '--for=jsonpath={.status.containerStatuses[0].started}=true', 'pod/talker', '--timeout=10s'])
    assert.equal(await ok(['logs', '-f', 'talker']), 'first\nsecond\nthird\n')
    assert.equal(await ok(['logs', 'talker', '--tail=1']), 'third\n')
    assert.equal(await ok(['get', 'pod', 'talker', '-o', 'jsonpath={.status.phase}']), 'Succeeded')
  })

  for (const [way, env] of [
    ['WebSockets', {}],
    ['SPDY', { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }],
  ] as const) {
    it(`exec runs commands over ${way}, with input, errors and exit codes`, async () => {
      const exec = (words: readonly string[], input?: string) =>
        kubectl(['exec', ...(input === undefined ? [] : ['-i']), 'deploy/web', '--', ...words], {
          env,
          ...(input === undefined ? {} : { input }),
        })
      assert.equal((await exec(['echo', 'hello'])).stdout, 'hello\n')
      const failed = await exec(['sh', '-c', 'echo out; echo err >&2; exit 3'])
      assert.deepEqual([failed.code, failed.stdout], [3, 'out\n'])
      assert.match(failed.stderr, /^err\ncommand terminated with exit code 3/)
      assert.equal((await exec(['cat'], 'line\n'.repeat(50_000))).stdout.length, 250_000)
      assert.match((await exec(['nginx'])).stderr, /exec: "nginx": executable file not found in \$PATH/)
    })

    it(`port-forward reaches an echo server over ${way}`, async () => {
      const port = await freePort()
      let isOver = false
      let isReady = (): void => {}
      const ready = new Promise<void>((done) => (isReady = done))
      const forwarded = kubectl(['port-forward', 'deploy/web', `${port}:80`], {
        env,
        isEnough(text) {
          if (text.includes('Forwarding from 127.0.0.1')) isReady()
          return isOver
        },
      })
      await Promise.race([ready, forwarded.then(({ stderr }) => assert.fail(stderr))])
      assert.equal(await echoed(port, 'hello'), 'hello')
      isOver = true
      await echoed(port, 'end').catch(() => {})
      await forwarded
    })
  }

  it('a container’s environment and files come from the pod, ConfigMaps and Secrets', async () => {
    await ok(['create', 'configmap', 'settings', '--from-literal=colour=blue'])
    await ok(['create', 'secret', 'generic', 'hidden', '--from-literal=word=open'])
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'configured' },
      spec: {
        volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
        containers: [
          {
            name: 'main',
            image: 'busybox',
            env: [
              { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
              { name: 'WORD', valueFrom: { secretKeyRef: { name: 'hidden', key: 'word' } } },
            ],
            volumeMounts: [{ name: 'settings', mountPath: '/etc/settings' }],
          },
        ],
      },
    }
    await ok(['apply', '-f', '-'], JSON.stringify(pod))
    await ok(['wait', '--for=condition=Ready', 'pod/configured', '--timeout=10s'])
    const printed = await ok(['exec', 'configured', '--', 'sh', '-c', 'echo $NODE $WORD; cat /etc/settings/colour'])
    assert.match(printed, /^hollow-\d open\nblue$/)
  })

  it('cp copies a folder into a container and out of it, and the files of its volumes', async () => {
    const from = join(folder.path, 'from')
    mkdirSync(join(from, 'inner'), { recursive: true })
    writeFileSync(join(from, 'inner', 'a'), 'a'.repeat(100_000))
    await ok(['cp', from, 'configured:/tmp/there'])
    await ok(['cp', 'configured:/tmp/there', join(folder.path, 'back')])
    assert.equal(readFileSync(join(folder.path, 'back/inner/a'), 'utf8'), 'a'.repeat(100_000))
    await ok(['cp', 'configured:/etc/settings', join(folder.path, 'settings')])
    assert.equal(readFileSync(join(folder.path, 'settings/colour'), 'utf8'), 'blue')
    writeFileSync(join(folder.path, 'big'), Buffer.alloc(2 * 1024 * 1024))
    const full = await kubectl(['cp', join(folder.path, 'big'), 'configured:/tmp/big'])
    assert.match(full.stderr, /big: No space left on device/)
  })

  it('a pod that fits on no node reports why, with the stock text', async () => {
    await ok([
      'run',
      'busy',
      '--image=i',
      ...['cpu=250m', 'memory=1Gi'].map((each) => `--annotations=hollow.pilothouse/${each}`),
    ])
    await ok(['wait', '--for=condition=Ready', 'pod/busy', '--timeout=10s'])
    assert.match(await ok(['top', 'pod', 'busy', '--no-headers']), /^busy +250m +1024Mi +\n$/)
    const node = await ok(['get', 'pod', 'busy', '-o', 'jsonpath={.spec.nodeName}'])
    const [, cpu = ''] = /^\S+ +(\d+)m /.exec(await ok(['top', 'node', node, '--no-headers'])) ?? []
    assert.ok(Number(cpu) >= 260, cpu)
    await ok(['delete', 'pod', 'busy', '--now'])
  })

  it('a pod that no node can take says why, in the stock words', async () => {
    const overrides = { spec: { containers: [{ name: 'big', image: 'i', resources: { requests: { cpu: '100' } } }] } }
    await ok(['run', 'big', '--image=i', `--overrides=${JSON.stringify(overrides)}`])
    const message =
      '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.'
    await eventually(async () => {
      const condition = await ok([
        'get',
        'pod',
        'big',
        '-o',
        'jsonpath={.status.conditions[?(@.type=="PodScheduled")].message}',
      ])
      return condition === message
    }, 'the condition')
    assert.match(
      await ok(['describe', 'pod', 'big']),
      /Warning +FailedScheduling .*default-scheduler +0\/3 nodes are available/,
    )
    await ok(['delete', 'pod', 'big', '--now'])
  })

  it('a failure of a hollow node is listed with those of controllers', async () => {
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods/status'], operations: ['UPDATE'] }]
    const validations = [{ expression: "object.metadata.name != 'mute'", message: 'a mute pod has no status' }]
    const policy = { matchConstraints: { resourceRules: rules }, validations }
    const binding = { policyName: 'mute', validationActions: ['Deny'] }
    const items = [
      { kind: 'ValidatingAdmissionPolicy', spec: policy },
      { kind: 'ValidatingAdmissionPolicyBinding', spec: binding },
    ].map((item) => ({ apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'mute' }, ...item }))
    await ok(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
    await eventually(async () => {
      const tried = await kubectl(['patch', 'pod', 'mute', '--subresource=status', '-p', '{"status":{"message":"x"}}'])
      if (/not found/.test(tried.stderr)) await ok(['run', 'mute', '--image=nginx', '--restart=Never'])
      return /mute pod has no status/.test(tried.stderr)
    }, 'the policy')
    await eventually(async () => {
      const { failures } = JSON.parse(await ok(['get', '--raw', '/debug/controllers/failures'])) as {
        failures: readonly { readonly message: string }[]
      }
      return failures.some(({ message }) => message.includes('mute pod has no status'))
    }, 'the failure')
    await ok(['delete', 'validatingadmissionpolicy,validatingadmissionpolicybinding', 'mute'])
    await ok(['delete', 'pod', 'mute', '--now'])
  })

  it('drain moves pods to other nodes, and uncordon lets them back', async () => {
    await ok(['drain', 'hollow-1', '--force', '--delete-emptydir-data', '--timeout=30s'])
    await ok(['rollout', 'status', 'deployment', 'web', '--timeout=20s'])
    const nodes = await ok(['get', 'pods', '-l', 'app=web', '-o', 'jsonpath={.items[*].spec.nodeName}'])
    assert.equal(nodes.includes('hollow-1'), false, nodes)
    await ok(['uncordon', 'hollow-1'])
    await ok(['scale', 'deployment', 'web', '--replicas=6'])
    await ok(['rollout', 'status', 'deployment', 'web', '--timeout=20s'])
    const later = await ok(['get', 'pods', '-l', 'app=web', '-o', 'jsonpath={.items[*].spec.nodeName}'])
    assert.equal(later.includes('hollow-1'), true, later)
  })
})

function echoed(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.once('data', (chunk) => {
      resolve(String(chunk))
      socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed')))
  })
}
