import type * as core from '../../../api/gen/core/v1.ts'
import type { AuthorizeFor, FindNamespace, ObjectVersions } from '../../admission/index.ts'
import type { AdmissionServices } from './admission.ts'
import { createAuthorizeFor } from './authorizefor.ts'
import { createObjectReader } from './objectreader.ts'
import { createObjectVersions } from './objectversions.ts'

/** Lookups that webhooks and policies need in addition to the request. */
export interface RequestServices {
  readonly versions: ObjectVersions
  readonly namespace: FindNamespace
  readonly authorize: AuthorizeFor
}

export function createRequestServices(services: AdmissionServices): RequestServices {
  const namespaces = createObjectReader<core.Namespace>(services.registry, { group: '', resource: 'namespaces' })
  return {
    versions: createObjectVersions(services),
    namespace: (name, signal) => namespaces.cached('', name) ?? namespaces.live('', name, signal),
    authorize: createAuthorizeFor(services.authorizer),
  }
}
