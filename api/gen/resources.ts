// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// The resources of the API for clients: `client.resource(resources.apps.v1.deployments)`.
import { resourceType } from '../../lib/object/index.ts'
import type * as admissionregistrationK8sIoV1 from './admissionregistration.k8s.io/v1.ts'
import type * as admissionregistrationK8sIoV1alpha1 from './admissionregistration.k8s.io/v1alpha1.ts'
import type * as admissionregistrationK8sIoV1beta1 from './admissionregistration.k8s.io/v1beta1.ts'
import type * as apiextensionsK8sIoV1 from './apiextensions.k8s.io/v1.ts'
import type * as apiregistrationK8sIoV1 from './apiregistration.k8s.io/v1.ts'
import type * as appsV1 from './apps/v1.ts'
import type * as authenticationK8sIoV1 from './authentication.k8s.io/v1.ts'
import type * as authenticationK8sIoV1beta1 from './authentication.k8s.io/v1beta1.ts'
import type * as authorizationK8sIoV1 from './authorization.k8s.io/v1.ts'
import type * as autoscalingV1 from './autoscaling/v1.ts'
import type * as autoscalingV2 from './autoscaling/v2.ts'
import type * as batchV1 from './batch/v1.ts'
import type * as certificatesK8sIoV1 from './certificates.k8s.io/v1.ts'
import type * as certificatesK8sIoV1alpha1 from './certificates.k8s.io/v1alpha1.ts'
import type * as certificatesK8sIoV1beta1 from './certificates.k8s.io/v1beta1.ts'
import type * as coordinationK8sIoV1 from './coordination.k8s.io/v1.ts'
import type * as coordinationK8sIoV1alpha2 from './coordination.k8s.io/v1alpha2.ts'
import type * as coordinationK8sIoV1beta1 from './coordination.k8s.io/v1beta1.ts'
import type * as coreV1 from './core/v1.ts'
import type * as discoveryK8sIoV1 from './discovery.k8s.io/v1.ts'
import type * as eventsK8sIoV1 from './events.k8s.io/v1.ts'
import type * as flowcontrolApiserverK8sIoV1 from './flowcontrol.apiserver.k8s.io/v1.ts'
import type * as internalApiserverK8sIoV1alpha1 from './internal.apiserver.k8s.io/v1alpha1.ts'
import type * as networkingK8sIoV1 from './networking.k8s.io/v1.ts'
import type * as networkingK8sIoV1beta1 from './networking.k8s.io/v1beta1.ts'
import type * as nodeK8sIoV1 from './node.k8s.io/v1.ts'
import type * as policyV1 from './policy/v1.ts'
import type * as rbacAuthorizationK8sIoV1 from './rbac.authorization.k8s.io/v1.ts'
import type * as resourceK8sIoV1 from './resource.k8s.io/v1.ts'
import type * as resourceK8sIoV1alpha3 from './resource.k8s.io/v1alpha3.ts'
import type * as resourceK8sIoV1beta1 from './resource.k8s.io/v1beta1.ts'
import type * as resourceK8sIoV1beta2 from './resource.k8s.io/v1beta2.ts'
import type * as schedulingK8sIoV1 from './scheduling.k8s.io/v1.ts'
import type * as schedulingK8sIoV1alpha2 from './scheduling.k8s.io/v1alpha2.ts'
import type * as storageK8sIoV1 from './storage.k8s.io/v1.ts'
import type * as storageK8sIoV1alpha1 from './storage.k8s.io/v1alpha1.ts'
import type * as storageK8sIoV1beta1 from './storage.k8s.io/v1beta1.ts'
import type * as storagemigrationK8sIoV1alpha1 from './storagemigration.k8s.io/v1alpha1.ts'
import type * as storagemigrationK8sIoV1beta1 from './storagemigration.k8s.io/v1beta1.ts'

export const resources = {
  core: {
    v1: {
      bindings: resourceType<coreV1.Binding>('', 'v1', 'bindings', 'Binding', true),
      componentstatuses: resourceType<coreV1.ComponentStatus>('', 'v1', 'componentstatuses', 'ComponentStatus', false),
      configmaps: resourceType<coreV1.ConfigMap>('', 'v1', 'configmaps', 'ConfigMap', true),
      endpoints: resourceType<coreV1.Endpoints>('', 'v1', 'endpoints', 'Endpoints', true),
      events: resourceType<coreV1.Event>('', 'v1', 'events', 'Event', true),
      limitranges: resourceType<coreV1.LimitRange>('', 'v1', 'limitranges', 'LimitRange', true),
      namespaces: resourceType<coreV1.Namespace>('', 'v1', 'namespaces', 'Namespace', false),
      nodes: resourceType<coreV1.Node>('', 'v1', 'nodes', 'Node', false),
      persistentvolumeclaims: resourceType<coreV1.PersistentVolumeClaim>('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', true),
      persistentvolumes: resourceType<coreV1.PersistentVolume>('', 'v1', 'persistentvolumes', 'PersistentVolume', false),
      pods: resourceType<coreV1.Pod>('', 'v1', 'pods', 'Pod', true),
      podtemplates: resourceType<coreV1.PodTemplate>('', 'v1', 'podtemplates', 'PodTemplate', true),
      replicationcontrollers: resourceType<coreV1.ReplicationController>('', 'v1', 'replicationcontrollers', 'ReplicationController', true),
      resourcequotas: resourceType<coreV1.ResourceQuota>('', 'v1', 'resourcequotas', 'ResourceQuota', true),
      secrets: resourceType<coreV1.Secret>('', 'v1', 'secrets', 'Secret', true),
      serviceaccounts: resourceType<coreV1.ServiceAccount>('', 'v1', 'serviceaccounts', 'ServiceAccount', true),
      services: resourceType<coreV1.Service>('', 'v1', 'services', 'Service', true),
    },
  },
  apiregistration: {
    v1: {
      apiservices: resourceType<apiregistrationK8sIoV1.APIService>('apiregistration.k8s.io', 'v1', 'apiservices', 'APIService', false),
    },
  },
  apps: {
    v1: {
      controllerrevisions: resourceType<appsV1.ControllerRevision>('apps', 'v1', 'controllerrevisions', 'ControllerRevision', true),
      daemonsets: resourceType<appsV1.DaemonSet>('apps', 'v1', 'daemonsets', 'DaemonSet', true),
      deployments: resourceType<appsV1.Deployment>('apps', 'v1', 'deployments', 'Deployment', true),
      replicasets: resourceType<appsV1.ReplicaSet>('apps', 'v1', 'replicasets', 'ReplicaSet', true),
      statefulsets: resourceType<appsV1.StatefulSet>('apps', 'v1', 'statefulsets', 'StatefulSet', true),
    },
  },
  events: {
    v1: {
      events: resourceType<eventsK8sIoV1.Event>('events.k8s.io', 'v1', 'events', 'Event', true),
    },
  },
  authentication: {
    v1: {
      selfsubjectreviews: resourceType<authenticationK8sIoV1.SelfSubjectReview>('authentication.k8s.io', 'v1', 'selfsubjectreviews', 'SelfSubjectReview', false),
      tokenreviews: resourceType<authenticationK8sIoV1.TokenReview>('authentication.k8s.io', 'v1', 'tokenreviews', 'TokenReview', false),
    },
    v1beta1: {
      selfsubjectreviews: resourceType<authenticationK8sIoV1beta1.SelfSubjectReview>('authentication.k8s.io', 'v1beta1', 'selfsubjectreviews', 'SelfSubjectReview', false),
    },
  },
  authorization: {
    v1: {
      localsubjectaccessreviews: resourceType<authorizationK8sIoV1.LocalSubjectAccessReview>('authorization.k8s.io', 'v1', 'localsubjectaccessreviews', 'LocalSubjectAccessReview', true),
      selfsubjectaccessreviews: resourceType<authorizationK8sIoV1.SelfSubjectAccessReview>('authorization.k8s.io', 'v1', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview', false),
      selfsubjectrulesreviews: resourceType<authorizationK8sIoV1.SelfSubjectRulesReview>('authorization.k8s.io', 'v1', 'selfsubjectrulesreviews', 'SelfSubjectRulesReview', false),
      subjectaccessreviews: resourceType<authorizationK8sIoV1.SubjectAccessReview>('authorization.k8s.io', 'v1', 'subjectaccessreviews', 'SubjectAccessReview', false),
    },
  },
  autoscaling: {
    v2: {
      horizontalpodautoscalers: resourceType<autoscalingV2.HorizontalPodAutoscaler>('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', true),
    },
    v1: {
      horizontalpodautoscalers: resourceType<autoscalingV1.HorizontalPodAutoscaler>('autoscaling', 'v1', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', true),
    },
  },
  batch: {
    v1: {
      cronjobs: resourceType<batchV1.CronJob>('batch', 'v1', 'cronjobs', 'CronJob', true),
      jobs: resourceType<batchV1.Job>('batch', 'v1', 'jobs', 'Job', true),
    },
  },
  certificates: {
    v1: {
      certificatesigningrequests: resourceType<certificatesK8sIoV1.CertificateSigningRequest>('certificates.k8s.io', 'v1', 'certificatesigningrequests', 'CertificateSigningRequest', false),
    },
    v1beta1: {
      clustertrustbundles: resourceType<certificatesK8sIoV1beta1.ClusterTrustBundle>('certificates.k8s.io', 'v1beta1', 'clustertrustbundles', 'ClusterTrustBundle', false),
      podcertificaterequests: resourceType<certificatesK8sIoV1beta1.PodCertificateRequest>('certificates.k8s.io', 'v1beta1', 'podcertificaterequests', 'PodCertificateRequest', true),
    },
    v1alpha1: {
      clustertrustbundles: resourceType<certificatesK8sIoV1alpha1.ClusterTrustBundle>('certificates.k8s.io', 'v1alpha1', 'clustertrustbundles', 'ClusterTrustBundle', false),
    },
  },
  networking: {
    v1: {
      ingressclasses: resourceType<networkingK8sIoV1.IngressClass>('networking.k8s.io', 'v1', 'ingressclasses', 'IngressClass', false),
      ingresses: resourceType<networkingK8sIoV1.Ingress>('networking.k8s.io', 'v1', 'ingresses', 'Ingress', true),
      ipaddresses: resourceType<networkingK8sIoV1.IPAddress>('networking.k8s.io', 'v1', 'ipaddresses', 'IPAddress', false),
      networkpolicies: resourceType<networkingK8sIoV1.NetworkPolicy>('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', true),
      servicecidrs: resourceType<networkingK8sIoV1.ServiceCIDR>('networking.k8s.io', 'v1', 'servicecidrs', 'ServiceCIDR', false),
    },
    v1beta1: {
      ipaddresses: resourceType<networkingK8sIoV1beta1.IPAddress>('networking.k8s.io', 'v1beta1', 'ipaddresses', 'IPAddress', false),
      servicecidrs: resourceType<networkingK8sIoV1beta1.ServiceCIDR>('networking.k8s.io', 'v1beta1', 'servicecidrs', 'ServiceCIDR', false),
    },
  },
  policy: {
    v1: {
      poddisruptionbudgets: resourceType<policyV1.PodDisruptionBudget>('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', true),
    },
  },
  rbac: {
    v1: {
      clusterrolebindings: resourceType<rbacAuthorizationK8sIoV1.ClusterRoleBinding>('rbac.authorization.k8s.io', 'v1', 'clusterrolebindings', 'ClusterRoleBinding', false),
      clusterroles: resourceType<rbacAuthorizationK8sIoV1.ClusterRole>('rbac.authorization.k8s.io', 'v1', 'clusterroles', 'ClusterRole', false),
      rolebindings: resourceType<rbacAuthorizationK8sIoV1.RoleBinding>('rbac.authorization.k8s.io', 'v1', 'rolebindings', 'RoleBinding', true),
      roles: resourceType<rbacAuthorizationK8sIoV1.Role>('rbac.authorization.k8s.io', 'v1', 'roles', 'Role', true),
    },
  },
  storage: {
    v1: {
      csidrivers: resourceType<storageK8sIoV1.CSIDriver>('storage.k8s.io', 'v1', 'csidrivers', 'CSIDriver', false),
      csinodes: resourceType<storageK8sIoV1.CSINode>('storage.k8s.io', 'v1', 'csinodes', 'CSINode', false),
      csistoragecapacities: resourceType<storageK8sIoV1.CSIStorageCapacity>('storage.k8s.io', 'v1', 'csistoragecapacities', 'CSIStorageCapacity', true),
      storageclasses: resourceType<storageK8sIoV1.StorageClass>('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', false),
      volumeattachments: resourceType<storageK8sIoV1.VolumeAttachment>('storage.k8s.io', 'v1', 'volumeattachments', 'VolumeAttachment', false),
      volumeattributesclasses: resourceType<storageK8sIoV1.VolumeAttributesClass>('storage.k8s.io', 'v1', 'volumeattributesclasses', 'VolumeAttributesClass', false),
    },
    v1alpha1: {
      volumeattributesclasses: resourceType<storageK8sIoV1alpha1.VolumeAttributesClass>('storage.k8s.io', 'v1alpha1', 'volumeattributesclasses', 'VolumeAttributesClass', false),
    },
    v1beta1: {
      volumeattributesclasses: resourceType<storageK8sIoV1beta1.VolumeAttributesClass>('storage.k8s.io', 'v1beta1', 'volumeattributesclasses', 'VolumeAttributesClass', false),
    },
  },
  admissionregistration: {
    v1: {
      mutatingadmissionpolicies: resourceType<admissionregistrationK8sIoV1.MutatingAdmissionPolicy>('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicies', 'MutatingAdmissionPolicy', false),
      mutatingadmissionpolicybindings: resourceType<admissionregistrationK8sIoV1.MutatingAdmissionPolicyBinding>('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding', false),
      mutatingwebhookconfigurations: resourceType<admissionregistrationK8sIoV1.MutatingWebhookConfiguration>('admissionregistration.k8s.io', 'v1', 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', false),
      validatingadmissionpolicies: resourceType<admissionregistrationK8sIoV1.ValidatingAdmissionPolicy>('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', false),
      validatingadmissionpolicybindings: resourceType<admissionregistrationK8sIoV1.ValidatingAdmissionPolicyBinding>('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', false),
      validatingwebhookconfigurations: resourceType<admissionregistrationK8sIoV1.ValidatingWebhookConfiguration>('admissionregistration.k8s.io', 'v1', 'validatingwebhookconfigurations', 'ValidatingWebhookConfiguration', false),
    },
    v1beta1: {
      mutatingadmissionpolicies: resourceType<admissionregistrationK8sIoV1beta1.MutatingAdmissionPolicy>('admissionregistration.k8s.io', 'v1beta1', 'mutatingadmissionpolicies', 'MutatingAdmissionPolicy', false),
      mutatingadmissionpolicybindings: resourceType<admissionregistrationK8sIoV1beta1.MutatingAdmissionPolicyBinding>('admissionregistration.k8s.io', 'v1beta1', 'mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding', false),
    },
    v1alpha1: {
      mutatingadmissionpolicies: resourceType<admissionregistrationK8sIoV1alpha1.MutatingAdmissionPolicy>('admissionregistration.k8s.io', 'v1alpha1', 'mutatingadmissionpolicies', 'MutatingAdmissionPolicy', false),
      mutatingadmissionpolicybindings: resourceType<admissionregistrationK8sIoV1alpha1.MutatingAdmissionPolicyBinding>('admissionregistration.k8s.io', 'v1alpha1', 'mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding', false),
    },
  },
  apiextensions: {
    v1: {
      customresourcedefinitions: resourceType<apiextensionsK8sIoV1.CustomResourceDefinition>('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition', false),
    },
  },
  scheduling: {
    v1: {
      priorityclasses: resourceType<schedulingK8sIoV1.PriorityClass>('scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', false),
    },
    v1alpha2: {
      podgroups: resourceType<schedulingK8sIoV1alpha2.PodGroup>('scheduling.k8s.io', 'v1alpha2', 'podgroups', 'PodGroup', true),
      workloads: resourceType<schedulingK8sIoV1alpha2.Workload>('scheduling.k8s.io', 'v1alpha2', 'workloads', 'Workload', true),
    },
  },
  coordination: {
    v1: {
      leases: resourceType<coordinationK8sIoV1.Lease>('coordination.k8s.io', 'v1', 'leases', 'Lease', true),
    },
    v1beta1: {
      leasecandidates: resourceType<coordinationK8sIoV1beta1.LeaseCandidate>('coordination.k8s.io', 'v1beta1', 'leasecandidates', 'LeaseCandidate', true),
    },
    v1alpha2: {
      leasecandidates: resourceType<coordinationK8sIoV1alpha2.LeaseCandidate>('coordination.k8s.io', 'v1alpha2', 'leasecandidates', 'LeaseCandidate', true),
    },
  },
  node: {
    v1: {
      runtimeclasses: resourceType<nodeK8sIoV1.RuntimeClass>('node.k8s.io', 'v1', 'runtimeclasses', 'RuntimeClass', false),
    },
  },
  discovery: {
    v1: {
      endpointslices: resourceType<discoveryK8sIoV1.EndpointSlice>('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', true),
    },
  },
  resource: {
    v1: {
      deviceclasses: resourceType<resourceK8sIoV1.DeviceClass>('resource.k8s.io', 'v1', 'deviceclasses', 'DeviceClass', false),
      resourceclaims: resourceType<resourceK8sIoV1.ResourceClaim>('resource.k8s.io', 'v1', 'resourceclaims', 'ResourceClaim', true),
      resourceclaimtemplates: resourceType<resourceK8sIoV1.ResourceClaimTemplate>('resource.k8s.io', 'v1', 'resourceclaimtemplates', 'ResourceClaimTemplate', true),
      resourceslices: resourceType<resourceK8sIoV1.ResourceSlice>('resource.k8s.io', 'v1', 'resourceslices', 'ResourceSlice', false),
    },
    v1beta2: {
      deviceclasses: resourceType<resourceK8sIoV1beta2.DeviceClass>('resource.k8s.io', 'v1beta2', 'deviceclasses', 'DeviceClass', false),
      devicetaintrules: resourceType<resourceK8sIoV1beta2.DeviceTaintRule>('resource.k8s.io', 'v1beta2', 'devicetaintrules', 'DeviceTaintRule', false),
      resourceclaims: resourceType<resourceK8sIoV1beta2.ResourceClaim>('resource.k8s.io', 'v1beta2', 'resourceclaims', 'ResourceClaim', true),
      resourceclaimtemplates: resourceType<resourceK8sIoV1beta2.ResourceClaimTemplate>('resource.k8s.io', 'v1beta2', 'resourceclaimtemplates', 'ResourceClaimTemplate', true),
      resourceslices: resourceType<resourceK8sIoV1beta2.ResourceSlice>('resource.k8s.io', 'v1beta2', 'resourceslices', 'ResourceSlice', false),
    },
    v1beta1: {
      deviceclasses: resourceType<resourceK8sIoV1beta1.DeviceClass>('resource.k8s.io', 'v1beta1', 'deviceclasses', 'DeviceClass', false),
      resourceclaims: resourceType<resourceK8sIoV1beta1.ResourceClaim>('resource.k8s.io', 'v1beta1', 'resourceclaims', 'ResourceClaim', true),
      resourceclaimtemplates: resourceType<resourceK8sIoV1beta1.ResourceClaimTemplate>('resource.k8s.io', 'v1beta1', 'resourceclaimtemplates', 'ResourceClaimTemplate', true),
      resourceslices: resourceType<resourceK8sIoV1beta1.ResourceSlice>('resource.k8s.io', 'v1beta1', 'resourceslices', 'ResourceSlice', false),
    },
    v1alpha3: {
      devicetaintrules: resourceType<resourceK8sIoV1alpha3.DeviceTaintRule>('resource.k8s.io', 'v1alpha3', 'devicetaintrules', 'DeviceTaintRule', false),
      resourcepoolstatusrequests: resourceType<resourceK8sIoV1alpha3.ResourcePoolStatusRequest>('resource.k8s.io', 'v1alpha3', 'resourcepoolstatusrequests', 'ResourcePoolStatusRequest', false),
    },
  },
  flowcontrol: {
    v1: {
      flowschemas: resourceType<flowcontrolApiserverK8sIoV1.FlowSchema>('flowcontrol.apiserver.k8s.io', 'v1', 'flowschemas', 'FlowSchema', false),
      prioritylevelconfigurations: resourceType<flowcontrolApiserverK8sIoV1.PriorityLevelConfiguration>('flowcontrol.apiserver.k8s.io', 'v1', 'prioritylevelconfigurations', 'PriorityLevelConfiguration', false),
    },
  },
  internal: {
    v1alpha1: {
      storageversions: resourceType<internalApiserverK8sIoV1alpha1.StorageVersion>('internal.apiserver.k8s.io', 'v1alpha1', 'storageversions', 'StorageVersion', false),
    },
  },
  storagemigration: {
    v1alpha1: {
      storageversionmigrations: resourceType<storagemigrationK8sIoV1alpha1.StorageVersionMigration>('storagemigration.k8s.io', 'v1alpha1', 'storageversionmigrations', 'StorageVersionMigration', false),
    },
    v1beta1: {
      storageversionmigrations: resourceType<storagemigrationK8sIoV1beta1.StorageVersionMigration>('storagemigration.k8s.io', 'v1beta1', 'storageversionmigrations', 'StorageVersionMigration', false),
    },
  },
} as const
