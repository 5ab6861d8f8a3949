// admission: what may change or refuse a write between its decoding and its validation: the chain, and the built-in
// plugins, a folder each. Plugins run in one order; all mutate before the first validates. Must not know sockets,
// stores or how an object is encoded.
export { createAlwaysAdmit } from './alwaysadmit/plugin.ts'
export { createAlwaysDeny } from './alwaysdeny/plugin.ts'
export { createAlwaysPullImages } from './alwayspullimages/plugin.ts'
export { createCertificateApproval } from './certificateapproval/plugin.ts'
export { createCertificateSigning } from './certificatesigning/plugin.ts'
export {
  type CertificateSubjectRestrictionDependencies,
  createCertificateSubjectRestriction,
} from './certificatesubjectrestriction/plugin.ts'
export { type AdmissionDependencies, createAdmission } from './chain.ts'
export { createClusterTrustBundleAttest } from './clustertrustbundleattest/plugin.ts'
export { createDefaultIngressClass, type DefaultIngressClassDependencies } from './defaultingressclass/plugin.ts'
export { createDefaultStorageClass, type DefaultStorageClassDependencies } from './defaultstorageclass/plugin.ts'
export {
  createDefaultTolerationSeconds,
  type DefaultTolerationSecondsOptions,
} from './defaulttolerationseconds/plugin.ts'
export { createDenyServiceExternalIps } from './denyserviceexternalips/plugin.ts'
export { createLimitRanger, type LimitRangerDependencies, type LimitRangerOptions } from './limitranger/plugin.ts'
export { createNamespaceExists, type NamespaceExistsDependencies } from './namespaceexists/plugin.ts'
export { createNamespaceLifecycle, type NamespaceLifecycleDependencies } from './namespacelifecycle/plugin.ts'
export { createNodeRestriction } from './noderestriction/plugin.ts'
export type {
  AudienceQuestion,
  NodeResource,
  NodeRestrictionDependencies,
  NodeRestrictionOptions,
} from './noderestriction/write.ts'
export {
  createPersistentVolumeClaimResize,
  type PersistentVolumeClaimResizeDependencies,
} from './persistentvolumeclaimresize/plugin.ts'
export type { Admission, AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './plugin.ts'
export {
  createPodSecurity,
  type PodSecurityDependencies,
  type PodSecurityOptions,
  type PodSecuritySettings,
} from './podsecurity/plugin.ts'
export { parseLevel, parseVersion, type Standard } from './podsecurity/policy.ts'
export { createPriority, type PriorityDependencies } from './priority/plugin.ts'
export { createRuntimeClass, type RuntimeClassDependencies } from './runtimeclass/plugin.ts'
export { type AvailablePlugin, selectPlugins } from './select.ts'
export { createServiceAccountAdmission, type ServiceAccountDependencies } from './serviceaccount/plugin.ts'
export type { SignerQuestions } from './signers.ts'
export { createStorageObjectInUseProtection } from './storageobjectinuseprotection/plugin.ts'
export { createTaintNodesByCondition } from './taintnodesbycondition/plugin.ts'
export { createReinvocation, type Reinvocation } from './reinvocation.ts'
export type { FindNamespace } from './selecting.ts'
export type { ObjectVersions, ServedForm } from './versions.ts'
export { type AuthorizeFor, conditionsEnvironment } from './conditions.ts'
export type { WebhookDependencies } from './webhook/asking.ts'
export {
  answerBytesMax,
  clientsMax,
  createHookClients,
  type HookClients,
  type HookClientsDependencies,
  type ServiceTarget,
} from './webhook/clients.ts'
export { HookSet } from './webhook/hook.ts'
export { createMutatingAdmissionWebhook } from './webhook/mutating.ts'
export { createValidatingAdmissionWebhook } from './webhook/validating.ts'
export { createExtendedResourceToleration } from './extendedresourcetoleration/plugin.ts'
export { createLimitPodHardAntiAffinityTopology } from './limitpodhardantiaffinitytopology/plugin.ts'
