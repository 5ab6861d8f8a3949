import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { openChannels } from '../api/channels.ts'
import { texts } from '../text.ts'

/**
 * Opens the command at `path` in a terminal within the host, until `closing` aborts. Throws OtherUser, and ApiError where
 * the user can't be checked.
 */
export async function openTerminal(
  host: HTMLElement,
  path: string,
  closing: AbortSignal,
  report: (state: string) => void,
): Promise<void> {
  report(texts.connecting)
  const fit = new FitAddon()
  const channels = await openChannels(path, closing, {
    onOpen() {
      report(texts.connected)
      fit.fit()
      channels.resize(terminal.cols, terminal.rows)
      terminal.focus()
    },
    onOutput: (bytes) => terminal.write(bytes),
    onEnd: (message) => report(message === '' ? texts.ended : `${texts.ended}: ${message}`),
  })
  host.replaceChildren()
  const terminal = withoutStyleElements((documentOverride) => {
    const made = new Terminal({ cursorBlink: true, fontSize: 13, documentOverride, linkHandler: { activate() {} } })
    made.loadAddon(fit)
    made.open(host)
    return made
  })
  terminal.onData((text) => channels.send(text))
  terminal.onResize(({ cols, rows }) => channels.resize(cols, rows))
  // Without a size while another terminal is shown.
  const observer = new ResizeObserver(() => void (host.clientHeight > 0 && fit.fit()))
  observer.observe(host)
  closing.addEventListener('abort', () => {
    observer.disconnect()
    terminal.dispose()
  })
}

/** Parts of the terminal ignore documentOverride while they are made. */
function withoutStyleElements<T>(make: (document: Document) => T): T {
  const substitute = documentWithStyleSheets()
  document.createElement = (tag: string) => substitute.createElement(tag)
  try {
    return make(substitute)
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
}

/**
 * The document, but for inline styles, which the page's policy forbids: the text of a style element goes into a style
 * sheet object, a style attribute into the properties of the element.
 */
function documentWithStyleSheets(): Document {
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement') return (tag: string) => (tag === 'style' ? createStyle() : createElement(tag))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function createElement(tag: string): HTMLElement {
  const element = Document.prototype.createElement.call(document, tag)
  element.setAttribute = (name: string, value: string) => {
    if (name === 'style') element.style.cssText = value
    else HTMLElement.prototype.setAttribute.call(element, name, value)
  }
  return element
}

/** An empty element in the place of the style element. */
function createStyle(): HTMLElement {
  const element = createElement('template')
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  Object.defineProperty(element, 'textContent', {
    set(text: string) {
      sheet.replaceSync(text)
    },
  })
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    HTMLElement.prototype.remove.call(element)
  }
  return element
}
