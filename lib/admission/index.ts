// admission: plugins that change or refuse a write between its decoding and its validation: the chain, and the built-in
// plugins, a folder each. Plugins run in one order; all mutate before the first validates. Must not know sockets,
// stores or how an object is encoded.
export { createAlwaysAdmit } from './alwaysadmit/plugin.ts'
export { createAlwaysDeny } from './alwaysdeny/plugin.ts'
export { createAlwaysPullImages } from './alwayspullimages/plugin.ts'
export { createCertificateApproval } from './certificateapproval/plugin.ts'
export { createCertificateSigning } from './certificatesigning/plugin.ts'
export { createCertificateSubjectRestriction } from './certificatesubjectrestriction/plugin.ts'
export { createAdmission } from './chain.ts'
export { createClusterTrustBundleAttest } from './clustertrustbundleattest/plugin.ts'
export { type AuthorizeFor, conditionsEnvironment } from './conditions.ts'
export { createDefaultIngressClass } from './defaultingressclass/plugin.ts'
export { createDefaultStorageClass } from './defaultstorageclass/plugin.ts'
export {
  createDefaultTolerationSeconds,
  type DefaultTolerationSecondsOptions,
} from './defaulttolerationseconds/plugin.ts'
export { createDenyServiceExternalIps } from './denyserviceexternalips/plugin.ts'
export type { DraftRequest } from './draft.ts'
export { createEventRateLimit, type EventLimit } from './eventratelimit/plugin.ts'
export { createExtendedResourceToleration } from './extendedresourcetoleration/plugin.ts'
export { createImagePolicyWebhook, type ImagePolicyOptions } from './imagepolicywebhook/plugin.ts'
export { createLimitPodHardAntiAffinityTopology } from './limitpodhardantiaffinitytopology/plugin.ts'
export { createLimitRanger } from './limitranger/plugin.ts'
export { createNamespaceAutoProvision } from './namespaceautoprovision/plugin.ts'
export { createNamespaceExists } from './namespaceexists/plugin.ts'
export { createNamespaceLifecycle } from './namespacelifecycle/plugin.ts'
export { createNodeRestriction } from './noderestriction/plugin.ts'
export type { NodeResource } from './noderestriction/write.ts'
export {
  createOwnerReferencesPermissionEnforcement,
  type OwnerQuestion,
} from './ownerreferencespermissionenforcement/plugin.ts'
export { createPersistentVolumeClaimResize } from './persistentvolumeclaimresize/plugin.ts'
export type { Admission, AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './plugin.ts'
export { createPodNodeSelector, type PodNodeSelectorSettings, parseNodeLabels } from './podnodeselector/plugin.ts'
export { createPodSecurity, type PodSecuritySettings } from './podsecurity/plugin.ts'
export { parseLevel, parseVersion, type Standard } from './podsecurity/policy.ts'
export { createPodTolerationRestriction, type PodTolerationSettings } from './podtolerationrestriction/plugin.ts'
export { createPodTopologyLabels } from './podtopologylabels/plugin.ts'
export {
  tryExpression,
  tryMutatingPolicy,
  tryValidatingPolicy,
} from './policy/draft.ts'
export { createMutatingAdmissionPolicy, mutatingPolicies } from './policy/mutating.ts'
export type { ParamSource, ParamSources } from './policy/params.ts'
export type { PolicySetDependencies } from './policy/policyset.ts'
export { createValidatingAdmissionPolicy, validatingPolicies } from './policy/validating.ts'
export { createPriority } from './priority/plugin.ts'
export { createReinvocation, type Reinvocation } from './reinvocation.ts'
export type { LimitedResource } from './resourcequota/limited.ts'
export { createResourceQuota } from './resourcequota/plugin.ts'
export { createRuntimeClass } from './runtimeclass/plugin.ts'
export { type AvailablePlugin, selectPlugins } from './select.ts'
export type { FindNamespace } from './selecting.ts'
export { createServiceAccountAdmission } from './serviceaccount/plugin.ts'
export type { SignerQuestions } from './signers.ts'
export { createStorageObjectInUseProtection } from './storageobjectinuseprotection/plugin.ts'
export { createTaintNodesByCondition } from './taintnodesbycondition/plugin.ts'
export type { ObjectVersions, ServedForm } from './versions.ts'
export { createHookClients, type HookClients } from './webhook/clients.ts'
export { tryWebhooks } from './webhook/draft.ts'
export { HookSet } from './webhook/hook.ts'
export { createMutatingAdmissionWebhook } from './webhook/mutating.ts'
export { createValidatingAdmissionWebhook } from './webhook/validating.ts'
export type { WebhookDependencies } from './webhook/webhookdispatcher.ts'
