import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { eventually } from '../support/eventually.ts'
import { createNode, createPod } from '../support/fakekubelet/cluster.ts'
import { type FakeKubelet, startFakeKubelet } from '../support/fakekubelet/fakekubelet.ts'
import { createKubeletLogs } from '../support/fakekubelet/logs.ts'
import { createKubeletStreams } from '../support/fakekubelet/streams.ts'
import { createKubectl, findKubectl, type Kubectl } from '../support/kubectl.ts'
import { freePort } from '../support/ports.ts'

const ways = [
  ['WebSockets', {}],
  ['SPDY', { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }],
] as const

describe('kubectl and the containers of a node', function () {
  if (!findKubectl()) {
    it.skip('needs kubectl on PATH')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('e2e-nodestreams')
  const inside = join(folder.path, 'inside')
  const logs = createKubeletLogs()
  let streams: ReturnType<typeof createKubeletStreams>
  let kubelet: FakeKubelet
  let server: ServerProcess
  let web: Server
  let kubectl: Kubectl

  before(async () => {
    mkdirSync(inside)
    streams = createKubeletStreams({ folder: inside, attached: ['sed', '-u', 's/^/heard: /'] })
    kubelet = await startFakeKubelet({ routes: [logs.route, ...streams.routes] })
    server = await startServer('cmd/pilothouse/main.ts', [`--data-dir=${folder.path}/data`], folder.path)
    kubectl = createKubectl(server, folder.path)
    web = createServer((request, response) => response.end(`web answers ${request.url}`)).listen(0, '127.0.0.1')
    await once(web, 'listening')
    await createNode(server, 'node-1', kubelet.port)
    await createPod(server, 'other')
    await createPod(server, 'web', { port: (web.address() as AddressInfo).port })
  })
  after(async () => {
    await server.stop()
    await kubelet.close()
    web.close()
    folder.remove()
  })

  it('logs: shows them, and follows them', async () => {
    logs.write('default/web/main', 'first', 'second')
    assert.equal((await kubectl(['logs', 'web'])).stdout, 'first\nsecond\n')
    assert.equal((await kubectl(['logs', 'web', '--tail=1'])).stdout, 'second\n')
    const followed = kubectl(['logs', '-f', 'web'], { isEnough: (text) => text.includes('third') })
    await eventually(() => logs.followers('default/web/main') === 1, 'kubectl follows')
    logs.write('default/web/main', 'third')
    assert.equal((await followed).stdout, 'first\nsecond\nthird\n')
    await eventually(() => logs.followers('default/web/main') === 0, 'kubectl has left')
  })

  for (const [way, env] of ways)
    describe(`over ${way}`, () => {
      const run = (args: readonly string[], input?: string) =>
        kubectl(args, { env, ...(input === undefined ? {} : { input }) })

      it('exec: passes output, errors and the exit code', async () => {
        const result = await run(['exec', 'web', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3'])
        assert.deepEqual([result.code, result.stdout], [3, 'out\n'])
        assert.match(result.stderr, /^err\ncommand terminated with exit code 3\n$/)
      })

      it('exec -i: passes input, and its end', async () => {
        const input = 'line\n'.repeat(200_000)
        const result = await run(['exec', '-i', 'web', '--', 'sh', '-c', 'wc -c; echo over'], input)
        assert.deepEqual([result.code, result.stdout.replaceAll(' ', '')], [0, `${input.length}\nover\n`])
      })

      it('exec: passes a large output whole', async () => {
        const result = await run(['exec', 'web', '--', 'sh', '-c', 'head -c 20000000 /dev/zero | tr "\\0" x'])
        assert.deepEqual([result.code, result.stdout.length], [0, 20_000_000])
      })

      it('exec -i: ends with a command that leaves its input unread', async () => {
        assert.equal((await run(['exec', '-i', 'web', '--', 'true'], 'line\n'.repeat(200_000))).code, 0)
      })

      it('exec: reports the error', async () => {
        const result = await run(['exec', 'web', '--', 'no-such-program'])
        assert.equal(result.code, 1)
        assert.match(result.stderr, /no-such-program/)
        assert.match((await run(['exec', 'nobody', '--', 'ls'])).stderr, /pods "nobody" not found/)
      })

      it('cp: copies files there and back', async () => {
        const [from, back] = [join(folder.path, `from-${way}`), join(folder.path, `back-${way}`)]
        const content = Array.from({ length: 300_000 }, (_, index) => index % 251).join()
        writeFileSync(from, content)
        const there = await run(['cp', from, `web:${inside}/there-${way}`])
        assert.equal(there.code, 0, there.stderr)
        assert.equal(readFileSync(join(inside, `there-${way}`), 'utf8'), content)
        const here = await run(['cp', `web:${inside}/there-${way}`, back])
        assert.equal(here.code, 0, here.stderr)
        assert.equal(readFileSync(back, 'utf8'), content)
      })

      it('attach: attaches to the container’s own process', async () => {
        const result = await run(['attach', '-i', 'web'], 'hello\n')
        assert.deepEqual([result.code, result.stdout], [0, 'heard: hello\n'])
      })

      it('port-forward: carries connections', async () => {
        const { port: inPod } = web.address() as AddressInfo
        const port = await freePort()
        let isReady = (): void => {}
        const ready = new Promise<void>((done) => (isReady = done))
        let isOver = false
        const forwarded = kubectl(['port-forward', 'web', `${port}:${inPod}`], {
          env,
          isEnough(text) {
            if (text.includes('Forwarding from 127.0.0.1')) isReady()
            return isOver
          },
        })
        await Promise.race([ready, forwarded.then(({ stderr }) => assert.fail(stderr))])
        for (const path of ['/a', '/b', '/c']) {
          assert.equal(await textAt(port, path), `web answers ${path}`)
        }
        isOver = true
        // It ends kubectl, which may leave it without an answer.
        await textAt(port, '/end').catch(() => {})
        await forwarded
      })
    })

  it('debug: attaches to a container that is added to the pod', async () => {
    const result = await kubectl(['debug', 'other', '--image=busybox', '--container=debugger', '--attach=false'])
    assert.equal(result.code, 0, result.stderr)
    assert.equal((await kubectl(['exec', 'other', '-c', 'debugger', '--', 'echo', 'here'])).stdout, 'here\n')
  })
  describe('afterwards', () => {
    it('no connection to the kubelet is left', async () => {
      await eventually(() => streams.sessions.size === 0, 'all sessions are over')
    })
  })
})

/** Asked over its own connection. */
function textAt(port: number, path: string): Promise<string> {
  return new Promise((done, failed) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => done(text))
    }).on('error', failed)
  })
}
