// `npm run screenshots [-- NAMES]`: pictures of the console for docs/console.md, taken of a server of its own with hollow
// nodes.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../test/support/apiserver.ts'
import { openBrowser, openPage } from '../test/support/browser.ts'
import { bundleClone } from './bundle.ts'

const pictures = join(import.meta.dirname, '..', 'docs', 'pictures')
const wanted = process.argv.slice(2)
const home = '#/object?group=apps&resource=deployments&namespace=default&name=web'

const container = {
  name: 'web',
  image: 'nginx:1.29',
  ports: [{ name: 'http', containerPort: 80 }],
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
}

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
  },
}

const waitingPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'waits', namespace: 'default' },
  spec: {
    nodeSelector: { disk: 'ssd' },
    containers: [{ name: 'train', image: 'train:1', resources: { requests: { cpu: '64' } } }],
  },
}

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
}

const budget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace: 'default' },
  spec: { minAvailable: 3, selector: { matchLabels: { app: 'web' } } },
}

interface View {
  readonly name: string
  readonly address: string
  /** What is visible once the view is complete, and what is done before the picture. */
  prepare(page: Page): Promise<void>
}

const tab = (name: string, address: string, id: string, shows: string): View => ({
  name,
  address: `${address}&tab=${id}`,
  prepare: async (page) => await page.locator('.panel').getByText(shows).first().waitFor(),
})

const views: readonly View[] = [
  {
    name: 'overview',
    address: '#/overview',
    async prepare(page) {
      await page.getByText('Size of the store').waitFor()
      // A few points of each chart.
      await page.waitForTimeout(30_000)
      await page.getByRole('row', { name: /^apiserver-/ }).waitFor()
    },
  },
  {
    name: 'pods',
    address: '#/list?resource=pods',
    async prepare(page) {
      await page.getByText('Running').nth(2).waitFor()
      await page.getByRole('columnheader', { name: 'CPU (m)' }).waitFor()
    },
  },
  {
    name: 'create',
    address: '#/create?group=apps&resource=deployments&namespace=default',
    async prepare(page) {
      await page.locator('.cm-line').first().waitFor()
      await page.getByRole('button', { name: 'Review changes' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'pod',
    address: '#/list?resource=pods&namespace=default',
    async prepare(page) {
      await page.getByRole('link', { name: /^web-/ }).first().click()
      await page.getByRole('table', { name: 'Containers' }).getByText('running').waitFor()
    },
  },
  {
    name: 'waiting-pod',
    address: '#/object?resource=pods&namespace=default&name=waits',
    prepare: async (page) => await page.locator('.why li').nth(1).waitFor(),
  },
  {
    name: 'events',
    address: '#/object?resource=pods&namespace=default&name=waits&tab=events',
    prepare: async (page) => await page.locator('.timeline li').first().waitFor(),
  },
  {
    name: 'service',
    address: '#/object?resource=services&namespace=default&name=web',
    prepare: async (page) => await page.getByRole('cell', { name: /^web-/ }).first().waitFor(),
  },
  tab('summary', home, '', 'MinimumReplicasAvailable'),
  tab('yaml', home, 'edit', 'apiVersion'),
  tab('logs', home, 'logs', 'runs on'),
  tab('owned', home, 'owned', 'ReplicaSet'),
  tab('history', home, 'history', 'replicas: 3'),
  tab('who-can', home, 'access', 'cluster-admin'),
  {
    name: 'terminal',
    address: '#/list?resource=pods&namespace=default',
    async prepare(page) {
      await page.getByRole('link', { name: /^web-/ }).first().click()
      await page.getByRole('tab', { name: 'Terminal' }).click()
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('connected', { exact: true }).waitFor()
      await page.keyboard.type('echo $HOSTNAME\n')
      await page
        .locator('.xterm-rows')
        .filter({ hasText: /\nweb-|web-/ })
        .waitFor()
    },
  },
  {
    name: 'files',
    address: '#/list?resource=pods&namespace=default',
    async prepare(page) {
      await page.getByRole('link', { name: /^web-/ }).first().click()
      await page.getByRole('tab', { name: 'Files' }).click()
      await page.getByRole('textbox', { name: 'File or folder in the container' }).fill('/etc/hosts')
      await page.getByRole('button', { name: 'Download' }).click()
      await page.getByText('hosts is saved').waitFor()
    },
  },
  {
    name: 'drain',
    address: '#/object?resource=nodes&name=hollow-0',
    async prepare(page) {
      await page.getByRole('button', { name: 'Drain' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Drain', exact: true }).click()
      await page.getByText('disruption budget web needs').first().waitFor()
    },
  },
  {
    name: 'try-out',
    address: '#/extensions',
    async prepare(page) {
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Try an expression' }).click()
      await page.getByRole('combobox', { name: /^Try/ }).selectOption('webhook')
      await page.getByRole('button', { name: 'Evaluate' }).click()
      await page.getByRole('table', { name: 'Results' }).getByText('would be called').waitFor()
    },
  },
]

async function takePictures(server: ServerProcess): Promise<void> {
  const browser = await openBrowser()
  if (!browser) throw new Error('pictures need a Chromium')
  try {
    const { page } = await openPage(browser, { width: 1100, height: 720 })
    await page.goto(`${server.url}/console/`)
    await page.fill('#credential', adminToken)
    await page.click('button[type=submit]')
    await page.locator('nav a').first().waitFor()
    for (const { name, address, prepare } of views) {
      if (wanted.length > 0 && !wanted.includes(name)) continue
      await page.goto(`${server.url}/console/${address}`)
      await prepare(page)
      await page.screenshot({ path: join(pictures, `${name}.png`) })
      console.log(`docs/pictures/${name}.png`)
    }
  } finally {
    await browser.close()
  }
}

process.env['PILOTHOUSE_PROGRAMS'] = await bundleClone()
const folder = scratchFolder('screenshots')
const flags = [`--data-dir=${folder.path}/data`, '--nodes=3', '--controllers=*']
const server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
try {
  mkdirSync(pictures, { recursive: true })
  const path = '/apis/apps/v1/namespaces/default/deployments'
  const post = async (to: string, object: object): Promise<unknown> =>
    await request(server, to, { method: 'POST', body: JSON.stringify(object) })
  await post(path, deployment)
  await post('/api/v1/namespaces/default/pods', waitingPod)
  await post('/api/v1/namespaces/default/services', service)
  await post('/apis/policy/v1/namespaces/default/poddisruptionbudgets', budget)
  await takePictures(server)
} finally {
  await server.stop()
  folder.remove()
}
