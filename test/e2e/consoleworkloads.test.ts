import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page, WebSocketRoute } from 'playwright-core'
import { scratchFolder } from '../support/apiserver.ts'
import { keyPem, makeAnyCertificate } from '../support/certificates.ts'
import { objectRoute, useConsole } from '../support/consolekit.ts'
import { eventually } from '../support/eventually.ts'
import { clippedTables, lowContrasts, namelessControls } from '../support/pageaudit.ts'

const namespaced = '/api/v1/namespaces/default'

describe('workloads in the console', function () {
  this.timeout(120_000)
  const kit = useConsole('e2e-consoleworkloads', 2)
  let page: Page

  before(async () => {
    const container = {
      name: 'web',
      image: 'nginx',
      ports: [{ containerPort: 80 }],
      resources: { requests: { cpu: '500m' } },
    }
    await kit.send('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
      },
    })
    await kit.send('POST', `${namespaced}/services`, {
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
    })
    page = await kit.open()
  })
  after(() => assert.deepEqual(kit.problems(), [], 'no view broke the policy of the page or threw an error'))

  const says = (text: string | RegExp) => page.locator('.why li').filter({ hasText: text }).waitFor()

  it('a pod that waits says why: the scheduler, labels, taints, requests, claims', async () => {
    await kit.send('PATCH', '/api/v1/nodes/hollow-1', {
      spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
    })
    await kit.send('POST', `${namespaced}/pods`, {
      metadata: { name: 'waits' },
      spec: {
        nodeSelector: { disk: 'ssd' },
        containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '1000', memory: '1Gi' } } }],
        volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }],
      },
    })
    await kit.go(page, objectRoute('pods', 'waits'))
    await says('needs the claim data, which does not exist')
    await says(/The scheduler found no node: 0\/2 nodes are available/)
    await says('2 of 2 nodes lack a label of its node selector: disk=ssd.')
    await says('1 of 2 nodes repel it by a taint that it does not tolerate: gpu=yes:NoSchedule.')
    await says('It asks for more cpu than any node has: 1000; the largest has 32.')
    await kit.send('POST', `${namespaced}/persistentvolumeclaims`, {
      metadata: { name: 'data' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none-such',
        resources: { requests: { storage: '1Gi' } },
      },
    })
    await says('needs the claim data, which is Pending (storage class none-such).')
    assert.deepEqual(await namelessControls(page), [])
    await kit.send('PATCH', '/api/v1/nodes/hollow-1', { spec: { taints: null } })
  })

  it('a claim shows the pods that use it', async () => {
    await kit.go(page, objectRoute('persistentvolumeclaims', 'data'))
    await page.locator('dd').getByRole('link', { name: 'waits' }).waitFor()
  })

  it('a workload whose pods a quota refuses says so', async () => {
    await kit.send('POST', `${namespaced}/resourcequotas`, {
      metadata: { name: 'few' },
      spec: { hard: { 'count/configmaps': '3', pods: '0' } },
    })
    await eventually(async () => {
      const { status } = (await kit.get(`${namespaced}/resourcequotas/few`)) as { status?: { hard?: object } }
      return status?.hard !== undefined
    }, 'the quota is in force')
    const labels = { app: 'refused' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } }
    await kit.send('POST', '/apis/apps/v1/namespaces/default/replicasets', {
      metadata: { name: 'refused' },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    })
    await kit.go(page, objectRoute('replicasets', 'refused', { group: 'apps' }))
    await says(/FailedCreate: .*exceeded quota: few/)
    await kit.go(page, '#/overview')
    const queues = page.getByRole('table', { name: 'Queues of controllers' })
    await queues.getByRole('row', { name: /^replicaset .* default\/refused .*exceeded quota: few/ }).waitFor()
    await kit.send('DELETE', `${namespaced}/resourcequotas/few`)
    await kit.send('DELETE', '/apis/apps/v1/namespaces/default/replicasets/refused')
  })

  it('a service shows its endpoints, and the command that forwards its port', async () => {
    await kit.go(page, objectRoute('services', 'web'))
    const endpoints = page.getByRole('table', { name: 'Endpoints' })
    await endpoints
      .getByRole('row', { name: /http 80\/TCP ready web-/ })
      .nth(1)
      .waitFor()
    await page.getByText('kubectl port-forward --namespace=default service/web 8080:80', { exact: true }).waitFor()
    await endpoints.getByRole('link', { name: /^web-/ }).first().click()
    await page.getByText(/kubectl port-forward --namespace=default pod\/web-\S+ 8080:80/).waitFor()
  })

  it('a pod shows its containers: what they do, use and ask for', async () => {
    await kit.go(page, '#/list?resource=pods&namespace=default')
    // The server of metrics has columns of its own.
    const row = page.getByRole('row', { name: /^Mark web-\S+ web-\S+ 1\/1 Running 0 \d+s \d+ \d+$/ })
    await row.nth(1).waitFor()
    await page.getByRole('columnheader', { name: 'CPU (m)' }).waitFor()
    await page.getByRole('link', { name: /^web-/ }).first().click()
    const containers = page.getByRole('table', { name: 'Containers' })
    await containers
      .getByRole('row', { name: /^web nginx running \d+s 0 cpu [\d.]+, memory [\d.]+ Mi 80\/TCP cpu 500m$/ })
      .waitFor()
    await page.getByRole('link', { name: /^hollow-/ }).waitFor()
  })

  it('a node shows what its pods ask for, its pressures, and can be cordoned', async () => {
    await kit.go(page, objectRoute('nodes', 'hollow-0', { namespace: '' }))
    await page.getByRole('row', { name: /^MemoryPressure False/ }).waitFor()
    await page
      .getByRole('table', { name: 'Resources' })
      .getByRole('row', { name: /^cpu 0\.5 0\.\d+ 32$/ })
      .waitFor()
    await page.getByRole('button', { name: 'Cordon', exact: true }).click()
    await page.getByText('node.kubernetes.io/unschedulable').waitFor()
    await page.getByRole('button', { name: 'Uncordon' }).click()
    await page.getByRole('button', { name: 'Cordon', exact: true }).waitFor()
  })

  it('a drain says what goes and what stays, tries again where a budget refuses, and can be stopped', async () => {
    const policies = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
    await kit.send('POST', policies, {
      metadata: { name: 'web' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
    })
    await kit.send('POST', `${namespaced}/pods`, {
      metadata: { name: 'alone' },
      spec: { nodeName: 'hollow-0', containers: [{ name: 'c', image: 'x' }] },
    })
    await eventually(async () => {
      const { status } = (await kit.get(`${policies}/web`)) as { status?: { currentHealthy?: number } }
      return status?.currentHealthy === 2 || status
    }, 'the budget counts the pods')
    await kit.go(page, objectRoute('nodes', 'hollow-0', { namespace: '' }))
    await page.getByRole('button', { name: 'Drain' }).click()
    const dialog = page.getByRole('dialog', { name: 'Drain hollow-0' })
    await dialog.getByRole('row', { name: 'default / alone stays no controller makes it again' }).waitFor()
    await dialog.getByRole('row', { name: /^default \/ web-\S+ will be evicted/ }).waitFor()
    assert.deepEqual([...(await namelessControls(page)), ...(await lowContrasts(page))], [])
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click()
    await dialog
      .getByRole('row', { name: /^web-.* refused, tried again .*disruption budget web needs 2 .*\(1 try\)/ })
      .waitFor()
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await dialog.getByText('Stopped. The node stays cordoned').waitFor()
    await dialog.getByRole('button', { name: 'Drain again' }).click()
    await dialog.getByLabel('Evict pods that no controller makes again').check()
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click()
    await dialog.getByText(/^Draining: [01] of 2/).waitFor()
    await dialog.getByRole('button', { name: 'Go on in the background' }).click()
    await page.getByText(/^\s*Draining: [01] of 2 pods are gone/).waitFor()
    await kit.send('DELETE', `${policies}/web`)
    await page.getByRole('button', { name: 'Show' }).click()
    await dialog.getByText('Drained: 2 pods are gone.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    const { items } = (await kit.get(`${namespaced}/pods?fieldSelector=spec.nodeName=hollow-0`)) as { items: unknown[] }
    assert.deepEqual(items, [])
    await page.getByRole('button', { name: 'Uncordon' }).click()
  })

  it('several objects are marked by the keyboard, and deleted after one question that names them', async () => {
    const configMaps = `${namespaced}/configmaps`
    for (const name of ['bulk-a', 'bulk-b', 'bulk-c'])
      await kit.send('POST', configMaps, {
        metadata: { name, ...(name === 'bulk-b' && { finalizers: ['example.com/keep'] }) },
      })
    await kit.go(page, '#/list?resource=configmaps&namespace=default&search=bulk')
    await page.locator('.count', { hasText: /^3$/ }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    const bar = page.getByRole('toolbar', { name: 'Actions on what is marked' })
    await bar.getByText('2 marked').waitFor()
    // Of the same user, without the right to it.
    assert.deepEqual([...(await namelessControls(page)), ...(await lowContrasts(page))], [])
    await bar.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete: 2 ConfigMaps' })
    assert.equal(await dialog.getByRole('listitem').count(), 2)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.count', { hasText: /^2$/ }).waitFor()
    await page.locator('tr.deleting', { hasText: 'bulk-b' }).waitFor()
    await bar.waitFor({ state: 'detached' })
    await page.getByLabel('Mark all').check()
    await bar.getByText('2 marked').waitFor()
    // One of them is gone by the time that the question is answered, and there is another of its name.
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.route(/configmaps\/bulk-c$/, async (route) => {
      await route.fulfill({
        status: 409,
        json: { kind: 'Status', reason: 'Conflict', message: 'the UID in the precondition does not match' },
      })
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'bulk-c the UID in the precondition' }).waitFor()
    await page.getByText('1 of 2 done, 1 failed.').waitFor()
    await page.unroute(/configmaps\/bulk-c$/)
    await page.keyboard.press('Escape')
    await kit.send('PATCH', `${configMaps}/bulk-b`, { metadata: { finalizers: null } })
  })

  it('several terminals are open at once, a debug container among them, and follow the size of the window', async () => {
    await kit.go(page, '#/list?resource=pods&namespace=default')
    await page.getByRole('link', { name: /^web-/ }).first().click()
    await page.getByRole('tab', { name: 'Terminal' }).click()
    const frames: Buffer[] = []
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => frames.push(Buffer.from(payload))))
    const panes = page.locator('.pane')
    const lines = (pane: number, text: RegExp) =>
      panes.nth(pane).locator('.xterm-rows').filter({ hasText: text }).waitFor()
    const isConnected = (pane: number) => panes.nth(pane).getByText('connected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Open' }).click()
    await isConnected(0)
    await page.keyboard.type('echo first $HOSTNAME\n')
    await lines(0, /first web-/)
    await page.getByRole('button', { name: 'Debug' }).click()
    await panes.nth(1).waitFor()
    await isConnected(1)
    await page.keyboard.type('echo second $HOSTNAME\n')
    await lines(1, /second web-/)
    const sizes = () =>
      frames.filter(([channel]) => channel === 4).map((frame) => JSON.parse(frame.subarray(1).toString()).Width)
    const before = sizes().at(-1)
    await page.setViewportSize({ width: 800, height: 700 })
    await eventually(() => sizes().at(-1) < before || sizes(), 'the terminal is told its new size')
    await page.setViewportSize({ width: 1200, height: 760 })
    await page.getByRole('button', { name: '1 web: sh' }).click()
    await lines(0, /first web-/)
    await page.locator('.pane:not([hidden]) .xterm').click()
    await page.keyboard.type('echo again\n')
    await lines(0, /again[^]*again/)
    assert.deepEqual(await namelessControls(page), [])
  })

  it('files go up to and down from a container by its tar; one without tar says what to do', async () => {
    const folder = scratchFolder('consolefiles')
    try {
      await kit.go(page, '#/list?resource=pods&namespace=default')
      await page.getByRole('link', { name: /^web-/ }).first().click()
      await page.getByRole('tab', { name: 'Files' }).click()
      const path = page.getByRole('textbox', { name: 'File or folder in the container' })
      const download = page.getByRole('button', { name: 'Download' })
      const send = async (content: Buffer, into: string): Promise<void> => {
        await page
          .getByLabel('File to upload')
          .setInputFiles({ name: 'given.txt', mimeType: 'text/plain', buffer: content })
        await page.getByRole('textbox', { name: 'Folder in the container', exact: true }).fill(into)
        await page.getByRole('button', { name: 'Upload', exact: true }).click()
        await page.getByText(`given.txt is in ${into}.`).waitFor()
      }
      const saved = async (from: string): Promise<{ name: string; bytes: Buffer }> => {
        await path.fill(from)
        const [got] = await Promise.all([page.waitForEvent('download'), download.click()])
        return { name: got.suggestedFilename(), bytes: readFileSync(await got.path()) }
      }
      const small = Buffer.alloc(300_001, 'some text ')
      await send(small, '/tmp')
      assert.ok((await saved('/tmp/given.txt')).bytes.equals(small))
      assert.match((await saved('/etc/hosts')).bytes.toString(), /^127\.0\.0\.1\tlocalhost\n/)
      assert.deepEqual(await namelessControls(page), [])
      assert.deepEqual(await lowContrasts(page), [])

      await page.routeWebSocket(/\/exec\?/, (socket) =>
        endCommand(socket, 'exec: "tar": executable file not found in $PATH'),
      )
      await download.click()
      await page.getByRole('alert').filter({ hasText: 'has no tar program' }).waitFor()

      // The tar program of this machine, in the place of a container's.
      await page.routeWebSocket(/\/exec\?/, (socket) => runCommandOf(socket))
      const content = Buffer.alloc(3_000_001, 'some text ')
      await send(content, folder.path)
      assert.ok(readFileSync(join(folder.path, 'given.txt')).equals(content))

      const file = await saved(join(folder.path, 'given.txt'))
      assert.equal(file.name, 'given.txt')
      assert.ok(file.bytes.equals(content))

      symlinkSync('/etc/passwd', join(folder.path, 'link'))
      const archive = await saved(folder.path)
      assert.equal(archive.name, `${basename(folder.path)}.tar`)
      const names = execFileSync('tar', ['tf', '-'], { input: archive.bytes, encoding: 'utf8' })
      assert.deepEqual(names.trim().split('\n'), [`${basename(folder.path)}/`, `${basename(folder.path)}/given.txt`])
      await page.getByText('links and devices that were left out: 1.').waitFor()

      await path.fill(join(folder.path, 'none'))
      await download.click()
      await page.getByRole('alert').filter({ hasText: 'none: Cannot stat' }).waitFor()

      const large = join(folder.path, 'large')
      writeFileSync(large, '')
      truncateSync(large, 257 * 1024 * 1024)
      await path.fill(large)
      await download.click()
      await page.getByRole('alert').filter({ hasText: 'larger than 256 MB' }).waitFor()

      // A command that never answers.
      await page.routeWebSocket(/\/exec\?/, () => {})
      await download.click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Cancelled.').waitFor()
    } finally {
      folder.remove()
    }
  })

  it('the overview shows servers, store, queues, objects, warnings, and what ends soon', async () => {
    const endMs = Date.now() + 4.5 * 86_400_000
    const { pem, key } = makeAnyCertificate({ subject: ['CN=site'], endMs })
    const base64 = (text: string): string => Buffer.from(text).toString('base64')
    await kit.send('POST', `${namespaced}/secrets`, {
      metadata: { name: 'site' },
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': base64(pem), 'tls.key': base64(keyPem(key)) },
    })
    await kit.go(page, '#/overview')
    await page
      .getByRole('table', { name: 'API servers' })
      .getByRole('row', { name: /^apiserver-.* current$/ })
      .waitFor()
    await page.getByText('Size of the store').waitFor()
    await page
      .getByRole('list', { name: 'Objects by kind' })
      .getByText(/^pods \d+$/)
      .waitFor()
    await page
      .getByRole('table', { name: 'Ends soon' })
      .getByRole('row', { name: /^default \/ site 4 days/ })
      .waitFor()
    await page
      .getByRole('table', { name: 'Warnings of the last hour' })
      .getByText(/0\/2 nodes are available/)
      .first()
      .waitFor()
    for (const [code, words] of [
      [403, /^Errors are not shown: \S+ may not get \/debug\/controllers\/failures\.$/],
      [404, /^Errors are not shown: the controllers run in another program/],
    ] as const) {
      await page.route('**/debug/controllers/failures', (route) => route.fulfill({ status: code, body: '' }))
      await page.reload()
      await kit.signIn(page)
      await page.getByText(words).waitFor()
      await page.unroute('**/debug/controllers/failures')
    }
    const chart = (name: RegExp) => page.getByRole('img', { name }).waitFor()
    await chart(/^Mean time of a request, ms: (?!0\.00)/)
    await chart(/^Keys waiting in queues: \d/)
    await page.setViewportSize({ width: 1200, height: 300 })
    assert.deepEqual(await clippedTables(page), [])
    await page.setViewportSize({ width: 1200, height: 760 })
    assert.deepEqual(await namelessControls(page), [])
    assert.deepEqual(await lowContrasts(page), [])
  })
})

/** Runs the command that an exec's address holds here, with the channels of v5.channel.k8s.io. */
function runCommandOf(socket: WebSocketRoute): void {
  const [program = '', ...args] = new URL(socket.url()).searchParams.getAll('command')
  assert.equal(program, 'tar')
  const child = spawn(program, args)
  const send = (channel: number, bytes: Buffer): void => socket.send(Buffer.concat([Buffer.of(channel), bytes]))
  child.stdout.on('data', (bytes: Buffer) => send(1, bytes))
  child.stderr.on('data', (bytes: Buffer) => send(2, bytes))
  socket.onMessage((message) => {
    const frame = Buffer.from(message)
    if (frame[0] === 0) child.stdin.write(frame.subarray(1))
    if (frame[0] === 255) child.stdin.end()
  })
  socket.onClose(() => void child.kill())
  child.on('close', (code) => endCommand(socket, code === 0 ? '' : `exit code ${code}`))
}

/** Ends a command's streams: well, or with a failure. */
function endCommand(socket: WebSocketRoute, failure: string): void {
  const status = failure === '' ? { status: 'Success' } : { status: 'Failure', message: failure }
  socket.send(Buffer.concat([Buffer.of(3), Buffer.from(JSON.stringify(status))]))
  void socket.close()
}
