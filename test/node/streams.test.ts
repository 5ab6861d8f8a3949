import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { resources } from '../../api/gen/resources.ts'
import { shellImage } from '../../hack/node/images.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import type { Kubectl } from '../support/kubectl.ts'
import { freePort } from '../support/ports.ts'
import { container, forever, podOf } from './objects.ts'
import { describeOnNode } from './sharednode.ts'
import { isPodReady, untilPod } from './waiting.ts'

const { pods } = resources.core.v1

const ways = [
  ['WebSockets', {}],
  ['SPDY', { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }],
] as const

describeOnNode('kubectl and the containers of a real kubelet', (on) => {
  before(async () => {
    const { client } = on().cluster
    const echo = container('while read line; do echo heard: $line; done', {
      name: 'main',
      stdin: true,
      stdinOnce: true,
    })
    const all = [
      podOf('web', [container()]),
      podOf('talker', [
        container('echo first; echo second; trap "exit 0" TERM; while :; do sleep 0.2; echo again; done'),
      ]),
      podOf('listener', [echo], { restartPolicy: 'Never' }),
      podOf('failing', [container('echo last words; exit 3')]),
      podOf('pair', [container(forever, { name: 'one' }), container(`echo from two; ${forever}`, { name: 'two' })]),
      podOf('brief', [container('echo begins; sleep 4; echo ends')], { restartPolicy: 'Never' }),
      podOf('patient', [container()]),
    ]
    await Promise.all(all.map(async (pod) => await client.resource(pods).create(pod)))
    await Promise.all(
      ['web', 'talker', 'pair', 'patient'].map(async (name) => await untilPod(client, name, isPodReady)),
    )
  })
  after(async () => {
    await on().cluster.client.resource(pods).deleteCollection({ namespace: 'default' })
  })

  it('logs: shows them, limits them, and follows them until the container ends', async () => {
    const { kubectl } = on().cluster
    assert.match((await kubectl(['logs', 'talker'])).stdout, /^first\nsecond\n/)
    assert.equal((await kubectl(['logs', 'talker', '--limit-bytes=8'])).stdout, 'first\nse')
    assert.equal((await kubectl(['logs', 'pair', '-c', 'two'])).stdout, 'from two\n')
    assert.match(
      (await kubectl(['logs', 'talker', '--timestamps', '--tail=1'])).stdout,
      /^\d{4}-\d\d-\d\dT\S+Z again\n$/,
    )
    let seen = ''
    const followed = kubectl(['logs', '-f', '--tail=1', 'talker'], {
      isEnough: (text) => {
        seen = text
        return text.split('again').length > 5
      },
    })
    await followed
    assert.match(seen, /^(again\n){5}/)
    const toTheEnd = await kubectl(['logs', '-f', 'brief'])
    assert.deepEqual([toTheEnd.code, toTheEnd.stdout], [0, 'begins\nends\n'])
  })

  it('logs --previous: shows those of the container before', async () => {
    const { kubectl, client } = on().cluster
    await untilPod(client, 'failing', ({ status }) => (status.containerStatuses?.[0]?.restartCount ?? 0) > 0)
    // The kubelet removes a container's log while it restarts the next one.
    await eventually(async () => {
      const { stdout } = await kubectl(['logs', '--previous', 'failing'])
      return stdout === 'last words\n' || stdout
    }, 'the words of the container before')
  })

  for (const [way, env] of ways)
    describe(`over ${way}`, () => {
      const run: Kubectl = async (args, options) => await on().cluster.kubectl(args, { ...options, env })

      it('exec: passes output, errors and the exit code', async () => {
        const result = await run(['exec', 'web', '--', 'sh', '-c', 'hostname; echo err >&2; exit 3'])
        assert.deepEqual([result.code, result.stdout], [3, 'web\n'])
        assert.equal(result.stderr, 'err\ncommand terminated with exit code 3\n')
      })

      it('exec -i: passes input of a megabyte, and its end', async () => {
        const input = 'line\n'.repeat(200_000)
        const result = await run(['exec', '-i', 'web', '--', 'sh', '-c', 'wc -c; echo over'], { input })
        assert.deepEqual([result.code, result.stdout], [0, `${input.length}\nover\n`])
      })

      it('exec: reports a program that does not exist', async () => {
        const result = await run(['exec', 'web', '--', 'no-such-program'])
        assert.notEqual(result.code, 0)
        assert.match(result.stderr, /no-such-program/)
      })

      it('cp: copies a file there and back', async () => {
        const { folder } = on().cluster.site
        const content = Array.from({ length: 100_000 }, (_, index) => index % 251).join()
        writeFileSync(join(folder, 'from'), content)
        const there = await run(['cp', join(folder, 'from'), `web:/tmp/there-${way}`])
        assert.equal(there.code, 0, there.stderr)
        const back = await run(['cp', `web:/tmp/there-${way}`, join(folder, `back-${way}`)])
        assert.equal(back.code, 0, back.stderr)
        assert.equal(readFileSync(join(folder, `back-${way}`), 'utf8'), content)
      })

      it('port-forward: carries connections to the pod', async () => {
        assert.equal(await throughForward(run, 'web'), 'web\n')
      })
    })

  it('attach: talks to the container’s own process until the input ends', async () => {
    const { kubectl, client } = on().cluster
    const result = await kubectl(['attach', '-i', 'listener'], { input: 'hello\nand again\n' })
    assert.deepEqual([result.code, result.stdout], [0, 'heard: hello\nheard: and again\n'], result.stderr)
    await untilPod(client, 'listener', ({ status }) => status.phase === 'Succeeded')
  })

  it('exec -it: gives the program a terminal of the user’s size', async () => {
    const { kubectl, plane } = on().cluster
    assert.match((await kubectl(['exec', 'web', '--', 'tty'])).stdout, /not a tty/)
    const line = `stty rows 33 cols 101; KUBECONFIG=${plane.kubeconfig} kubectl exec -it web -- sh -c 'tty; sleep 1; stty size'`
    assert.match(await inTerminal(line), /\/dev\/pts\/\d+\r+\n33 101\r+\n/)
  })

  it('the console: its files go up and down through the kubelet, and its terminal has the size of the page', async function () {
    const { plane } = on().cluster
    const browser = await openBrowser()
    if (!browser && process.env['CI']) assert.fail('this run must have a Chromium')
    if (!browser) return this.skip()
    try {
      const { page, problems } = await openPage(browser)
      await page.goto(`${plane.url}/console/#/object?resource=pods&namespace=default&name=web&tab=files`)
      await page.fill('#credential', readFileSync(plane.kubeconfig, 'utf8'))
      await page.click('button[type=submit]')
      const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251).join())
      const file = { name: 'given.txt', mimeType: 'text/plain', buffer: content }
      await page.getByLabel('File to upload').setInputFiles(file)
      await page.getByRole('textbox', { name: 'Folder in the container', exact: true }).fill('/tmp')
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      await page.getByText('given.txt is in /tmp.').waitFor()
      await page.getByRole('textbox', { name: 'File or folder in the container' }).fill('/tmp/given.txt')
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download' }).click(),
      ])
      assert.ok(readFileSync(await saved.path()).equals(content))
      await page.getByRole('tab', { name: 'Terminal' }).click()
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('connected', { exact: true }).waitFor()
      await page.keyboard.type('wc -c /tmp/given.txt; stty size\n')
      const lines = page.locator('.xterm-rows')
      await lines.filter({ hasText: `${content.length} /tmp/given.txt` }).waitFor()
      await lines.filter({ hasText: /[1-9]\d 1\d\d/ }).waitFor()
      assert.deepEqual(problems, [])
    } finally {
      await browser.close()
    }
  })

  it('debug: adds a container that sees the pod’s processes', async () => {
    const { kubectl, client } = on().cluster
    const [image, target] = [`--image=${shellImage}`, '--target=main']
    const flags = [image, target, '--image-pull-policy=Never', '--container=debugger', '--profile=general']
    const added = await kubectl(['debug', 'patient', ...flags, '--attach=false', '--', 'sh', '-c', forever])
    assert.equal(added.code, 0, added.stderr)
    await untilPod(
      client,
      'patient',
      ({ status }) => status.ephemeralContainerStatuses?.[0]?.state?.running !== undefined,
    )
    const seen = await kubectl(['exec', 'patient', '-c', 'debugger', '--', 'ps'])
    assert.match(seen.stdout, /httpd -f -p 8080/, seen.stderr)
  })

  it('requests pass through pods/proxy, nodes/proxy and the metrics of the kubelet', async () => {
    const { kubectl } = on().cluster
    const raw = async (path: string): Promise<string> => (await kubectl(['get', '--raw', path])).stdout
    assert.equal(await raw('/api/v1/namespaces/default/pods/web:8080/proxy/'), 'web\n')
    assert.equal(await raw('/api/v1/nodes/node-1/proxy/healthz'), 'ok')
    assert.match(
      await raw('/api/v1/nodes/node-1/proxy/metrics/resource'),
      /^container_cpu_usage_seconds_total\{.*pod="web"/m,
    )
    assert.match(await raw('/api/v1/nodes/node-1/proxy/stats/summary'), /"nodeName": ?"node-1"/)
    const running = JSON.parse(await raw('/api/v1/nodes/node-1/proxy/pods')) as {
      items: { metadata: { name: string } }[]
    }
    assert.ok(running.items.some(({ metadata }) => metadata.name === 'web'))
  })
})

/** What `path` answers through `kubectl port-forward`. */
async function throughForward(kubectl: Kubectl, pod: string): Promise<string> {
  const port = await freePort()
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>()
  let isOver = false
  const forwarded = kubectl(['port-forward', pod, `${port}:8080`], {
    isEnough(text) {
      if (text.includes('Forwarding from 127.0.0.1')) isReady()
      return isOver
    },
  })
  await Promise.race([ready, forwarded.then(({ stderr }) => assert.fail(stderr))])
  const text = await textAt(port)
  isOver = true
  // Its output ends kubectl, which may leave the request without an answer.
  await textAt(port).catch(() => {})
  await forwarded
  return text
}

/** Asked over a connection of its own. */
function textAt(port: number): Promise<string> {
  return new Promise((done, failed) => {
    get({ host: '127.0.0.1', port, path: '/', agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => done(text))
    }).on('error', failed)
  })
}

/** The output of a shell's line whose input and output are a terminal: script(1) has one. */
async function inTerminal(line: string): Promise<string> {
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], { timeout: 30_000 })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  await once(child, 'close')
  child.stdin.end()
  return output
}
