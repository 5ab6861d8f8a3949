/** The target of links in a proxied page. */
export interface LinkContext {
  /** The path of the proxy, `/api/v1/namespaces/default/services/web/proxy`. */
  readonly prefix: string
  /** `host:port` of the page's server in its own links. */
  readonly hosts: ReadonlySet<string>
}

const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?(.*)$/is

/**
 * Rewrites a link of a proxied page so that it works behind the proxy. Relative links, and those to other hosts, are
 * unchanged.
 */
export function rewriteLink(link: string, { prefix, hosts }: LinkContext): string {
  const [, scheme = '', host = '', rest = ''] = parts.exec(link) ?? []
  const isElsewhere = host !== '' && !hosts.has(host)
  const isOtherScheme = scheme !== '' && !/^https?$/i.test(scheme)
  if (isElsewhere || isOtherScheme || !rest.startsWith('/')) return link
  return rest.startsWith(prefix) ? rest : prefix + rest
}
