// kinds: the behaviour of each kind: its defaults, validation, strategy, columns, selectable fields and conversions,
// one folder a kind, and the rules of metadata that all share. A kind is data and pure functions on objects; it must
// not know how it is stored, served or authorized. No other room distinguishes kinds.

export {
  createAdmissionEnvironment,
  createPolicyEnvironments,
  lazily,
  mutationTypes,
} from './admissionregistration/expressions.ts'
export {
  apiserverClientSigner,
  type CertificateView,
  kubeletClientSigner,
  kubeletClientViolation,
  kubeletServingSigner,
  legacyUnknownSigner,
  signerRules,
} from './certificates/signers.ts'
export { adminAccessFault, adminAccessOf } from './resource/adminaccess.ts'

import { mutatingAdmissionPolicy } from './admissionregistration/mutatingadmissionpolicy/index.ts'
import { mutatingAdmissionPolicyBinding } from './admissionregistration/mutatingadmissionpolicybinding/index.ts'
import { validatingAdmissionPolicy } from './admissionregistration/validatingadmissionpolicy/index.ts'
import { validatingAdmissionPolicyBinding } from './admissionregistration/validatingadmissionpolicybinding/index.ts'
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
} from './admissionregistration/webhookconfiguration/index.ts'
import { customResourceDefinition } from './apiextensions/customresourcedefinition/index.ts'
import { apiService } from './apiregistration/apiservice/index.ts'
import { controllerRevision } from './apps/controllerrevision/index.ts'
import { daemonSet } from './apps/daemonset/index.ts'
import { deployment } from './apps/deployment/index.ts'
import { replicaSet } from './apps/replicaset/index.ts'
import { statefulSet } from './apps/statefulset/index.ts'
import { horizontalPodAutoscaler } from './autoscaling/horizontalpodautoscaler/index.ts'
import { cronJob } from './batch/cronjob/index.ts'
import { job } from './batch/job/index.ts'
import { certificateSigningRequest } from './certificates/certificatesigningrequest/index.ts'
import { clusterTrustBundle } from './certificates/clustertrustbundle/index.ts'
import { podCertificateRequest } from './certificates/podcertificaterequest/index.ts'
import { lease } from './coordination/lease/index.ts'
import { leaseCandidate } from './coordination/leasecandidate/index.ts'
import { componentStatus } from './core/componentstatus/index.ts'
import { configMap } from './core/configmap/index.ts'
import { endpoints } from './core/endpoints/index.ts'
import { event } from './core/event/index.ts'
import { limitRange } from './core/limitrange/index.ts'
import { namespace } from './core/namespace/index.ts'
import { node } from './core/node/index.ts'
import { persistentVolume } from './core/persistentvolume/index.ts'
import { persistentVolumeClaim } from './core/persistentvolumeclaim/index.ts'
import { pod } from './core/pod/index.ts'
import { podTemplate } from './core/podtemplate/index.ts'
import { replicationController } from './core/replicationcontroller/index.ts'
import { resourceQuota } from './core/resourcequota/index.ts'
import { secret } from './core/secret/index.ts'
import { service } from './core/service/index.ts'
import { serviceAccount } from './core/serviceaccount/index.ts'
import type { KindDefinition } from './definition.ts'
import { endpointSlice } from './discovery/endpointslice/index.ts'
import { newEvent } from './events/event/index.ts'
import { flowSchema } from './flowcontrol/flowschema/index.ts'
import { priorityLevelConfiguration } from './flowcontrol/prioritylevelconfiguration/index.ts'
import { storageVersion } from './internal/storageversion/index.ts'
import { ingress } from './networking/ingress/index.ts'
import { ingressClass } from './networking/ingressclass/index.ts'
import { ipAddress } from './networking/ipaddress/index.ts'
import { networkPolicy } from './networking/networkpolicy/index.ts'
import { serviceCidr } from './networking/servicecidr/index.ts'
import { runtimeClass } from './node/runtimeclass/index.ts'
import { podDisruptionBudget } from './policy/poddisruptionbudget/index.ts'
import { clusterRole } from './rbac/clusterrole/index.ts'
import { clusterRoleBinding } from './rbac/clusterrolebinding/index.ts'
import { role } from './rbac/role/index.ts'
import { roleBinding } from './rbac/rolebinding/index.ts'
import { deviceClass } from './resource/deviceclass/index.ts'
import { deviceTaintRule } from './resource/devicetaintrule/index.ts'
import { resourceClaim } from './resource/resourceclaim/index.ts'
import { resourceClaimTemplate } from './resource/resourceclaimtemplate/index.ts'
import { resourcePoolStatusRequest } from './resource/resourcepoolstatusrequest/index.ts'
import { resourceSlice } from './resource/resourceslice/index.ts'
import { podGroup } from './scheduling/podgroup/index.ts'
import { priorityClass } from './scheduling/priorityclass/index.ts'
import { workload } from './scheduling/workload/index.ts'
import { csiDriver } from './storage/csidriver/index.ts'
import { csiNode } from './storage/csinode/index.ts'
import { csiStorageCapacity } from './storage/csistoragecapacity/index.ts'
import { storageClass } from './storage/storageclass/index.ts'
import { volumeAttachment } from './storage/volumeattachment/index.ts'
import { volumeAttributesClass } from './storage/volumeattributesclass/index.ts'
import { storageVersionMigration } from './storagemigration/storageversionmigration/index.ts'

export { staticNameSuffix } from './admissionregistration/reservednames.ts'
export { type CheckedKind, checkPolicyTypes } from './admissionregistration/typecheck.ts'
export { isShared } from './apiextensions/customresourcedefinition/convert.ts'
export { cleanupFinalizer } from './apiextensions/customresourcedefinition/deletion.ts'
export {
  checkStructure as checkDefinitionStructure,
  unreadable as unreadableStructure,
} from './apiextensions/customresourcedefinition/structure.ts'
export { fitsNode, matchesNodeTerm } from './core/pod/fitsnode.ts'
export { qosClassOf } from './core/pod/qos.ts'
export {
  mirrorAnnotation,
  podReferenceFields,
  podReferences,
  visitPodReferences,
  volumeSecrets,
} from './core/pod/references.ts'
export { tolerates } from './core/pod/tolerates.ts'
export { chooseFamilies } from './core/service/families.ts'
export {
  allocatesNodePorts,
  isHeadless,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePort,
  serviceSpec,
} from './core/service/shape.ts'
export { createDeclarativeCheck, type DeclarativeCheck } from './declarative/compare.ts'
export { createDeclarativeValidation } from './declarative/validate.ts'
export type {
  Column,
  KindContext,
  KindDefinition,
  KindSettings,
  RowContext,
  ScaleAccess,
  Strategy,
} from './definition.ts'
export { createKindSet, type KindSet } from './kindset.ts'
export { ageColumn, countColumn, defaultColumnReads, defaultColumns, textColumn } from './meta/columns.ts'
export { validateQualifiedFinalizers } from './meta/finalizers.ts'
export { nameRules } from './meta/names.ts'
export {
  foregroundFinalizer,
  orphanFinalizer,
  validateMetadata,
  validateMetadataContents,
  validateMetadataUpdate,
} from './meta/validate.ts'
export { deviceEnvironment } from './resource/selectors.ts'
export { systemPriorityClasses } from './scheduling/priorityclass/index.ts'

/** Every built-in kind. */
export const builtInKinds: readonly KindDefinition[] = [
  componentStatus,
  configMap,
  controllerRevision,
  cronJob,
  daemonSet,
  deployment,
  event,
  job,
  lease,
  namespace,
  newEvent,
  pod,
  podTemplate,
  replicaSet,
  replicationController,
  secret,
  serviceAccount,
  statefulSet,
  persistentVolume,
  persistentVolumeClaim,
  csiDriver,
  csiNode,
  csiStorageCapacity,
  storageClass,
  volumeAttachment,
  volumeAttributesClass,
  storageVersionMigration,
  role,
  clusterRole,
  roleBinding,
  clusterRoleBinding,
  priorityClass,
  runtimeClass,
  endpoints,
  limitRange,
  node,
  resourceQuota,
  service,
  endpointSlice,
  ingress,
  ingressClass,
  ipAddress,
  networkPolicy,
  serviceCidr,
  podDisruptionBudget,
  apiService,
  certificateSigningRequest,
  clusterTrustBundle,
  podCertificateRequest,
  flowSchema,
  horizontalPodAutoscaler,
  leaseCandidate,
  priorityLevelConfiguration,
  storageVersion,
  mutatingAdmissionPolicy,
  mutatingAdmissionPolicyBinding,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
  customResourceDefinition,
  deviceClass,
  deviceTaintRule,
  resourcePoolStatusRequest,
  podGroup,
  workload,
  resourceClaim,
  resourceClaimTemplate,
  resourceSlice,
]
