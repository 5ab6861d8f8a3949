/** Where links of a proxied page have to lead. */
export interface LinkContext {
  /** The path of the proxy, `/api/v1/namespaces/default/services/web/proxy`. */
  readonly prefix: string
  /** `host:port` by which the page's server may call itself. */
  readonly hosts: ReadonlySet<string>
}

const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?(.*)$/is

/** A link of a proxied page as it works behind the proxy. Relative links, and those to other hosts, work as they are. */
export function rewriteLink(link: string, { prefix, hosts }: LinkContext): string {
  const [, scheme = '', host = '', rest = ''] = parts.exec(link) ?? []
  const isElsewhere = host !== '' && !hosts.has(host)
  const isOtherScheme = scheme !== '' && !/^https?$/i.test(scheme)
  if (isElsewhere || isOtherScheme || !rest.startsWith('/')) return link
  return rest.startsWith(prefix) ? rest : prefix + rest
}
