import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { bundleClone } from '../../hack/bundle.ts'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { openBrowser, openPage, type WatchedPage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { startHookServer } from '../support/hookserver.ts'
import { lowContrasts, namelessControls, overflows } from '../support/pageaudit.ts'

const hostile = '<img src=x onerror="document.title=1">\u202e\u001b[31m'

/** Each mutation may cost a million units; all of them take most of a minute. */
function endlessPolicy(): string {
  const ten = '[0,1,2,3,4,5,6,7,8,9]'
  const long = ['a', 'b', 'c', 'd', 'e', 'f'].reduceRight((inner, name) => `${ten}.all(${name}, ${inner})`, 'a < 10')
  const mutation = {
    patchType: 'JSONPatch',
    jsonPatch: { expression: `[JSONPatch{op: string(${long}), path: '/kind'}]` },
  }
  return JSON.stringify({ kind: 'MutatingAdmissionPolicy', spec: { mutations: Array(1000).fill(mutation) } })
}

describe('the console in a browser', function () {
  this.timeout(120_000)
  const folder = scratchFolder('e2e-console')
  const programs = process.env['PILOTHOUSE_PROGRAMS']
  let server: ServerProcess
  let browser: Browser | undefined
  let watched: WatchedPage
  let page: Page

  before(async function () {
    browser = await openBrowser()
    if (!browser && process.env['CI']) assert.fail('this run must have a Chromium')
    if (!browser) return this.skip()
    // The page is part of the bundle.
    process.env['PILOTHOUSE_PROGRAMS'] = await bundleClone()
    const flags = [
      `--data-dir=${folder.path}/data`,
      '--nodes=2',
      '--controllers=*',
      '--storage-backend=memory',
      '--anonymous-auth=false',
    ]
    server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
    watched = await openPage(browser)
    page = watched.page
  })
  after(async () => {
    if (programs === undefined) delete process.env['PILOTHOUSE_PROGRAMS']
    await browser?.close()
    await server?.stop()
    folder.remove()
  })

  async function post(path: string, object: unknown): Promise<void> {
    const { status, body } = await request(server, path, { method: 'POST', body: JSON.stringify(object) })
    assert.equal(status, 201, body)
  }

  async function tokenOf(account: string): Promise<string> {
    const path = `/api/v1/namespaces/default/serviceaccounts`
    await post(path, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account } })
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const { body } = await request(server, `${path}/${account}/token`, { method: 'POST', body: JSON.stringify(review) })
    return String(JSON.parse(body).status.token)
  }

  async function signIn(to: Page, token: string, route = ''): Promise<void> {
    await to.goto(`${server.url}/console/${route}`)
    await to.fill('#credential', token)
    await to.click('button[type=submit]')
    await to.waitForSelector('nav a')
  }

  const row = (name: string | RegExp) => page.locator('.rows tbody tr').filter({ hasText: name })
  const tab = (name: string) => page.getByRole('tab', { name })

  it('the files need no credential, allow GET and HEAD, and are sent once', async () => {
    const ask = (path: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
      request(server, path, { ...options, token: undefined })
    const page = await ask('/console/')
    assert.equal(page.status, 200)
    assert.match(
      String(page.headers['content-security-policy']),
      /^default-src 'none'; script-src 'self'; style-src 'self';.* worker-src 'self';.* trusted-types tryout$/,
    )
    const etag = String(page.headers['etag'])
    assert.equal((await ask('/console/', { headers: { 'if-none-match': etag } })).status, 304)
    const head = await ask('/console/', { method: 'HEAD' })
    assert.deepEqual([head.status, head.body, head.headers['content-length']], [200, '', String(page.body.length)])
    assert.equal((await ask('/console', {})).headers['location'], '/console/')
    const script = /src="(main-[^"]+)"/.exec(page.body)?.[1] ?? ''
    const packed = await ask(`/console/${script}`, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    for (const path of ['/console/none.js', '/console/../package.json', '/console/%2e%2e/package.json'])
      assert.notEqual((await ask(path)).status, 200, path)
    assert.equal((await ask('/console/', { method: 'POST' })).status, 405)
    assert.equal((await ask('/api/v1/pods')).status, 401)
  })

  it('a wrong token is refused in words, and nothing of the cluster is shown', async () => {
    await page.goto(`${server.url}/console/`)
    await page.fill('#credential', 'wrong')
    await page.click('button[type=submit]')
    await page.getByRole('alert').filter({ hasText: 'does not accept' }).waitFor()
    assert.equal(await page.locator('nav').count(), 0)
    await page.getByRole('button', { name: 'client certificate' }).click()
    await page.getByRole('alert').filter({ hasText: 'does not accept' }).waitFor()
  })

  it('a Deployment is made after a look at what would be stored, and its pods appear live', async () => {
    await signIn(page, adminToken, '#/list?group=apps&resource=deployments')
    await page.getByRole('link', { name: 'Create' }).click()
    await page.locator('.cm-content').waitFor()
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.locator('.diff .added').filter({ hasText: 'progressDeadlineSeconds: 600' }).waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('row', { name: /Available True/ }).waitFor()
    await page
      .getByRole('table', { name: 'Pods' })
      .getByRole('row', { name: /^web-.* 1\/1 Running/ })
      .nth(1)
      .waitFor()
    await page
      .getByRole('table', { name: 'Containers' })
      .getByRole('row', { name: /^web nginx/ })
      .waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await row(/web-.*Running/)
      .nth(1)
      .waitFor()
    assert.equal(await row('web-').count(), 2)
  })

  it('scaling adds rows to the table that is shown elsewhere, without a reload', async () => {
    assert.ok(browser)
    const other = (await openPage(browser)).page
    await signIn(other, adminToken, '#/object?group=apps&resource=deployments&namespace=default&name=web')
    await other.getByRole('button', { name: 'Scale' }).click()
    await other.getByLabel('Replicas').fill('3')
    await other.getByRole('button', { name: 'Apply' }).click()
    await row('web-').nth(2).waitFor()
    await other.context().close()
  })

  it('the keyboard opens a row, its log and a shell in it', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await tab('Logs').waitFor()
    await page.keyboard.press('l')
    await page.getByRole('log').filter({ hasText: /\S/ }).waitFor()
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('connected', { exact: true }).waitFor()
    await page.keyboard.type('echo sum $HOSTNAME\n')
    await page
      .locator('.xterm-rows')
      .filter({ hasText: /sum web-/ })
      .waitFor()
  })

  const settings = '/api/v1/namespaces/default/configmaps/settings'

  async function patchSettings(patch: unknown, manager: string, type = 'merge-patch+json'): Promise<void> {
    const { status, body } = await request(
      server,
      `${settings}?fieldManager=${manager}${type === 'merge-patch+json' ? '' : '&force=true'}`,
      {
        method: 'PATCH',
        body: JSON.stringify(patch),
        headers: { 'content-type': `application/${type}` },
      },
    )
    assert.equal(status, 200, body)
  }

  async function typeField(name: string, value: string): Promise<void> {
    await page
      .locator('.cm-line')
      .filter({ hasText: `${name}:` })
      .click()
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.type(`${name}: ${value}`)
  }

  const review = () => page.getByRole('button', { name: 'Review changes' }).click()

  async function applyAndRead(): Promise<Record<string, string>> {
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.locator('button[disabled]').filter({ hasText: 'Review changes' }).waitFor()
    return JSON.parse((await request(server, settings)).body).data
  }

  it('an edit shows what changes, and leaves what others changed meanwhile', async () => {
    await post('/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { color: 'red' },
    })
    await page.goto(`${server.url}/console/#/object?resource=configmaps&namespace=default&name=settings&tab=edit`)
    await typeField('color', 'green')
    await review()
    await page.locator('.diff .removed').filter({ hasText: 'color: red' }).waitFor()
    await page.locator('.diff .added').filter({ hasText: 'color: green' }).waitFor()
    assert.deepEqual(await applyAndRead(), { color: 'green' })
    await typeField('color', 'blue')
    await patchSettings({ data: { size: '1' } }, 'other')
    await review()
    await page.locator('.diff .added').filter({ hasText: 'color: blue' }).waitFor()
    assert.equal(await page.locator('.diff').filter({ hasText: 'size' }).locator('.added, .removed').count(), 2)
    assert.deepEqual(await applyAndRead(), { color: 'blue', size: '1' })
  })

  it('fields that others manage or changed are named with their managers, and theirs or mine is chosen for each', async () => {
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', data: { color: 'pink' } }
    await patchSettings(applied, 'gitops', 'apply-patch+yaml')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.locator('.cm-line').filter({ hasText: 'color: pink' }).waitFor()
    await typeField('color', 'black')
    await typeField('size', '"3"')
    await patchSettings({ data: { size: '2' } }, 'scaler')
    await review()
    const color = page.getByRole('group', { name: '.data.color gitops' })
    const size = page.getByRole('group', { name: '.data.size scaler' })
    await color.getByText('"pink"').waitFor()
    await size.getByText('"2"').waitFor()
    await color.getByRole('radio', { name: 'Force mine "black"' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Review changes' }).click()
    await page.locator('.diff .added').filter({ hasText: 'color: black' }).waitFor()
    assert.deepEqual(await applyAndRead(), { color: 'black', size: '2' })
    await page.locator('.cm-line').filter({ hasText: 'size: "2"' }).waitFor()
  })

  it('an earlier state of an object is restored from its history', async () => {
    await tab('History').click()
    const state = page.locator('.state').filter({ hasText: 'color: green' })
    await state.nth(1).waitFor()
    // One for each of the seven states but the latest.
    await page.getByRole('button', { name: 'Restore' }).nth(5).click()
    await page.locator('dialog .diff .added').filter({ hasText: 'color: red' }).waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await eventually(async () => {
      const { data } = JSON.parse((await request(server, '/api/v1/namespaces/default/configmaps/settings')).body)
      return data.color === 'red' && data.size === undefined
    }, 'the first state is back')
    await page.locator('.state').filter({ hasText: '+   color: red' }).waitFor()
  })

  it('a new object is completed and explained by the schema, and problems are shown at their lines', async () => {
    await page.goto(`${server.url}/console/#/create?resource=pods`)
    // Which is read by then.
    await page.getByLabel('Explanation').getByRole('heading').waitFor()
    await page.locator('.cm-line').filter({ hasText: 'image: nginx' }).click()
    await page.keyboard.press('End')
    await page.keyboard.type('\nimagePullP')
    // Suggestions can't be chosen within the first moment, so that a key typed on is no choice.
    const field = page.getByRole('option', { name: /imagePullPolicy/ })
    await field.waitFor()
    await eventually(async () => {
      await field.click()
      return !(await field.isVisible())
    }, 'the suggestion is taken')
    await page.getByRole('option', { name: 'IfNotPresent' }).waitFor()
    await page.getByLabel('Explanation').getByRole('heading', { name: 'imagePullPolicy string' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.type('Sometimes')
    await review()
    await page.locator('.editor .problem').filter({ hasText: 'spec.containers[0].imagePullPolicy' }).waitFor()
    await page.locator('.cm-line:has(+ .problem)').filter({ hasText: 'imagePullPolicy: Sometimes' }).waitFor()
  })

  it('a Deployment is rolled back; its tabs show what it owns, the logs of all its pods and who can do what', async () => {
    await page.goto(`${server.url}/console/#/object?group=apps&resource=deployments&namespace=default&name=web`)
    await page.getByRole('button', { name: 'Restart' }).click()
    await page.getByText('ReplicaSet').filter({ hasText: 'successfully progressed' }).waitFor()
    await page.getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('button', { name: /^\s*1 nginx/ }).click()
    await eventually(async () => {
      const { body } = await request(server, '/apis/apps/v1/namespaces/default/deployments/web')
      const { metadata, spec } = JSON.parse(body)
      return metadata.generation >= 4 && spec.template.metadata.annotations === undefined
    }, 'the first template is back')
    await tab('Events').click()
    const latest = page.getByRole('list', { name: 'Events' }).getByRole('listitem').first()
    await latest.filter({ hasText: 'ScalingReplicaSet deployment-controller' }).waitFor()
    await tab('Owned').click()
    await page
      .locator('.tree .tree')
      .filter({ hasText: /Pod web-.*Status Running/ })
      .first()
      .waitFor()
    await tab('Logs').click()
    await eventually(async () => (await page.getByRole('log').locator('b').count()) >= 3, 'lines of three pods')
    await tab('Who can').click()
    await page.getByRole('row', { name: /kube-system\/deployment-controller/ }).waitFor()
    await page.getByLabel('Verb').selectOption('deletecollection')
    await page.getByRole('row', { name: /deployment-controller/ }).waitFor({ state: 'detached' })
    await page.getByLabel('Name of a user').fill('bob')
    await page.getByRole('button', { name: 'Ask for a user' }).click()
    await page.getByText('bob may not do it').waitFor()
    await page.getByLabel('Its groups').fill('devs, system:masters')
    await page.getByRole('button', { name: 'Ask for a user' }).click()
    await page.getByText('bob may do it').waitFor()
    assert.deepEqual([...(await namelessControls(page)), ...(await lowContrasts(page))], [])
  })

  it('a deletion shows what goes along, which may also stay', async () => {
    const post = async (metadata: object): Promise<string> => {
      const body = JSON.stringify({ metadata })
      const made = await request(server, '/api/v1/namespaces/default/configmaps', { method: 'POST', body })
      assert.equal(made.status, 201, made.body)
      return JSON.parse(made.body).metadata.uid
    }
    const uid = await post({ name: 'owner' })
    await post({ name: 'owned', ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }] })
    await page.goto(`${server.url}/console/#/object?resource=configmaps&namespace=default&name=owner`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this object?' })
    await dialog.getByRole('link', { name: 'owned' }).waitFor()
    assert.deepEqual([...(await namelessControls(page)), ...(await lowContrasts(page))], [])
    await dialog.getByRole('combobox').selectOption('stays, without this owner')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('This object has been deleted.').waitFor()
    const { body } = await request(server, '/api/v1/namespaces/default/configmaps/owned')
    assert.equal(JSON.parse(body).metadata.ownerReferences, undefined)
  })

  it('labels of the rows complete the filter while it is typed', async () => {
    await page.goto(`${server.url}/console/#/list?resource=pods&namespace=default`)
    await page.locator('.rows a').first().waitFor()
    const labels = page.getByLabel('Labels')
    await labels.pressSequentially('ap')
    await page.locator('#completions option[value="app=web"]').waitFor({ state: 'attached' })
    assert.equal(await labels.inputValue(), 'ap')
  })

  it('a search finds the text of a field, and names the field', async () => {
    await page.goto(`${server.url}/console/#/search?search=nginx`)
    await page.getByRole('button', { name: 'Search the text of fields' }).click()
    const found = page.getByRole('table', { name: 'Found in fields' })
    await found
      .getByRole('row', { name: /^ReplicaSet default web-\S+ spec\.template\.spec\.containers\[0\]\.image nginx/ })
      .first()
      .waitFor()
    assert.deepEqual([...(await namelessControls(page)), ...(await lowContrasts(page))], [])
  })

  it('a search finds objects of any kind, and a column that was hidden stays hidden', async () => {
    await page.goto(`${server.url}/console/#/search?search=app%3Dweb`)
    await page
      .getByRole('row', { name: /^ReplicaSet default web-/ })
      .first()
      .waitFor()
    await page.goto(`${server.url}/console/#/list?resource=nodes`)
    await row('hollow-0').waitFor()
    const header = page.getByRole('columnheader', { name: 'Roles' })
    await page.getByText('Columns').click()
    await page.getByLabel('Roles').uncheck()
    await header.waitFor({ state: 'detached' })
    await row('hollow-0').click()
    await tab('Pods').click()
    await row('web-').first().waitFor()
    await page.goto(`${server.url}/console/#/list?resource=nodes`)
    await row('hollow-0').waitFor()
    assert.equal(await header.count(), 0)
  })

  it('what a user has no right to is grey, with the reason', async () => {
    assert.ok(browser)
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      name: 'view',
      apiGroup: 'rbac.authorization.k8s.io',
    }
    const token = await tokenOf('viewer')
    await post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'viewer' },
      roleRef: { kind: role.kind, name: role.name, apiGroup: role.apiGroup },
      subjects: [{ kind: 'ServiceAccount', name: 'viewer', namespace: 'default' }],
    })
    const { page: viewer } = await openPage(browser)
    await signIn(viewer, token, '#/object?group=apps&resource=deployments&namespace=default&name=web')
    const button = viewer.getByRole('button', { name: 'Delete' })
    await eventually(
      async () => /viewer may not delete deployments\.apps here/.test((await button.getAttribute('title')) ?? ''),
      'the reason is shown',
    )
    assert.equal(await button.isDisabled(), true)
    const greyed = async (name: string, reason: RegExp): Promise<void> => {
      const control = viewer.getByRole('button', { name, exact: true }).last()
      await eventually(async () => reason.test((await control.getAttribute('title')) ?? ''), `${name} has its reason`)
      assert.equal(await control.isDisabled(), true)
    }
    await viewer.getByRole('tab', { name: 'YAML' }).click()
    await greyed('Review changes', /viewer may not update deployments\.apps here/)
    await viewer.getByRole('tab', { name: 'History' }).click()
    await greyed('Restore', /may not update deployments\.apps here/)
    await viewer.goto(`${server.url}/console/#/list?resource=configmaps&namespace=default`)
    await greyed('Create', /may not create configmaps here/)
    await viewer.goto(`${server.url}/console/#/create?resource=configmaps&namespace=default`)
    await greyed('Review changes', /may not create configmaps here/)
    const pods = '/api/v1/namespaces/default/pods?labelSelector=app%3Dweb'
    const pod = String(JSON.parse((await request(server, pods)).body).items[0].metadata.name)
    await viewer.goto(`${server.url}/console/#/object?resource=pods&namespace=default&name=${pod}&tab=terminal`)
    await greyed('Open', /may not get pods\/exec here/)
    await viewer.getByRole('tab', { name: 'Files' }).click()
    await greyed('Upload', /may not get pods\/exec here/)
    await viewer.goto(`${server.url}/console/#/list?resource=secrets&namespace=default`)
    await viewer.getByRole('alert').filter({ hasText: 'is forbidden' }).waitFor()
    await viewer.context().close()
  })

  it('extensions show definitions, other servers and what a write meets; a dry run shows the verdict', async () => {
    const group = '/apis/admissionregistration.k8s.io/v1'
    const resources = ['configmaps']
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources }]
    await post(`${group}/validatingadmissionpolicies`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'labelled' },
      spec: {
        matchConstraints: { resourceRules: rules },
        validations: [
          { expression: "has(object.metadata.labels) && 'team' in object.metadata.labels", message: 'no team' },
        ],
      },
    })
    await post(`${group}/validatingadmissionpolicybindings`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'everywhere' },
      spec: { policyName: 'labelled', validationActions: ['Warn'] },
    })
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: ['v1', 'v2'].map((name) => ({
          name,
          served: name === 'v1',
          storage: name === 'v1',
          schema: { openAPIV3Schema: { type: 'object' } },
        })),
      },
    })
    await page.goto(`${server.url}/console/#/extensions`)
    await page.getByRole('row', { name: /widgets\.example\.org v1 \(stored\), v2 \(not served\) v1 / }).waitFor()
    await page.getByLabel('Resource').selectOption('/configmaps')
    await page.getByRole('listitem').filter({ hasText: 'ValidatingAdmissionPolicy labelled everywhere Fail' }).waitFor()
    await page.getByRole('row', { name: /^ValidatingAdmissionPolicy [\d.]+ ms/ }).waitFor()
    await page.getByRole('link', { name: 'Try with an object' }).click()
    await page.locator('.cm-line').filter({ hasText: 'key: value' }).waitFor()
    await eventually(async () => {
      await review()
      const dialog = page.getByRole('dialog')
      await dialog.locator('.diff .added').first().waitFor()
      const found = await dialog.getByText(/Policy 'labelled' with binding 'everywhere'.*no team/).count()
      await page.keyboard.press('Escape')
      return found > 0
    }, 'the policy is in force, and its warning is shown')
  })

  it('a deletion is tried with the webhooks that are in force, and deletes nothing', async () => {
    const hooks = await startHookServer()
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
    const rules = [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }]
    hooks.on('/ask', () => ({
      response: { allowed: false, status: { message: '<b>it is kept</b>' }, warnings: ['ask first'] },
    }))
    try {
      await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'kept' } })
      await post(path, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'keeper' },
        webhooks: [
          {
            name: 'keeper.example.com',
            rules,
            clientConfig: { url: `${hooks.url}/ask`, caBundle: hooks.caBundle },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      })
      await page.goto(`${server.url}/console/#/extensions`)
      await page.reload()
      await page.fill('#credential', adminToken)
      await page.click('button[type=submit]')
      await page.getByLabel('Operation').selectOption('DELETE')
      await page.getByLabel('Resource').selectOption('/configmaps')
      await page.getByRole('listitem').filter({ hasText: 'keeper.example.com' }).waitFor()
      await page.getByLabel('Name', { exact: true }).fill('kept')
      // The server follows new webhooks; the next try meets it at the latest.
      await eventually(async () => {
        await page.getByRole('button', { name: 'Try the deletion' }).click()
        await page
          .getByRole('status')
          .filter({ hasText: /would delete it|denied the request/ })
          .waitFor()
        return (await page.getByText('denied the request: <b>it is kept</b>').count()) > 0
      }, 'the webhook refuses')
      await page.goto(`${server.url}/console/#/object?resource=configmaps&namespace=default&name=kept`)
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Try the deletion' }).click()
      await page.getByRole('dialog').getByText('denied the request: <b>it is kept</b>').waitFor()
      assert.equal((await request(server, `${path}/keeper`, { method: 'DELETE' })).status, 200)
      await eventually(async () => {
        await page.getByRole('dialog').getByRole('button', { name: 'Try the deletion' }).click()
        await page
          .getByRole('status')
          .filter({ hasText: /would delete it|denied the request/ })
          .waitFor()
        return (await page.getByText('The server would delete it.').count()) > 0
      }, 'no webhook refuses')
      assert.equal((await request(server, '/api/v1/namespaces/default/configmaps/kept')).status, 200)
      await page.keyboard.press('Escape')
    } finally {
      await hooks.close()
    }
  })

  it('drafts are tried in the page: values, errors, a policy, and one that is ended after two seconds', async () => {
    const writes: string[] = []
    page.on('request', (sent) => void (sent.method() === 'GET' || writes.push(sent.url())))
    await page.goto(`${server.url}/console/#/extensions`)
    await page.getByRole('button', { name: 'Try an expression, a policy or a webhook' }).click()
    const evaluate = async (draft: string, label = 'Expression (CEL)'): Promise<void> => {
      await page.getByLabel(label).fill(draft)
      await page.getByRole('button', { name: 'Evaluate' }).click()
    }
    const result = (name: RegExp) => page.getByRole('row', { name }).waitFor()
    await evaluate("object.metadata.name + '!'")
    await result(/^expression value "web!" \d+ \/ 1000000/)
    await evaluate('object.')
    await result(/^expression error .*<input>:1:8: Syntax error/)
    await page.getByRole('combobox', { name: /^Try/ }).selectOption('policy')
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await result(/^validations\[0\] refuses web has no labels/)
    await page.getByText('The request would be refused').waitFor()
    await page.getByRole('combobox', { name: /^Try/ }).selectOption('webhook')
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await result(/^draft\.example\.com would be called/)
    await page.locator('pre', { hasText: 'kind: AdmissionReview' }).waitFor()
    await page.getByRole('combobox', { name: /^Try/ }).selectOption('policy')
    await evaluate(endlessPolicy(), 'Policy (YAML)')
    // The page answers meanwhile.
    await page.getByRole('combobox', { name: /^Try/ }).selectOption('expression')
    await page.getByRole('button', { name: 'Evaluating…' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'longer than two seconds' }).waitFor()
    await evaluate('1 + 1')
    await result(/^expression value 2 /)
    assert.deepEqual([...(await namelessControls(page)), ...(await lowContrasts(page))], [])
    await page.setViewportSize({ width: 360, height: 740 })
    assert.deepEqual(await overflows(page), [])
    await page.setViewportSize({ width: 1200, height: 760 })
    assert.deepEqual(writes, [])
  })

  it('markup, escapes and bidirectional marks in objects show as text', async () => {
    await post('/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'hostile', annotations: { note: hostile }, labels: { app: 'hostile' } },
      data: { [`key`]: hostile },
    })
    await page.goto(`${server.url}/console/#/object?resource=configmaps&namespace=default&name=hostile&tab=edit`)
    await page.locator('.cm-content').filter({ hasText: 'onerror' }).waitFor()
    assert.equal(await page.locator('img[onerror]').count(), 0)
    assert.equal(await page.title(), 'hostile · ConfigMap · Pilothouse')
  })

  it('a lost network is reported, and the table goes on when it is back', async () => {
    await page.goto(`${server.url}/console/#/list?resource=namespaces`)
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
    await page.context().setOffline(true)
    await request(server, '/api/v1/namespaces', {
      method: 'POST',
      body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'later' } }),
    })
    await page.getByRole('status').filter({ hasText: 'not current' }).waitFor({ timeout: 60_000 })
    await page.context().setOffline(false)
    await row('later').waitFor()
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
  })

  it('a reload signs out, and no view broke the policy of the page or threw an error', async () => {
    await page.reload()
    await page.locator('#credential').waitFor()
    assert.deepEqual(watched.problems, [])
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')
    assert.equal(kept, JSON.stringify([{ 'pilothouse-console-columns': '{"/nodes":{"Roles":false}}' }, {}, '']))
  })
})
