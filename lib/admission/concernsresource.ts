import type { AdmissionAttributes } from './plugin.ts'

/** True when the write addresses objects of this resource themselves, not a subresource. */
export function concernsResource({ resource, subresource }: AdmissionAttributes, plural: string, group = ''): boolean {
  return subresource === '' && resource.resource === plural && resource.group === group
}
