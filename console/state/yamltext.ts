/** Drops the block `managedFields:` of the metadata from YAML as the server writes it. */
export function withoutManagedFields(yaml: string): string {
  const kept: string[] = []
  let isInside = false
  for (const line of yaml.split('\n')) {
    if (isInside && !/^ {2}(?:[ -]|$)/.test(line)) isInside = false
    if (line === '  managedFields:') isInside = true
    if (!isInside) kept.push(line)
  }
  return kept.join('\n')
}

/** Replaces the resourceVersion in the metadata. */
export function withResourceVersion(yaml: string, resourceVersion: string): string {
  return yaml.replace(/^ {2}resourceVersion: .*$/m, `  resourceVersion: "${resourceVersion}"`)
}
