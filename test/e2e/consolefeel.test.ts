import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { adminToken } from '../support/apiserver.ts'
import { objectRoute, useConsole } from '../support/consolekit.ts'
import { eventually } from '../support/eventually.ts'
import { longestTaskMs, lowContrasts, namelessControls, overflows } from '../support/pageaudit.ts'
import { ask } from '../support/plane.ts'

const web = (tab: string): string => objectRoute('deployments', 'web', { group: 'apps', tab })
const node = (tab: string): string => objectRoute('nodes', 'hollow-0', { namespace: '', tab })
const configMaps = '/api/v1/namespaces/default/configmaps'

/** Every view, and what is there once it is complete. */
const views: readonly (readonly [route: string, shows: string])[] = [
  ['#/overview', 'td:text("ScalingReplicaSet"), .empty'],
  ['#/list?resource=pods', '.rows a'],
  ['#/list?group=apps&resource=deployments', '.rows a'],
  ['#/list?resource=secrets&namespace=kube-node-lease', '.nothing'],
  ['#/search?search=web', 'main table a'],
  ['#/create?group=apps&resource=deployments', '.cm-line'],
  ['#/extensions', 'h2:text("What a write meets")'],
  [web(''), 'th:text("Available")'],
  [web('edit'), '.cm-line'],
  [web('events'), '.timeline strong:text("ScalingReplicaSet")'],
  [web('logs'), '.log'],
  [web('owned'), '.tree'],
  [web('history'), '.state'],
  [web('access'), 'td'],
  [web('blame'), '.fields'],
  [node(''), 'th:text("Ready")'],
  [node('pods'), '.rows a'],
  [objectRoute('pods', 'gone'), '[role=alert]'],
]

/** Makes each of `count` objects, changes it and deletes it again; from here, as the page's own requests cost ten times as much. */
async function churnObjects(url: string, count: number): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const name = `churn-${next++}`
      for (const [method, path, body] of [
        ['POST', configMaps, { metadata: { name } }],
        ['PATCH', `${configMaps}/${name}`, { data: { a: 'b' } }],
        ['DELETE', `${configMaps}/${name}`, undefined],
      ] as const) {
        const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
        const headers = { 'content-type': type }
        const { status, text } = await ask(url, path, { method, headers, body, token: adminToken })
        assert.ok(status < 300, text)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

describe('the feel of the console', function () {
  this.timeout(120_000)
  const kit = useConsole('e2e-consolefeel', 1)
  let page: Page

  before(async () => {
    await kit.send('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
      },
    })
    page = await kit.open()
  })

  const isFocused = (selector: string): Promise<boolean> =>
    page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)

  describe('every view', () => {
    it('names each of its controls, is legible in light and dark, and fits a window of 360 pixels', async () => {
      const found: Record<string, readonly string[]> = {}
      for (const [route, shows] of views) {
        await kit.go(page, route)
        await page.locator(shows).first().waitFor()
        const nameless = await namelessControls(page)
        const pale: string[] = []
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          pale.push(...(await lowContrasts(page)).map((text) => `${colorScheme} ${text}`))
        }
        await page.setViewportSize({ width: 360, height: 740 })
        const wide = await overflows(page)
        await page.setViewportSize({ width: 1200, height: 760 })
        found[route] = [...nameless, ...pale, ...wide]
      }
      const clean = Object.fromEntries(views.map(([route]) => [route, []]))
      assert.deepEqual(found, clean)
    })

    it('would not pass with a nameless button, a pale text or a wide one', async () => {
      await page.setViewportSize({ width: 360, height: 740 })
      await page.evaluate(`{
        const add = (tag, text, style) => {
          const element = document.createElement(tag)
          element.className = 'canary'
          element.textContent = text
          Object.assign(element.style, style)
          document.querySelector('main').append(element)
        }
        add('button', '', {})
        add('p', 'pale', { color: '#999', background: '#bbb' })
        add('p', 'wide', { width: '400px' })
      }`)
      assert.equal((await namelessControls(page)).length, 1)
      assert.match((await lowContrasts(page)).join(), /p\.canary: pale/)
      assert.match((await overflows(page)).join(), /p\.canary ends at 4/)
      await page.evaluate(`for (const each of document.querySelectorAll('.canary')) each.remove()`)
      await page.setViewportSize({ width: 1200, height: 760 })
    })

    it('is named in the title, and takes the focus when it follows another one', async () => {
      await kit.go(page, '#/overview')
      await page.getByRole('navigation').getByRole('link', { name: 'configmaps' }).click()
      await eventually(() => isFocused('#main'), 'the contents are focused')
      assert.equal(await page.title(), 'ConfigMap · Pilothouse')
      await kit.go(page, web(''))
      await eventually(
        async () => (await page.title()) === 'web · Deployment · Pilothouse',
        'the title names the object',
      )
    })
  })

  describe('the keyboard', () => {
    it('reaches the contents by the first link, and the tabs by arrows', async () => {
      await kit.go(page, web(''))
      await page.locator('.skip').focus()
      await page.keyboard.press('Shift+Tab')
      assert.equal(await isFocused('body'), true)
      await page.keyboard.press('Tab')
      assert.equal(await isFocused('.skip'), true)
      await page.keyboard.press('Enter')
      assert.equal(await isFocused('#main'), true)
      await page.getByRole('tab', { name: 'Summary' }).focus()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('tabpanel', { name: 'YAML' }).waitFor()
      await page.keyboard.press('End')
      await page.getByRole('tabpanel', { name: 'Managed fields' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('tabpanel', { name: 'Summary' }).waitFor()
      assert.equal(await page.locator('[role=tab][tabindex="0"]').count(), 1)
    })

    it('does all that its list of keys says', async () => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const heading = page.locator('h1')
      for (const [keys, name] of [
        ['gn', 'Node'],
        ['gd', 'Deployment'],
        ['go', 'Overview'],
        ['gs', 'Search'],
      ] as const) {
        if (name === 'Search') await page.keyboard.press('Escape')
        for (const key of keys) await page.keyboard.press(key)
        await heading.filter({ hasText: name }).waitFor()
      }
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Go to a kind' }).waitFor()
      await page.keyboard.type('po')
      await page.keyboard.press('Enter')
      await heading.filter({ hasText: 'Pod' }).waitFor()
      await page.locator('.rows a').nth(1).waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('web')
      assert.equal(await page.getByLabel('Filter by name').inputValue(), 'web')
      await page.evaluate('document.activeElement.blur()')
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('k')
      await page.locator('tr[aria-current] a:focus').waitFor()
      await page.keyboard.press('Enter')
      await heading.filter({ hasText: 'web-' }).waitFor()
      for (const [key, tab] of [
        ['s', 'Terminal'],
        ['l', 'Logs'],
        ['e', 'YAML'],
      ] as const) {
        await page.keyboard.press(key)
        await page.getByRole('tabpanel', { name: tab }).waitFor()
      }
      await page.keyboard.press('Escape')
      await page.locator('.rows').waitFor()
    })

    it('comes back to where it was when a dialog is closed', async () => {
      await kit.go(page, web(''))
      const scale = page.getByRole('button', { name: 'Scale' })
      await scale.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Scale' }).waitFor()
      assert.equal(await isFocused('#replicas'), true)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.locator('.actions button:focus', { hasText: 'Scale' }).waitFor()
    })
  })

  it('changes of other rows leave scroll, focus and current row where they are', async () => {
    const names = Array.from({ length: 80 }, (_, index) => `row-${index + 100}`)
    await Promise.all(names.map((name) => kit.send('POST', configMaps, { metadata: { name, namespace: 'default' } })))
    await kit.go(page, '#/list?resource=configmaps&namespace=default')
    await page.locator('.count', { hasText: /^8\d$/ }).waitFor()
    for (let times = 0; times < 40; times++) await page.keyboard.press('j')
    const focused = page.locator('tr[aria-current] a:focus')
    await focused.waitFor()
    const before = { name: await focused.textContent(), top: (await focused.boundingBox())?.y }
    await kit.send('DELETE', `${configMaps}/row-105`)
    await kit.send('DELETE', `${configMaps}/row-106`)
    await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) =>
        kit.send('POST', configMaps, { metadata: { name, namespace: 'default' } }),
      ),
    )
    await page.locator('.count', { hasText: /^8[4-9]$/ }).waitFor()
    await eventually(async () => {
      const after = { name: await focused.textContent(), top: (await focused.boundingBox())?.y }
      return (after.name === before.name && after.top === before.top) || [before, after]
    }, 'the row is where it was')
    await page.keyboard.press('j')
    await focused.filter({ hasText: `row-${Number(before.name?.slice(4)) + 1}` }).waitFor()
  })

  it('the memory of a page stays flat while hundreds of objects come, change and go', async function () {
    this.timeout(230_000)
    const shown = await kit.open('#/list?resource=configmaps&namespace=default')
    await shown.locator('.rows a').first().waitFor()
    const protocol = await shown.context().newCDPSession(shown)
    const used = async (): Promise<{ heap: number; nodes: number }> => {
      // What has just been let go of is collected by the second time only.
      for (let times = 0; times < 2; times++) await protocol.send('HeapProfiler.collectGarbage')
      const { usedSize } = await protocol.send('Runtime.getHeapUsage')
      const { nodes } = await protocol.send('Memory.getDOMCounters')
      return { heap: usedSize, nodes }
    }
    /** Makes each of `count` objects, changes it and deletes it again, and waits until the table has seen all of it. */
    const churn = async (count: number): Promise<void> => {
      const rows = await shown.locator('.count').textContent()
      await churnObjects(kit.url, count)
      await kit.send('POST', configMaps, { metadata: { name: 'last', namespace: 'default' } })
      await shown.locator('.count', { hasText: String(Number(rows) + 1) }).waitFor()
      await kit.send('DELETE', `${configMaps}/last`)
      await shown.locator('.count', { hasText: String(rows) }).waitFor()
    }
    /** What is left of 900 events. */
    const growth = async (): Promise<{ heap: number; nodes: number }> => {
      const before = await used()
      await churn(300)
      const after = await used()
      return { heap: after.heap - before.heap, nodes: after.nodes - before.nodes }
    }
    // Some 90 kB were measured, and 450 kB for the page that keeps each event.
    const allowed = 250_000
    await churn(100)
    let left = await growth()
    // The engine keeps compiled code once, at a time of its choice; a page that keeps events does so every time.
    for (let more = 2; more > 0 && left.heap >= allowed; more--) left = await growth()
    assert.ok(left.heap < allowed, `900 events left ${left.heap} bytes`)
    assert.ok(left.nodes < 200, `900 events left ${left.nodes} nodes`)
    // The same on a page that keeps each event.
    await shown.evaluate(`{
      globalThis.kept = []
      const { parse } = JSON
      JSON.parse = (...args) => kept[kept.push(parse(...args)) - 1]
    }`)
    assert.ok((await growth()).heap > allowed)
    await shown.context().close()
  })

  it('times are ages, with the instant in the zone of the user', async () => {
    const tokyo = await kit.open(web(''), { timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
    const time = tokyo.locator('time').first()
    await time.waitFor()
    assert.match((await time.textContent()) ?? '', /^\d+[smhd]$/)
    assert.match((await time.getAttribute('title')) ?? '', /^\d+ \w+ 20\d\d,? .*GMT\+9/)
    await tokyo.context().close()
  })

  it('a lost network is reported in every view, and what happened meanwhile is shown as soon as it is back', async () => {
    await kit.go(page, objectRoute('configmaps', 'a'))
    await page.getByText('Created').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('status').filter({ hasText: 'no network' }).waitFor()
    await kit.send('PATCH', `${configMaps}/a`, { metadata: { annotations: { seen: 'later' } } })
    // Long enough for a retry to have been put off.
    await page.getByRole('alert').filter({ hasText: 'goes on by itself' }).waitFor()
    await page.context().setOffline(false)
    const back = performance.now()
    await page.getByText('seen=later').waitFor()
    assert.ok(performance.now() - back < 10_000)
    await page.getByRole('status').filter({ hasText: 'no network' }).waitFor({ state: 'detached' })
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  describe('hostile objects', function () {
    // CPU time, too, grows where others use the same caches.
    this.retries(2)
    const hostile = '<img src=x onerror="document.title=1">\u001b]0;title\u0007\u001b[31m\u202edaolyap'
    const shown = '<img src=x onerror="document.title=1">␛]0;title␇␛[31m⟨202e⟩daolyap'
    const managed = Array.from({ length: 100 }, (_, at) => ({
      manager: `manager-${at}`,
      operation: 'Update',
      apiVersion: 'v1',
      time: '2026-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`f:key-${at}-${key}`, {}])) },
    }))
    const huge = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'huge',
        namespace: 'default',
        uid: 'u',
        resourceVersion: '5',
        creationTimestamp: '2026-01-01T00:00:00Z',
        annotations: { note: hostile, long: 'x'.repeat(1024 * 1024), lines: 'y\n'.repeat(20_000) },
        labels: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`label-${at}`, at < 9 ? hostile : 'v'])),
        managedFields: managed,
      },
    }
    const yaml = [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata:',
      '  annotations:',
      ...Object.entries(huge.metadata.annotations).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`),
      '  labels:',
      ...Object.entries(huge.metadata.labels).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`),
      '  name: huge',
    ].join('\n')
    const log = [...Array.from({ length: 50_000 }, (_, at) => `line ${at} a=b`), hostile, 'z'.repeat(1024 * 1024)].join(
      '\n',
    )

    /** Two states of 100,000 lines, all of them changed, take some 130 ms to read and compare on a busy machine. */
    const historyLines = 30_000

    /** Answers that no API server would store, in the place of the real ones. */
    async function fakeAnswers(): Promise<void> {
      const body = JSON.stringify(huge)
      await page.route(/configmaps\/huge$/, async (route) => {
        const accepts = route.request().headers()['accept'] ?? ''
        await route.fulfill(accepts.includes('yaml') ? { body: yaml } : { body, contentType: 'application/json' })
      })
      await page.route(/configmaps\?.*metadata\.name%3Dhuge.*watch|watch.*metadata\.name%3Dhuge/, () => {})
      await page.route(/configmaps\?fieldSelector=metadata\.name%3Dhuge/, async (route) => {
        const accepts = route.request().headers()['accept'] ?? ''
        const listed = yaml.split('\n').slice(0, historyLines).join('\n').replaceAll(/^/gm, '  ').replace('  ', '- ')
        const state = route.request().url().includes('resourceVersion=4') ? listed.replaceAll('label', 'mark') : listed
        const items = [{ ...huge, metadata: { ...huge.metadata, resourceVersion: state === listed ? '5' : '1' } }]
        await route.fulfill(accepts.includes('yaml') ? { body: `items:\n${state}` } : { json: { items } })
      })
      await page.route(/\/log\?/, async (route) => route.fulfill({ body: log, contentType: 'text/plain' }))
    }

    before(async () => {
      page = await kit.open()
      await fakeAnswers()
    })

    /** CPU time of the longest task of the page while the view opens, ms. */
    async function longestTask(route: string, shows: string): Promise<number> {
      await kit.go(page, '#/search')
      await page.getByRole('searchbox').waitFor()
      return await longestTaskMs(page, async () => {
        await kit.go(page, route)
        await page.locator(shows).first().waitFor()
      })
    }

    const views = [
      ['', '.pair'],
      ['edit', '.cm-line'],
      ['history', '.state .diff'],
      ['blame', '.fields li'],
    ] as const
    for (const [tab, shows] of views)
      it(`an object with a megabyte of annotations and 100,000 labels opens at once: ${tab || 'summary'}${tab === 'history' ? ', of 30,000 lines' : ''}`, async () => {
        const longest = await longestTask(objectRoute('configmaps', 'huge', { tab }), shows)
        assert.equal(await page.locator('img[src]').count(), 0)
        assert.equal(await page.title(), 'huge · ConfigMap · Pilothouse')
        if (tab === '') await page.getByText(shown).first().waitFor()
        assert.ok(longest <= 100, `a task took ${longest} ms`)
      })

    it('a log of 50,000 lines, one a megabyte long, opens at once, and its escapes are signs', async () => {
      const pod = await podName()
      const longest = await longestTask(objectRoute('pods', pod, { tab: 'logs' }), '.line')
      await page.getByRole('searchbox').fill('onerror')
      await page.getByRole('log').getByText(shown.replace('␛[31m', ''), { exact: true }).waitFor()
      assert.equal(await page.locator('img[src]').count(), 0)
      assert.ok(longest <= 100, `a task took ${longest} ms`)
    })

    it('an expression of a user filters in linear time, and a costly one is refused', async () => {
      await page.getByRole('checkbox', { name: 'Expression' }).check()
      await page.getByRole('searchbox').fill('line [0-9]+7 a')
      await page.locator('.count', { hasText: /^\d+ \/ \d+$/ }).waitFor()
      await page.getByRole('searchbox').fill('^(([a-z0-9 =])+.)+[$]$')
      const longest = await longestTaskMs(page, () => page.locator('.count', { hasText: /^0 \/ \d+$/ }).waitFor())
      assert.ok(longest <= 100, `a task took ${longest} ms`)
      await page.getByRole('searchbox').fill('((.?){30}){30}x')
      await page.getByRole('alert').filter({ hasText: 'repeats too much' }).waitFor()
      await page.getByRole('searchbox').fill('(')
      await page.getByRole('alert').filter({ hasText: 'missing closing )' }).waitFor()
    })

    async function podName(): Promise<string> {
      const { items } = (await kit.get('/api/v1/namespaces/default/pods')) as {
        items: { metadata: { name: string } }[]
      }
      return items[0]?.metadata.name ?? ''
    }
  })

  after(() => assert.deepEqual(kit.problems(), [], 'no view broke the policy of the page or threw an error'))
})
