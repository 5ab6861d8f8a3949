import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const autoscalingV1: GroupVersionTable = {
  group: 'autoscaling',
  version: 'v1',
  protoPackage: 'k8s.io.api.autoscaling.v1',
  types: {
    ContainerResourceMetricSource: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName' },
        targetAverageUtilization: { n: 2, type: '*int32', format: 'int32' },
        targetAverageValue: { n: 3, type: '*Quantity' },
        container: { n: 5, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    ContainerResourceMetricStatus: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName' },
        currentAverageUtilization: { n: 2, type: '*int32', format: 'int32' },
        currentAverageValue: { n: 3, type: 'Quantity', omit: 'never', required: true },
        container: { n: 4, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    CrossVersionObjectReference: {
      map: 'atomic',
      fields: {
        kind: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        name: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        apiVersion: { n: 3, type: 'string' },
      },
    },
    ExternalMetricSource: {
      fields: {
        metricName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        metricSelector: { n: 2, type: '*meta/v1.LabelSelector' },
        targetValue: { n: 3, type: '*Quantity' },
        targetAverageValue: { n: 4, type: '*Quantity' },
      },
    },
    ExternalMetricStatus: {
      fields: {
        metricName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        metricSelector: { n: 2, type: '*meta/v1.LabelSelector' },
        currentValue: { n: 3, type: 'Quantity', omit: 'never', required: true },
        currentAverageValue: { n: 4, type: '*Quantity' },
      },
    },
    HorizontalPodAutoscaler: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'HorizontalPodAutoscalerSpec', required: true },
        status: { n: 3, type: 'HorizontalPodAutoscalerStatus' },
      },
    },
    HorizontalPodAutoscalerCondition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'HorizontalPodAutoscalerConditionType' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        lastTransitionTime: { n: 3, type: 'Time' },
        reason: { n: 4, type: 'string' },
        message: { n: 5, type: 'string' },
      },
    },
    HorizontalPodAutoscalerList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]HorizontalPodAutoscaler', omit: 'never', required: true },
      },
    },
    HorizontalPodAutoscalerSpec: {
      fields: {
        scaleTargetRef: { n: 1, type: 'CrossVersionObjectReference', omit: 'never', required: true },
        minReplicas: { n: 2, type: '*int32', format: 'int32', rules: ['optional @alpha 1.36', 'ifEnabled(HPAScaleToZero)=minimum=0 @alpha 1.36', 'ifDisabled(HPAScaleToZero)=minimum=1 @alpha 1.36'] },
        maxReplicas: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', rules: ['required @alpha 1.36', 'minimum=1 @alpha 1.36'] },
        targetCPUUtilizationPercentage: { n: 4, type: '*int32', format: 'int32' },
      },
    },
    HorizontalPodAutoscalerStatus: {
      fields: {
        observedGeneration: { n: 1, type: '*int64', format: 'int64' },
        lastScaleTime: { n: 2, type: '*Time' },
        currentReplicas: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        desiredReplicas: { n: 4, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        currentCPUUtilizationPercentage: { n: 5, type: '*int32', format: 'int32' },
      },
    },
    MetricSpec: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MetricSourceType', enum: ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'] },
        object: { n: 2, type: '*ObjectMetricSource' },
        pods: { n: 3, type: '*PodsMetricSource' },
        resource: { n: 4, type: '*ResourceMetricSource' },
        external: { n: 5, type: '*ExternalMetricSource' },
        containerResource: { n: 7, type: '*ContainerResourceMetricSource' },
      },
    },
    MetricStatus: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MetricSourceType', enum: ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'] },
        object: { n: 2, type: '*ObjectMetricStatus' },
        pods: { n: 3, type: '*PodsMetricStatus' },
        resource: { n: 4, type: '*ResourceMetricStatus' },
        external: { n: 5, type: '*ExternalMetricStatus' },
        containerResource: { n: 7, type: '*ContainerResourceMetricStatus' },
      },
    },
    ObjectMetricSource: {
      fields: {
        target: { n: 1, type: 'CrossVersionObjectReference', omit: 'never', required: true },
        metricName: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        targetValue: { n: 3, type: 'Quantity', omit: 'never', required: true },
        selector: { n: 4, type: '*meta/v1.LabelSelector' },
        averageValue: { n: 5, type: '*Quantity' },
      },
    },
    ObjectMetricStatus: {
      fields: {
        target: { n: 1, type: 'CrossVersionObjectReference', omit: 'never', required: true },
        metricName: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        currentValue: { n: 3, type: 'Quantity', omit: 'never', required: true },
        selector: { n: 4, type: '*meta/v1.LabelSelector' },
        averageValue: { n: 5, type: '*Quantity' },
      },
    },
    PodsMetricSource: {
      fields: {
        metricName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        targetAverageValue: { n: 2, type: 'Quantity', omit: 'never', required: true },
        selector: { n: 3, type: '*meta/v1.LabelSelector' },
      },
    },
    PodsMetricStatus: {
      fields: {
        metricName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        currentAverageValue: { n: 2, type: 'Quantity', omit: 'never', required: true },
        selector: { n: 3, type: '*meta/v1.LabelSelector' },
      },
    },
    ResourceMetricSource: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName' },
        targetAverageUtilization: { n: 2, type: '*int32', format: 'int32' },
        targetAverageValue: { n: 3, type: '*Quantity' },
      },
    },
    ResourceMetricStatus: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName' },
        currentAverageUtilization: { n: 2, type: '*int32', format: 'int32' },
        currentAverageValue: { n: 3, type: 'Quantity', omit: 'never', required: true },
      },
    },
    Scale: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ScaleSpec' },
        status: { n: 3, type: 'ScaleStatus' },
      },
    },
    ScaleSpec: {
      fields: {
        replicas: { n: 1, type: 'int32', default: 0, format: 'int32', rules: ['optional @alpha 1.36', 'minimum=0 @alpha 1.36'] },
      },
    },
    ScaleStatus: {
      fields: {
        replicas: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        selector: { n: 2, type: 'string' },
      },
    },
  },
  resources: {
    horizontalpodautoscalers: {
      kind: 'HorizontalPodAutoscaler',
      singular: 'horizontalpodautoscaler',
      listKind: 'HorizontalPodAutoscalerList',
      namespaced: true,
      shortNames: ['hpa'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v2',
      storagePrefix: 'horizontalpodautoscalers',
      storageVersionHash: 'qwQve8ut294=',
      introduced: '1.2',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['spec'] },
      subresources: {
        status: { kind: 'HorizontalPodAutoscaler', verbs: ['get', 'patch', 'update'] },
      },
    },
  },
}
