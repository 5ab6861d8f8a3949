import type { Page } from 'playwright-core'

interface TraceEvent {
  readonly ph: string
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** CPU time, microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** CPU time of the longest task of the page's main thread during the action, ms. Other programs of the machine don't add to it. */
export async function longestTaskMs(page: Page, action: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await action()
  // Work that the action left for the next frame.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
  const trace = JSON.parse(String(await browser?.stopTracing())) as { traceEvents: readonly TraceEvent[] }
  const { traceEvents } = trace
  const threads = new Set(
    traceEvents
      .filter(({ ph, name, args }) => ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  )
  const tasks = traceEvents.filter(({ tdur, pid, tid }) => tdur !== undefined && threads.has(`${pid}/${tid}`))
  if (tasks.length === 0) throw new Error('the trace has no task of a page')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000))
}

/** Roles that a user operates; each needs a name that a screen reader can speak. */
const controls = new Set([
  'button',
  'checkbox',
  'combobox',
  'dialog',
  'DisclosureTriangle',
  'link',
  'listbox',
  'menuitem',
  'navigation',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'tab',
  'table',
  'tablist',
  'textbox',
  'toolbar',
])

/** The controls of the page, tables and landmarks among them, without an accessible name: `textbox in <main>`. */
export async function namelessControls(page: Page): Promise<string[]> {
  const protocol = await page.context().newCDPSession(page)
  const { nodes } = await protocol.send('Accessibility.getFullAXTree')
  const nameless: string[] = []
  for (const { ignored, role, name, backendDOMNodeId } of nodes) {
    if (ignored || !controls.has(String(role?.value)) || String(name?.value ?? '').trim() !== '') continue
    const described =
      backendDOMNodeId === undefined
        ? ''
        : (await protocol.send('DOM.describeNode', { backendNodeId: backendDOMNodeId })).node
    nameless.push(`${role?.value}: ${JSON.stringify(described && [described.localName, described.attributes])}`)
  }
  await protocol.detach()
  return nameless
}

/**
 * Texts whose contrast with what is behind them is below WCAG 2.2's 1.4.3 (AA): 4.5, or 3 for large text. Controls that are
 * disabled are exempt, as there.
 */
export async function lowContrasts(page: Page): Promise<string[]> {
  return (await page.evaluate(findLowContrasts)) as string[]
}

/** A program for the page: this project's tests know no DOM. */
const findLowContrasts = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
    return [r, g, b, a / 255]
  }
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1]
  const parentOf = (element) => element.parentElement ?? element.getRootNode().host
  const known = new Map()
  const behind = (element) => {
    if (!known.has(element)) known.set(element, findBehind(element))
    return known.get(element)
  }
  const findBehind = (element) => {
    if (!element) return rgba(getComputedStyle(document.documentElement).colorScheme === 'dark' ? '#000' : '#fff')
    const color = rgba(getComputedStyle(element).backgroundColor)
    return color[3] === 1 ? color : over(color, behind(element.localName === 'dialog' ? undefined : parentOf(element)))
  }
  const opacities = new Map([[undefined, 1], [null, 1]])
  const opacityOf = (element) => {
    if (!opacities.has(element))
      opacities.set(element, Number(getComputedStyle(element).opacity) * opacityOf(parentOf(element)))
    return opacities.get(element)
  }
  const luminance = ([r, g, b]) => {
    const linear = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  }
  const contrast = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
    return (light + 0.05) / (dark + 0.05)
  }
  const found = new Set()
  const check = (element, text, pseudo) => {
    const style = getComputedStyle(element, pseudo)
    const box = element.getBoundingClientRect()
    if (text.trim() === '' || box.width === 0 || box.height === 0 || style.visibility !== 'visible') return
    if (element.closest(':disabled, [aria-hidden=true], .xterm')) return
    const background = behind(element)
    const color = rgba(style.color)
    color[3] *= opacityOf(element)
    const ratio = contrast(over(color, background), background)
    const px = parseFloat(style.fontSize)
    const isLarge = px >= 24 || (px >= 18.66 && Number(style.fontWeight) >= 700)
    if (ratio < (isLarge ? 3 : 4.5)) found.add(ratio.toFixed(2) + ' ' + element.localName + '.' + element.className + ': ' + text.trim().slice(0, 40))
  }
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot)
      for (const node of element.childNodes) if (node.nodeType === 3) check(element, node.data)
      if (element.placeholder) check(element, element.placeholder, '::placeholder')
    }
  }
  visit(document)
  return [...found]
})()`

/** Elements that make the page itself scroll sideways; parts that scroll within themselves don't count. */
export async function overflows(page: Page): Promise<string[]> {
  return (await page.evaluate(findOverflows)) as string[]
}

const findOverflows = `(() => {
  const width = document.documentElement.clientWidth
  const scrolls = (element) => /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX)
  const isContained = (element) => {
    for (let each = element.parentElement; each && each.id !== 'app'; each = each.parentElement)
      if (each.localName !== 'main' && scrolls(each)) return true
    return false
  }
  const main = document.querySelector('main')
  const found = []
  if (document.documentElement.scrollWidth > width) found.push('the page: ' + document.documentElement.scrollWidth)
  if (main && main.scrollWidth > main.clientWidth) found.push('main: ' + main.scrollWidth + ' > ' + main.clientWidth)
  if (found.length > 0)
    for (const element of document.querySelectorAll('body *'))
      if (element.getBoundingClientRect().right > width + 1 && !isContained(element))
        found.push(element.localName + '.' + element.className + ' ends at ' + Math.round(element.getBoundingClientRect().right))
  return found
})()`

/** The names of small tables that show only a part of their rows. */
export async function clippedTables(page: Page): Promise<string[]> {
  return (await page.evaluate(`[...document.querySelectorAll('.scroller')]
    .filter((each) => each.scrollHeight > each.clientHeight + 1)
    .map((each) => each.querySelector('table')?.ariaLabel ?? '')`)) as string[]
}
