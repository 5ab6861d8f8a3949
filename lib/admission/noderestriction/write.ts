import type * as core from '../../../api/gen/core/v1.ts'
import { type ApiObject, statusErrors } from '../../object/index.ts'
import type { AdmissionAttributes } from '../plugin.ts'

export interface NodeRestrictionDependencies {
  /** The present object; undefined: there is none. */
  find(resource: NodeResource, namespace: string, name: string, signal: AbortSignal): Promise<ApiObject | undefined>
  /** The common name of a PEM certificate signing request; throws when the request can't be read. */
  commonNameOf(request: string): string
  /** Whether the user may request tokens for this audience. */
  isAllowed(attributes: AdmissionAttributes, question: AudienceQuestion): Promise<boolean>
}

export type NodeResource =
  | 'pods'
  | 'nodes'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'csidrivers'
  | 'serviceaccounts'

/** Asks whether a node may request tokens that none of its pods requests. */
interface AudienceQuestion {
  readonly verb: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}

export interface NodeRestrictionOptions {
  /** The API's own audiences; tokens for them name none. */
  readonly apiAudiences: readonly string[]
  /** Gate ServiceAccountNodeAudienceRestriction. */
  readonly restrictAudiences: boolean
  /** Gate AllowInsecureKubeletCertificateSigningRequests. */
  readonly anySigningRequests: boolean
  /** Gate PodCertificateRequest. */
  readonly podCertificates: boolean
}

/** One request of a node, and the services and options of its checks. */
export interface NodeWrite {
  readonly node: string
  readonly attributes: AdmissionAttributes
  readonly dependencies: NodeRestrictionDependencies
  readonly options: NodeRestrictionOptions
  /** Makes the refusal. */
  refuse(why: string): Error
}

/** The pod of that name; throws the 404 of an informer's lister, which names the resource `pod`. */
export async function findPod({ attributes, dependencies }: NodeWrite, name: string): Promise<core.Pod> {
  const pod = await dependencies.find('pods', attributes.namespace, name, attributes.signal)
  if (!pod) throw statusErrors.notFound({ group: '', resource: 'pod' }, name)
  return pod as core.Pod
}
