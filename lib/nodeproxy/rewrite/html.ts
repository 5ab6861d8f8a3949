import { Transform } from 'node:stream'
import { type LinkContext, rewriteLink } from './link.ts'

/** Attributes that are links, by their elements. */
const linkAttributes: Readonly<Record<string, string>> = {
  a: 'href',
  applet: 'codebase',
  area: 'href',
  audio: 'src',
  base: 'href',
  blockquote: 'cite',
  body: 'background',
  button: 'formaction',
  command: 'icon',
  del: 'cite',
  embed: 'src',
  form: 'action',
  frame: 'longdesc src',
  head: 'profile',
  html: 'manifest',
  iframe: 'longdesc src',
  img: 'longdesc src usemap',
  input: 'src usemap formaction',
  ins: 'cite',
  link: 'href',
  object: 'classid codebase data usemap',
  q: 'cite',
  script: 'src',
  source: 'src',
  video: 'poster src',
}
/** Elements whose content is not HTML. */
const rawElements = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes'])
/** A longer tag is passed on unchanged. */
const tagLengthMax = 64 * 1024
const attribute = /([^\s=>"'/]+)(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/g

/**
 * Rewrites the links of a page as it streams. Works on bytes as Latin-1: everything but tags stays unchanged in any
 * charset.
 */
export function createHtmlRewriter(context: LinkContext): Transform {
  let rest = ''
  /** The raw element that the page is in. */
  let raw = ''

  /** Rewrites as much of `text` as possible; the rest begins with an open tag or comment. */
  function rewrite(text: string, isLast: boolean): { done: string; left: string } {
    const done: string[] = []
    let at = 0
    for (;;) {
      const start = raw === '' ? text.indexOf('<', at) : indexOfEnd(text, raw, at)
      if (start < 0) {
        // The text may end within the raw element's end tag.
        const keep = raw === '' || isLast ? text.length : Math.max(at, text.length - raw.length - 2)
        done.push(text.slice(at, keep))
        return { done: done.join(''), left: text.slice(keep) }
      }
      done.push(text.slice(at, start))
      const end = endOfTag(text, start)
      if (end < 0) {
        const left = text.slice(start)
        if (!isLast && left.length <= tagLengthMax) return { done: done.join(''), left }
        done.push(left)
        return { done: done.join(''), left: '' }
      }
      const tag = text.slice(start, end)
      const name = /^<([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? ''
      raw = rawElements.has(name) && !tag.endsWith('/>') ? name : ''
      done.push(name === '' ? tag : rewriteTag(tag, name, context))
      at = end
    }
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      const { done, left } = rewrite(rest + chunk.toString('latin1'), false)
      rest = left
      next(null, Buffer.from(done, 'latin1'))
    },
    flush(next) {
      next(null, Buffer.from(rewrite(rest, true).done, 'latin1'))
    },
  })
}

function indexOfEnd(text: string, element: string, from: number): number {
  for (let at = text.indexOf('</', from); at >= 0; at = text.indexOf('</', at + 2))
    if (text.slice(at + 2, at + 2 + element.length).toLowerCase() === element) return at
  return -1
}

/** Position after its `>`, which quotes may contain, too; -1 when it has not arrived yet. */
function endOfTag(text: string, start: number): number {
  if (text.startsWith('<!--', start)) {
    const end = text.indexOf('-->', start + 4)
    return end < 0 ? -1 : end + 3
  }
  if (!/^<[a-z/!?]/i.test(text.slice(start, start + 2))) return text.length > start + 1 ? start + 1 : -1
  let quote = ''
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if ((character === '"' || character === "'") && /=\s*$/.test(text.slice(Math.max(start, at - 8), at)))
      quote = character
    else if (character === '>') return at + 1
  }
  return -1
}

function rewriteTag(tag: string, name: string, context: LinkContext): string {
  const links = Object.hasOwn(linkAttributes, name) ? linkAttributes[name] : undefined
  if (links === undefined) return tag
  const wanted = new Set(links.split(' '))
  return tag.replace(
    attribute,
    (whole, key: string, equals: string, double?: string, single?: string, bare?: string) => {
      if (!wanted.has(key.toLowerCase())) return whole
      const value = double ?? single ?? bare ?? ''
      const rewritten = rewriteLink(value, context)
      if (rewritten === value) return whole
      const quote = single === undefined ? '"' : "'"
      return `${key}${equals}${quote}${rewritten}${quote}`
    },
  )
}
