/**
 * The action that a URL and method ask for: frozen, made once per request by parseRequestInfo. Authorization, audit,
 * admission, metrics and handlers all read this; none of them reads the URL or the method again, so that the authorized
 * action is the one that is done.
 */
export interface RequestInfo {
  /** False for a path outside /api and /apis, or one of their discovery documents. */
  readonly isResource: boolean
  /** The decoded path without its query. */
  readonly path: string
  /** The HTTP method, which distinguishes HEAD from GET, and a POST below `/watch/` from a watch. */
  readonly method: string
  /**
   * The authorized verb: get list watch create update patch delete deletecollection proxy; for other paths the method
   * in lower case. Everything below `/watch/` is a watch and everything below `/proxy/` a proxy, whatever its method: a
   * handler of another verb must not take it.
   */
  readonly verb: string
  /** The first segment of a resource's path: `api` for the core group, `apis` for the named ones; '' for other paths. */
  readonly apiPrefix: 'api' | 'apis' | ''
  readonly group: string
  readonly version: string
  /** True when the path has `namespaces/{namespace}/` before the resource, even with an empty namespace. */
  readonly namespaced: boolean
  /** '' when cluster-scoped, all namespaces, or for namespaces themselves as a collection. For `namespaces/{name}` it is {name}. */
  readonly namespace: string
  readonly resource: string
  /** '' below `/proxy/`. */
  readonly subresource: string
  /** The name in the path, or the one that the field selector of a list or watch requires. */
  readonly name: string
  /** The query's selectors apply to the verb: not on the older path `/watch/` with a name. */
  readonly selects: boolean
  /** Path segments after `namespaces/{ns}`: resource, name, subresource, and more for proxies. */
  readonly parts: readonly string[]
}

/** Before the URL has been parsed. */
export const noRequestInfo: RequestInfo = Object.freeze({
  isResource: false,
  path: '',
  method: '',
  verb: '',
  apiPrefix: '',
  group: '',
  version: '',
  namespaced: false,
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  selects: false,
  parts: Object.freeze([]),
})
