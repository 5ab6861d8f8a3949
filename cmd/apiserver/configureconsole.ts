import { type ConsoleIssuer, type ConsoleSettings, findConsoleSource } from '../../lib/console/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import type { ApiserverFlags } from './flags.ts'

/** The console of these flags. `pilothouse up` shows it unless it runs from sources, where the page is not built. */
export function consoleSettings(flags: ApiserverFlags, given: ReadonlySet<string>): ConsoleSettings | undefined {
  if (!flags['enable-console']) return undefined
  const source = findConsoleSource()
  if (source === undefined && given.has('enable-console'))
    throw new FlagError('--enable-console: the files of the console are missing; npm run build makes them')
  return source && { source, issuer: issuer(flags) }
}

function issuer(flags: ApiserverFlags): ConsoleIssuer | undefined {
  const url = flags['console-oidc-issuer-url']
  if (url === '') return undefined
  return { url, clientId: flags['console-oidc-client-id'], scopes: flags['console-oidc-scopes'] }
}

const oidcFlags = ['console-oidc-issuer-url', 'console-oidc-client-id', 'console-oidc-scopes'] as const

/** The first problem of the console's flags; undefined when there is none. */
export function consoleProblem(flags: ApiserverFlags, given: ReadonlySet<string>): string | undefined {
  const first = oidcFlags.find((flag) => given.has(flag))
  if (first === undefined) return undefined
  if (!flags['enable-console']) return `--${first} needs --enable-console`
  const { 'console-oidc-issuer-url': url, 'console-oidc-client-id': clientId, 'console-oidc-scopes': scopes } = flags
  if (url === '' || clientId === '') return '--console-oidc-issuer-url and --console-oidc-client-id need each other'
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || /[?#\s;,]/.test(url))
    return '--console-oidc-issuer-url must be an https URL without user, query and fragment'
  if (!scopes.includes('openid')) return '--console-oidc-scopes must contain openid'
  return undefined
}
