declare const revision: unique symbol
declare const resourceVersion: unique symbol

/** A store's revision: a positive integer that grows with every write of the whole store; 0 means none. */
export type Revision = number & { readonly [revision]: true }

/** A revision for clients: an opaque string. */
type ResourceVersion = string & { readonly [resourceVersion]: true }

export const noRevision = 0 as Revision

/** For a number from a store. */
export function asRevision(value: number): Revision {
  return value as Revision
}

export function toResourceVersion(of: Revision): ResourceVersion {
  return String(of) as ResourceVersion
}

/** Undefined when the text is not a decimal number within 2^53. */
export function parseResourceVersion(text: string): Revision | undefined {
  if (!/^[0-9]{1,16}$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? (value as Revision) : undefined
}
