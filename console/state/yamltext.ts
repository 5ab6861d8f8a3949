const managedFields = '\n  managedFields:\n'

/** Drops the block `managedFields:` of the metadata from YAML as the server writes it. */
export function withoutManagedFields(yaml: string): string {
  const start = yaml.indexOf(managedFields)
  if (start < 0) return yaml
  // The lines of the block: items of the list, and what is further in.
  const after = /^(?! {2}[ -]).*$/gm
  after.lastIndex = start + managedFields.length
  const end = after.exec(yaml)?.index ?? yaml.length + 1
  return yaml.slice(0, start + 1) + yaml.slice(end)
}

/** Replaces the resourceVersion in the metadata. */
export function withResourceVersion(yaml: string, resourceVersion: string): string {
  return yaml.replace(/^ {2}resourceVersion: .*$/m, `  resourceVersion: "${resourceVersion}"`)
}
