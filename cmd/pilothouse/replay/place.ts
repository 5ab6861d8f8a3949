import { type RecordedRequest, RecordingError } from '../recording/index.ts'

/** First parts of paths that an API server has. */
const roots = /^\/(?:api|apis|openapi|version|healthz|livez|readyz|\.well-known\/openid-configuration)(?:\/|$)/
/** Such requests are passed on to other servers. */
const proxied = /^\/api\/v1\/(?:namespaces\/[^/]+\/)?(?:nodes|pods|services)\/[^/]+\/proxy(?:\/|$)/
const pathCharacters = /^\/[\w\-.~!$&'()*+,;=:@%/]*$/
const queryCharacters = /^[\w\-.~!$&'()*+,;=:@%/?[\]{}|^"<>`]*$/
const textMax = 8192

/**
 * Refuses a request that would reach another host or another part of the server than its API: a recording may come from anybody.
 * Throws RecordingError.
 */
export function checkPlace({ path, query }: RecordedRequest, line: number): void {
  const refuse = (): never => {
    throw new RecordingError(line, `the path ${JSON.stringify(path.slice(0, 200))} is none of the API`)
  }
  if (path.length + query.length > textMax || !pathCharacters.test(path) || !queryCharacters.test(query)) refuse()
  const parts = path.slice(1).split('/')
  if (parts.some((part) => isHidden(part)) || parts.slice(0, -1).includes('')) refuse()
  if (!roots.test(path) || proxied.test(path)) refuse()
  // The address that is asked is the one that was checked.
  const base = 'https://server.invalid'
  const url = URL.parse(`${base}${path}${query === '' ? '' : `?${query}`}`)
  if (url?.origin !== base || url.pathname !== path) refuse()
}

/** Parts that another reader may take for several, or for the folder above. */
function isHidden(part: string): boolean {
  let text: string
  try {
    text = decodeURIComponent(part)
  } catch {
    return true
  }
  return text === '.' || text === '..' || /[/\\%\p{Cc}]/u.test(text)
}
