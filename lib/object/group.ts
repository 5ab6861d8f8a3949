export interface GroupVersion {
  /** '' is the core group. */
  readonly group: string
  readonly version: string
}
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string
}
export interface GroupVersionResource extends GroupVersion {
  /** Plural, lower case. */
  readonly resource: string
}
export interface GroupResource {
  readonly group: string
  readonly resource: string
}

/** `v1`, `apps/v1`. */
export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`
}

/** The inverse of formatGroupVersion; undefined when the text has more than one slash or an empty part. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const slash = apiVersion.indexOf('/')
  if (slash < 0) return apiVersion === '' ? undefined : { group: '', version: apiVersion }
  const group = apiVersion.slice(0, slash)
  const version = apiVersion.slice(slash + 1)
  return group === '' || version === '' || version.includes('/') ? undefined : { group, version }
}

/** `pods`, `deployments.apps`: the form of error messages. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`
}

/** `Pod`, `Deployment.apps`: the form of validation errors. */
export function formatGroupKind({ group, kind }: { group: string; kind: string }): string {
  return group === '' ? kind : `${kind}.${group}`
}

/** `/v1, Kind=Pod`, `apps/v1, Kind=Deployment`: the form of decode and apply errors. */
export function formatGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`
}
