import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { bundleClone } from '../../hack/bundle.ts'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { openBrowser, openPage, type WatchedPage, watchPage } from '../support/browser.ts'
import { browserAuthority, openBrowserWithCertificate } from '../support/browsercertificate.ts'
import { type CodeFlow, createCodeFlow } from '../support/codeflow.ts'
import { eventually, eventuallyEquals } from '../support/eventually.ts'
import { startIssuer, type TestIssuer } from '../support/issuer.ts'

describe('signing in to the console', function () {
  this.timeout(120_000)
  const folder = scratchFolder('e2e-console-sign-in')
  const programs = process.env['PILOTHOUSE_PROGRAMS']
  let flow: CodeFlow
  let issuer: TestIssuer
  let server: ServerProcess
  let browser: Browser | undefined
  let withCertificate: BrowserContext | undefined
  let watched: WatchedPage
  let page: Page

  before(async function () {
    browser = await openBrowser()
    if (!browser && process.env['CI']) assert.fail('this run must have a Chromium')
    if (!browser) return this.skip()
    process.env['PILOTHOUSE_PROGRAMS'] = await bundleClone()
    flow = createCodeFlow('console')
    issuer = await startIssuer(flow)
    writeFileSync(join(folder.path, 'browsers.crt'), browserAuthority)
    writeFileSync(join(folder.path, 'issuer.crt'), issuer.ca)
    const oidc = [
      `--oidc-issuer-url=${issuer.url}`,
      '--oidc-client-id=console',
      `--oidc-ca-file=${folder.path}/issuer.crt`,
    ]
    const flags = [
      `--data-dir=${folder.path}/data`,
      '--nodes=1',
      '--storage-backend=memory',
      `--client-ca-file=${folder.path}/browsers.crt`,
      ...oidc,
      '--oidc-groups-claim=groups',
      '--oidc-username-prefix=-',
      '--oidc-signing-algs=ES256',
      `--console-oidc-issuer-url=${issuer.url}`,
      '--console-oidc-client-id=console',
    ]
    server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
    flow.pageOrigin = server.url
    watched = await openPage(browser)
    page = watched.page
  })
  after(async () => {
    if (programs === undefined) delete process.env['PILOTHOUSE_PROGRAMS']
    await withCertificate?.close()
    await browser?.close()
    await server?.stop()
    await issuer?.stop()
    folder.remove()
  })

  const userButton = (name: string | RegExp) => page.locator('header').getByRole('button', { name })

  /** Goes to the sign-in and into the issuer's window; the page waits for its answer then. */
  async function openIssuer(): Promise<Page> {
    await page.goto(`${server.url}/console/`)
    await page.reload()
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Sign in at' }).click(),
    ])
    await opened.getByRole('link', { name: 'Allow' }).waitFor()
    return opened
  }

  async function allow(claims: Record<string, unknown>): Promise<void> {
    flow.claims = { sub: 'ann', groups: ['system:masters'], ...claims }
    const opened = await openIssuer()
    await opened.getByRole('link', { name: 'Allow' }).click()
  }

  it('the page may connect to its server and to the issuer, and to nothing else', async () => {
    const { headers } = await request(server, '/console/', { token: undefined })
    const policy = String(headers['content-security-policy'])
    assert.match(policy, new RegExp(`; connect-src 'self' ${issuer.url};`))
    const { body } = await request(server, '/console/signin.json', { token: undefined })
    const scopes = ['openid', 'profile', 'email']
    assert.deepEqual(JSON.parse(body), { issuer: { url: issuer.url, clientId: 'console', scopes } })
  })

  it('a client certificate of the browser signs in, and opens a terminal', async function () {
    await withCertificate?.close() // of a try before
    withCertificate = await openBrowserWithCertificate(folder.path, server.url)
    assert.ok(withCertificate)
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { nodeName: 'hollow-0', containers: [{ name: 'web', image: 'nginx' }] },
    }
    const posted = await request(server, '/api/v1/namespaces/default/pods', {
      method: 'POST',
      body: JSON.stringify(pod),
    })
    // 409: a try before created it.
    assert.ok(posted.status === 201 || posted.status === 409, posted.body)
    await eventually(async () => {
      const { body } = await request(server, '/api/v1/namespaces/default/pods/web')
      return (JSON.parse(body) as { status?: { phase?: string } }).status?.phase === 'Running'
    }, 'the pod runs')
    const { page: own, problems } = watchPage(await withCertificate.newPage())
    await own.goto(`${server.url}/console/#/object?resource=pods&namespace=default&name=web&tab=terminal`)
    await own.getByRole('button', { name: 'client certificate' }).click()
    await own.getByRole('button', { name: /^jane/ }).waitFor()
    await own.getByRole('button', { name: 'Open' }).click()
    await own.getByText('connected', { exact: true }).waitFor()
    await own.keyboard.type('echo sum $HOSTNAME\n')
    await own.locator('.xterm-rows').filter({ hasText: 'sum web' }).waitFor()
    assert.deepEqual(problems, [])
  })

  it('a page of another origin can not use the certificate, neither by WebSocket nor by a form', async () => {
    assert.ok(withCertificate)
    const { page: foreign } = watchPage(await withCertificate.newPage())
    await foreign.goto(issuer.url)
    const host = new URL(server.url).host
    const attack = (protocol: string) => `new Promise((resolve) => {
      const path = '/api/v1/namespaces/default/pods/web/exec?command=hostname&stdout=true'
      const socket = new WebSocket('wss://${host}' + path, '${protocol}')
      socket.onopen = () => resolve('opened')
      socket.onerror = () => resolve('refused')
    })`
    for (const protocol of ['v5.channel.k8s.io', 'v4.channel.k8s.io'])
      assert.equal(await foreign.evaluate(attack(protocol)), 'refused', protocol)
    await foreign.evaluate(`fetch('${server.url}/api/v1/namespaces/default/configmaps', {
      method: 'POST', mode: 'no-cors', credentials: 'include', body: JSON.stringify({ metadata: { name: 'forged' } }),
    })`)
    assert.equal((await request(server, '/api/v1/namespaces/default/configmaps/forged')).status, 404)
    await foreign.close()
  })

  it('a token in a browser that shows a certificate signs nobody in, as the server would take the certificate', async () => {
    assert.ok(withCertificate)
    const own = await withCertificate.newPage()
    await own.goto(`${server.url}/console/`)
    await own.fill('#credential', adminToken)
    await own.getByRole('button', { name: 'Sign in', exact: true }).click()
    await own.getByRole('alert').filter({ hasText: 'you would be jane. Sign in by the certificate' }).waitFor()
  })

  it('terminals and files that would run as the user of a certificate are refused, and no stream opens', async () => {
    const { page: own, problems } = await openPage(browser as Browser)
    // A browser that hides its certificate from fetches as the standard says, which Chromium does not: bob's token in its place.
    const bob = await issuer.sign({ sub: 'bob', aud: 'console' })
    await own.addInitScript(`{
      const { fetch } = globalThis
      globalThis.fetch = (path, init) => {
        if (init?.credentials === 'same-origin') init.headers.set('authorization', 'Bearer ${bob}')
        return fetch(path, init)
      }
    }`)
    const streams: string[] = []
    own.on('websocket', (socket) => streams.push(socket.url()))
    await own.goto(`${server.url}/console/#/object?resource=pods&namespace=default&name=web&tab=terminal`)
    await own.fill('#credential', adminToken)
    await own.getByRole('button', { name: 'Sign in', exact: true }).click()
    await own.getByRole('button', { name: 'Open' }).click()
    const refusal = 'would run as bob, not as admin. Sign in by the certificate'
    await own.getByRole('status').filter({ hasText: refusal }).waitFor()
    await own.getByRole('tab', { name: 'Files' }).click()
    await own.getByRole('textbox', { name: 'File or folder in the container' }).fill('/etc/hosts')
    await own.getByRole('button', { name: 'Download' }).click()
    await own.getByRole('alert').filter({ hasText: refusal }).waitFor()
    assert.deepEqual(streams, [])
    assert.deepEqual(problems, [])
    await own.context().close()
  })

  it('a sign-in at the issuer is as good as its ID token, which is in no address and no storage', async () => {
    const addresses: string[] = []
    page.context().on('request', (each) => addresses.push(each.url()))
    await allow({})
    await userButton('ann').waitFor()
    await page.locator('nav a').first().waitFor()
    assert.ok(addresses.some((each) => each.includes('/signedin.html?code=')))
    assert.ok(!addresses.some((each) => /eyJ|token=|verifier/.test(each)), addresses.join('\n'))
    assert.equal(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'), '[{},{},""]')
    assert.deepEqual(flow.given.splice(0), ['authorization_code'])
    await eventually(() => page.context().pages().length === 1, 'the window of the issuer has closed')
  })

  it('signing out gives the refresh token back', async () => {
    await userButton('ann').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('#credential').waitFor()
    await eventuallyEquals(() => flow.given.splice(0), ['revoked'], 'the issuer has the token back')
  })

  it('a session outlasts its token where the issuer renews it', async () => {
    flow.seconds = 61
    await allow({})
    await userButton('ann').waitFor()
    await eventually(() => flow.given.includes('refresh_token'), 'the token is renewed before its end')
    flow.given.length = 0
    flow.seconds = 300
    const isRenewed = (token: string): boolean =>
      token.startsWith('Bearer ') &&
      !('nonce' in JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
    const used = page.waitForRequest((each) => isRenewed(String(each.headers()['authorization'])))
    await eventually(async () => {
      for (const resource of ['nodes', 'pods']) await page.goto(`${server.url}/console/#/list?resource=${resource}`)
      return await Promise.race([used.then(() => true), page.waitForTimeout(50).then(() => false)])
    }, 'the renewed token, which is for no sign-in, is used')
    await page.locator('.rows').getByText('web').first().waitFor()
  })

  const ended = () => page.getByRole('status').filter({ hasText: `${new URL(issuer.url).host}: ann @ 127.0.0.1` })

  it('a session ends, and says so, when its issuer gives the token of another user', async () => {
    flow.seconds = 2
    await allow({})
    await userButton('ann').waitFor()
    flow.claims = { sub: 'eve' }
    await ended().waitFor()
  })

  it('a session that can not be renewed ends with its token, and says so', async () => {
    flow.renews = false
    await allow({})
    await userButton('ann').waitFor()
    await eventually(async () => {
      for (const resource of ['pods', 'nodes']) await page.goto(`${server.url}/console/#/list?resource=${resource}`)
      return await ended().isVisible()
    }, 'the server refuses the token')
    flow.renews = true
    flow.seconds = 300
  })

  for (const [title, claims, words] of [
    ['a token for another sign-in', { nonce: 'other' }, 'not for this sign-in'],
    ['a token for another client', { aud: 'other' }, 'not for this page'],
    ['a token of another issuer', { iss: 'https://other.example' }, 'not for this page'],
    ['a token that has expired', { exp: 1 }, 'has expired'],
  ] as const)
    it(`${title} is refused`, async () => {
      await allow(claims)
      await page.getByRole('alert').filter({ hasText: words }).waitFor()
      assert.equal(await page.locator('nav').count(), 0)
    })

  it('a refusal at the issuer is shown in its words', async () => {
    await (await openIssuer()).getByRole('link', { name: 'Deny' }).click()
    await page.getByRole('alert').filter({ hasText: 'the user said no' }).waitFor()
  })

  it('an answer with another state is no answer, and waiting can be ended', async () => {
    flow.state = 'forged'
    flow.given.length = 0
    const opened = await openIssuer()
    await Promise.all([opened.waitForEvent('close'), opened.getByRole('link', { name: 'Allow' }).click()])
    flow.state = undefined
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').filter({ hasText: 'no answer' }).waitFor()
    assert.deepEqual(flow.given, [])
  })

  it('the contexts of a kubeconfig are sessions to switch between; tokens for other servers are sent nowhere', async () => {
    const tokenOf = async (name: string) => await issuer.sign({ sub: name, aud: 'console' })
    const names = ['staging', 'production', 'elsewhere', 'signed']
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'production',
      clusters: [
        { name: 'here', cluster: { server: server.url.replace('127.0.0.1', 'localhost') } },
        { name: 'there', cluster: { server: 'https://there.example:6443' } },
      ],
      contexts: names.map((name) => ({
        name,
        context: { cluster: name === 'elsewhere' ? 'there' : 'here', user: name },
      })),
      users: [
        { name: 'staging', user: { token: await tokenOf('bob') } },
        { name: 'production', user: { token: adminToken } },
        { name: 'elsewhere', user: { token: 'foreign' } },
        { name: 'signed', user: { 'client-certificate-data': 'AAAA' } },
      ],
    }
    const sent: string[] = []
    page.on('request', (each) => sent.push(String(each.headers()['authorization'] ?? '')))
    await page.goto(`${server.url}/console/#/list?resource=pods`)
    await page.reload()
    await page.fill('#credential', JSON.stringify(kubeconfig, null, 2))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await userButton('admin').waitFor()
    await page.locator('.rows').getByText('web').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('staging')
    await page.getByRole('option', { name: /staging: bob @ 127\.0\.0\.1/ }).waitFor()
    await page.keyboard.press('Enter')
    await userButton('bob').waitFor()
    await page.getByRole('alert').filter({ hasText: 'User "bob" cannot list' }).waitFor()
    assert.equal(await page.locator('.rows').count(), 0, 'nothing of the other session is shown')
    await userButton('bob').click()
    await page.getByRole('button', { name: 'Sign in as another user' }).click()
    await page.getByText('import it into this browser').waitFor()
    await page.getByRole('link', { name: 'https://there.example:6443' }).waitFor()
    assert.ok(!sent.some((each) => each.includes('foreign')))
    await page.getByRole('button', { name: /production: admin/ }).click()
    await userButton('admin').waitFor()
  })

  it('no sign-in broke the policy of the page or threw an error', () => {
    assert.deepEqual(watched.problems, [])
  })
})
