import type { PublicPages } from '../../request/index.ts'
import type { ServerFilter } from '../chain.ts'

/** Answers requests for pages that need no credentials; undefined where there are none. */
export function publicPages(pages: PublicPages | undefined): ServerFilter | undefined {
  if (pages === undefined) return undefined
  return (call, next) => (pages.serves(call.path) ? pages.handle(call) : next(call))
}
