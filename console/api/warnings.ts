/** The texts of the answer's Warning headers (RFC 7234, section 5.5). */
export function warningsOf({ headers }: Response): string[] {
  const found = (headers.get('warning') ?? '').matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)
  return Array.from(found, ([, text = '']) => text.replaceAll(/\\(.)/g, '$1'))
}
