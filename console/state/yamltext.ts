/**
 * The position after `start` where the first line begins that does not begin as `isInside` wants. By lines, as a pattern would look at each
 * character of what may be megabytes.
 */
function skipLines(yaml: string, start: number, isInside: (first: string, third: string) => boolean): number {
  for (let at = start; at < yaml.length; ) {
    if (!isInside(yaml.charAt(at), yaml.charAt(at + 2))) return at
    const end = yaml.indexOf('\n', at)
    at = end < 0 ? yaml.length : end + 1
  }
  return yaml.length
}

/** Where the fields of the metadata begin and end in YAML as the server writes it; a text may hold the same lines elsewhere. */
function metadataOf(yaml: string): readonly [start: number, end: number] {
  const found = /^metadata:\n/m.exec(yaml)
  if (found === null) return [0, 0]
  const start = found.index + found[0].length
  return [start, skipLines(yaml, start, (first) => first === ' ' || first === '\n')]
}

const managedFields = '\n  managedFields:\n'

/** Drops the block `managedFields:` of the metadata from YAML as the server writes it. */
export function withoutManagedFields(yaml: string): string {
  const [begin, finish] = metadataOf(yaml)
  const start = yaml.indexOf(managedFields, begin - 1)
  if (start < 0 || start >= finish) return yaml
  // The lines of the block: items of the list, and what is further in.
  const isInside = (first: string, third: string): boolean => first === ' ' && (third === ' ' || third === '-')
  const end = skipLines(yaml, start + managedFields.length, isInside)
  return yaml.slice(0, start + 1) + yaml.slice(end)
}

/** Replaces the resourceVersion in the metadata. */
export function withResourceVersion(yaml: string, resourceVersion: string): string {
  const [start, end] = metadataOf(yaml)
  const metadata = yaml
    .slice(start, end)
    .replace(/^ {2}resourceVersion: .*$/m, `  resourceVersion: "${resourceVersion}"`)
  return yaml.slice(0, start) + metadata + yaml.slice(end)
}

/** The resourceVersion in the metadata; '' for none. */
export function resourceVersionOf(yaml: string): string {
  const metadata = yaml.slice(...metadataOf(yaml))
  return /^ {2}resourceVersion: "?(\d+)"?$/m.exec(metadata)?.[1] ?? ''
}
