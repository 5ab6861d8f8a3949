// Every type, kind and resource of the API, as data: see lib/schema/table.ts for the form. One file a group version.
import type { GroupVersionTable } from '../lib/schema/index.ts'
import { admissionV1 } from './admission.k8s.io/v1.ts'
import { admissionV1beta1 } from './admission.k8s.io/v1beta1.ts'
import { admissionregistrationV1 } from './admissionregistration.k8s.io/v1.ts'
import { admissionregistrationV1alpha1 } from './admissionregistration.k8s.io/v1alpha1.ts'
import { admissionregistrationV1beta1 } from './admissionregistration.k8s.io/v1beta1.ts'
import { apidiscoveryV2 } from './apidiscovery.k8s.io/v2.ts'
import { apidiscoveryV2beta1 } from './apidiscovery.k8s.io/v2beta1.ts'
import { apiextensionsV1 } from './apiextensions.k8s.io/v1.ts'
import { apiextensionsV1beta1 } from './apiextensions.k8s.io/v1beta1.ts'
import { apiregistrationV1 } from './apiregistration.k8s.io/v1.ts'
import { apiserverConfigV1 } from './apiserver.config.k8s.io/v1.ts'
import { apiserverConfigV1alpha1 } from './apiserver.config.k8s.io/v1alpha1.ts'
import { apiserverConfigV1beta1 } from './apiserver.config.k8s.io/v1beta1.ts'
import { apiserverV1beta1 } from './apiserver.k8s.io/v1beta1.ts'
import { appsV1 } from './apps/v1.ts'
import { appsV1beta1 } from './apps/v1beta1.ts'
import { auditV1 } from './audit.k8s.io/v1.ts'
import { authenticationV1 } from './authentication.k8s.io/v1.ts'
import { authenticationV1beta1 } from './authentication.k8s.io/v1beta1.ts'
import { authorizationV1 } from './authorization.k8s.io/v1.ts'
import { authorizationV1beta1 } from './authorization.k8s.io/v1beta1.ts'
import { autoscalingV1 } from './autoscaling/v1.ts'
import { autoscalingV2 } from './autoscaling/v2.ts'
import { batchV1 } from './batch/v1.ts'
import { certificatesV1 } from './certificates.k8s.io/v1.ts'
import { certificatesV1alpha1 } from './certificates.k8s.io/v1alpha1.ts'
import { certificatesV1beta1 } from './certificates.k8s.io/v1beta1.ts'
import { clientAuthenticationV1 } from './client.authentication.k8s.io/v1.ts'
import { clientAuthenticationV1beta1 } from './client.authentication.k8s.io/v1beta1.ts'
import { clientcmdV1 } from './clientcmd/v1.ts'
import { coordinationV1 } from './coordination.k8s.io/v1.ts'
import { coordinationV1alpha2 } from './coordination.k8s.io/v1alpha2.ts'
import { coordinationV1beta1 } from './coordination.k8s.io/v1beta1.ts'
import { coreV1 } from './core/v1.ts'
import { discoveryV1 } from './discovery.k8s.io/v1.ts'
import { discoveryV1beta1 } from './discovery.k8s.io/v1beta1.ts'
import { eventratelimitAdmissionV1alpha1 } from './eventratelimit.admission.k8s.io/v1alpha1.ts'
import { eventsV1 } from './events.k8s.io/v1.ts'
import { flowcontrolV1 } from './flowcontrol.apiserver.k8s.io/v1.ts'
import { flowcontrolV1beta2 } from './flowcontrol.apiserver.k8s.io/v1beta2.ts'
import { imagepolicyV1alpha1 } from './imagepolicy.k8s.io/v1alpha1.ts'
import { internalV1alpha1 } from './internal.apiserver.k8s.io/v1alpha1.ts'
import { kubeschedulerConfigV1 } from './kubescheduler.config.k8s.io/v1.ts'
import { metaV1 } from './meta/v1.ts'
import { metaV1beta1 } from './meta/v1beta1.ts'
import { networkingV1 } from './networking.k8s.io/v1.ts'
import { networkingV1beta1 } from './networking.k8s.io/v1beta1.ts'
import { nodeV1 } from './node.k8s.io/v1.ts'
import { nodeV1alpha1 } from './node.k8s.io/v1alpha1.ts'
import { podSecurityAdmissionConfigV1 } from './pod-security.admission.config.k8s.io/v1.ts'
import { podtolerationrestrictionAdmissionV1alpha1 } from './podtolerationrestriction.admission.k8s.io/v1alpha1.ts'
import { policyV1 } from './policy/v1.ts'
import { rbacAuthorizationV1 } from './rbac.authorization.k8s.io/v1.ts'
import { rbacAuthorizationV1alpha1 } from './rbac.authorization.k8s.io/v1alpha1.ts'
import { resourceV1 } from './resource.k8s.io/v1.ts'
import { resourceV1alpha3 } from './resource.k8s.io/v1alpha3.ts'
import { resourceV1beta1 } from './resource.k8s.io/v1beta1.ts'
import { resourceV1beta2 } from './resource.k8s.io/v1beta2.ts'
import { resourcequotaAdmissionV1 } from './resourcequota.admission.k8s.io/v1.ts'
import { schedulingV1 } from './scheduling.k8s.io/v1.ts'
import { schedulingV1alpha2 } from './scheduling.k8s.io/v1alpha2.ts'
import { storageV1 } from './storage.k8s.io/v1.ts'
import { storageV1alpha1 } from './storage.k8s.io/v1alpha1.ts'
import { storageV1beta1 } from './storage.k8s.io/v1beta1.ts'
import { storagemigrationV1alpha1 } from './storagemigration.k8s.io/v1alpha1.ts'
import { storagemigrationV1beta1 } from './storagemigration.k8s.io/v1beta1.ts'
import { tracingConfigV1 } from './tracing.config.k8s.io/v1.ts'
import { webhookadmissionApiserverConfigV1 } from './webhookadmission.apiserver.config.k8s.io/v1.ts'

/** The API: groups in the order of discovery, versions in the order of preference. */
export const tables: readonly GroupVersionTable[] = [
  metaV1,
  metaV1beta1,
  coreV1,
  apiregistrationV1,
  appsV1,
  appsV1beta1,
  eventsV1,
  authenticationV1,
  authenticationV1beta1,
  authorizationV1,
  authorizationV1beta1,
  autoscalingV2,
  autoscalingV1,
  batchV1,
  certificatesV1,
  certificatesV1beta1,
  certificatesV1alpha1,
  networkingV1,
  networkingV1beta1,
  policyV1,
  rbacAuthorizationV1,
  rbacAuthorizationV1alpha1,
  storageV1,
  storageV1alpha1,
  storageV1beta1,
  admissionregistrationV1,
  admissionregistrationV1beta1,
  admissionregistrationV1alpha1,
  apiextensionsV1,
  apiextensionsV1beta1,
  schedulingV1,
  schedulingV1alpha2,
  coordinationV1,
  coordinationV1beta1,
  coordinationV1alpha2,
  nodeV1,
  nodeV1alpha1,
  discoveryV1,
  discoveryV1beta1,
  resourceV1,
  resourceV1beta2,
  resourceV1beta1,
  resourceV1alpha3,
  flowcontrolV1,
  flowcontrolV1beta2,
  internalV1alpha1,
  storagemigrationV1alpha1,
  storagemigrationV1beta1,
  admissionV1,
  admissionV1beta1,
  apidiscoveryV2,
  apidiscoveryV2beta1,
  imagepolicyV1alpha1,
]

/** Formats of files that the server and its clients read or write; none of them is served. */
export const configTables: readonly GroupVersionTable[] = [
  resourcequotaAdmissionV1,
  webhookadmissionApiserverConfigV1,
  apiserverConfigV1,
  apiserverConfigV1alpha1,
  apiserverConfigV1beta1,
  auditV1,
  clientAuthenticationV1,
  clientAuthenticationV1beta1,
  clientcmdV1,
  tracingConfigV1,
  apiserverV1beta1,
  eventratelimitAdmissionV1alpha1,
  podtolerationrestrictionAdmissionV1alpha1,
  podSecurityAdmissionConfigV1,
  kubeschedulerConfigV1,
]
