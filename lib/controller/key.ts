/** The metadata that identify an object. */
export interface Identified {
  readonly metadata: {
    readonly name?: string | undefined
    readonly namespace?: string | undefined
    readonly uid?: string | undefined
  }
}

/** `namespace/name`, or `name` of a cluster-scoped object: the name of an object in queues and listers. */
export function keyOf({ metadata: { namespace, name = '' } }: Identified): string {
  return namespace ? `${namespace}/${name}` : name
}

export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/')
  return slash < 0 ? { namespace: '', name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

export function joinKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

export function namespaceOf({ metadata }: Identified): string {
  return metadata.namespace ?? ''
}
