/** Where the fields of the metadata begin and end in YAML as the server writes it; a text may hold the same lines elsewhere. */
function metadataOf(yaml: string): readonly [start: number, end: number] {
  const found = /^metadata:\n/m.exec(yaml)
  if (found === null) return [0, 0]
  const start = found.index + found[0].length
  const next = /^[^ \n]/gm
  next.lastIndex = start
  return [start, next.exec(yaml)?.index ?? yaml.length]
}

const managedFields = '\n  managedFields:\n'

/** Drops the block `managedFields:` of the metadata from YAML as the server writes it. */
export function withoutManagedFields(yaml: string): string {
  const [begin, finish] = metadataOf(yaml)
  const start = yaml.indexOf(managedFields, begin - 1)
  if (start < 0 || start >= finish) return yaml
  // The lines of the block: items of the list, and what is further in.
  const after = /^(?! {2}[ -]).*$/gm
  after.lastIndex = start + managedFields.length
  const end = after.exec(yaml)?.index ?? yaml.length + 1
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
