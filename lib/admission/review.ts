import type { GroupVersionKind, GroupVersionResource } from '../object/index.ts'
import type { AdmissionAttributes } from './plugin.ts'
import type { ServedForm } from './versions.ts'

/** The request of an AdmissionReview without its objects; expressions read it as `request`. */
export interface AdmissionRequest {
  readonly uid?: string
  readonly kind: GroupVersionKind
  readonly resource: GroupVersionResource
  readonly subResource?: string
  readonly requestKind: GroupVersionKind
  readonly requestResource: GroupVersionResource
  readonly requestSubResource?: string
  readonly name?: string
  readonly namespace?: string
  readonly operation: string
  readonly userInfo: {
    readonly username?: string
    readonly uid?: string
    readonly groups?: readonly string[]
    readonly extra?: Readonly<Record<string, readonly string[]>>
  }
  readonly dryRun: boolean
  readonly options: object | null
}

export function admissionRequest(attributes: AdmissionAttributes, form: ServedForm, uid?: string): AdmissionRequest {
  const { kind, resource, subresource, name, namespace, operation, user, dryRun, options } = attributes
  return {
    ...(uid === undefined ? {} : { uid }),
    kind: kindOnly(form.kind),
    resource: resourceOnly(form.resource),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOnly(kind),
    requestResource: resourceOnly(resource),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: {
      ...(user.name === '' ? {} : { username: user.name }),
      ...(user.uid === '' ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: user.groups }),
      ...(Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
    },
    dryRun,
    options: operation === 'CONNECT' ? null : (options ?? null),
  }
}

function kindOnly({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind }
}

function resourceOnly({ group, version, resource }: GroupVersionResource): GroupVersionResource {
  return { group, version, resource }
}
