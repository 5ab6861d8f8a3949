/** What a URL and method ask for (the parser is parseRequestInfo). */
export interface RequestInfo {
  /** False: a path outside /api and /apis, or one of their discovery documents. */
  readonly isResource: boolean
  readonly path: string
  /** get list watch create update patch delete deletecollection proxy; for other paths the method in lower case. */
  readonly verb: string
  readonly group: string
  readonly version: string
  /** '' when cluster-scoped, all namespaces, or for namespaces themselves as a collection. For `namespaces/{name}` it is {name}. */
  readonly namespace: string
  readonly resource: string
  readonly subresource: string
  readonly name: string
  /** Path segments after `namespaces/{ns}`: resource, name, subresource, and more for proxies. */
  readonly parts: readonly string[]
}
