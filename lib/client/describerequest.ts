import { quote } from '../object/index.ts'

/** A request in the form of Go clients' errors: `Post "https://…"`. Without the query, which may be confidential. */
export function describeRequest(method: string, url: string): string {
  const mark = url.indexOf('?')
  return `${method.slice(0, 1)}${method.slice(1).toLowerCase()} ${quote(mark < 0 ? url : url.slice(0, mark))}`
}
