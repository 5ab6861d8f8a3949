/** Headers with one value: the first of several is used, never a joined one (Node's rule for HTTP/1.1). */
export const singleHeaders: readonly string[] = (
  'age authorization content-type etag expires from host if-modified-since if-unmodified-since last-modified location ' +
  'max-forwards proxy-authorization referer retry-after server user-agent'
).split(' ')

/** Control characters other than the tab: answers repeat some values and can't contain them either. */
// oxlint-disable-next-line no-control-regex -- the characters to refuse
export const badValue = /[\0-\x08\x0a-\x1f\x7f]/

/** `text` from `start` to `end` without surrounding blanks; in one pass, as a hostile value may be all blanks. */
export function trimmed(text: string, start: number, end: number): string {
  let [from, to] = [start, end]
  while (from < to && isBlank(text, from)) from++
  while (to > from && isBlank(text, to - 1)) to--
  return text.slice(from, to)
}

function isBlank(text: string, at: number): boolean {
  const character = text.charCodeAt(at)
  return character === 0x20 || character === 0x09
}
