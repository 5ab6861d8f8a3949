import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const autoscalingV2: GroupVersionTable = {
  group: 'autoscaling',
  version: 'v2',
  protoPackage: 'k8s.io.api.autoscaling.v2',
  types: {
    ContainerResourceMetricSource: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName' },
        target: { n: 2, type: 'MetricTarget', omit: 'never', required: true },
        container: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    ContainerResourceMetricStatus: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName' },
        current: { n: 2, type: 'MetricValueStatus', omit: 'never', required: true },
        container: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    CrossVersionObjectReference: {
      fields: {
        kind: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        name: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        apiVersion: { n: 3, type: 'string' },
      },
    },
    ExternalMetricSource: {
      fields: {
        metric: { n: 1, type: 'MetricIdentifier', omit: 'never', required: true },
        target: { n: 2, type: 'MetricTarget', omit: 'never', required: true },
      },
    },
    ExternalMetricStatus: {
      fields: {
        metric: { n: 1, type: 'MetricIdentifier', omit: 'never', required: true },
        current: { n: 2, type: 'MetricValueStatus', omit: 'never', required: true },
      },
    },
    HPAScalingPolicy: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'HPAScalingPolicyType' },
        value: { n: 2, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        periodSeconds: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      },
    },
    HPAScalingRules: {
      fields: {
        stabilizationWindowSeconds: { n: 3, type: '*int32', format: 'int32' },
        selectPolicy: { n: 1, type: '*string', alias: 'ScalingPolicySelect' },
        policies: { n: 2, type: '[]HPAScalingPolicy', list: 'atomic' },
        tolerance: { n: 4, type: '*Quantity', gate: ['HPAConfigurableTolerance'] },
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
    HorizontalPodAutoscalerBehavior: {
      fields: {
        scaleUp: { n: 1, type: '*HPAScalingRules' },
        scaleDown: { n: 2, type: '*HPAScalingRules' },
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
        metrics: { n: 4, type: '[]MetricSpec', list: 'atomic' },
        behavior: { n: 5, type: '*HorizontalPodAutoscalerBehavior' },
      },
    },
    HorizontalPodAutoscalerStatus: {
      fields: {
        observedGeneration: { n: 1, type: '*int64', format: 'int64' },
        lastScaleTime: { n: 2, type: '*Time' },
        currentReplicas: { n: 3, type: 'int32', format: 'int32' },
        desiredReplicas: { n: 4, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        currentMetrics: { n: 5, type: '[]MetricStatus', omit: 'never', list: 'atomic' },
        conditions: { n: 6, type: '[]HorizontalPodAutoscalerCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      },
    },
    MetricIdentifier: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        selector: { n: 2, type: '*meta/v1.LabelSelector' },
      },
    },
    MetricSpec: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MetricSourceType' },
        object: { n: 2, type: '*ObjectMetricSource' },
        pods: { n: 3, type: '*PodsMetricSource' },
        resource: { n: 4, type: '*ResourceMetricSource' },
        containerResource: { n: 7, type: '*ContainerResourceMetricSource' },
        external: { n: 5, type: '*ExternalMetricSource' },
      },
    },
    MetricStatus: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MetricSourceType' },
        object: { n: 2, type: '*ObjectMetricStatus' },
        pods: { n: 3, type: '*PodsMetricStatus' },
        resource: { n: 4, type: '*ResourceMetricStatus' },
        containerResource: { n: 7, type: '*ContainerResourceMetricStatus' },
        external: { n: 5, type: '*ExternalMetricStatus' },
      },
    },
    MetricTarget: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MetricTargetType' },
        value: { n: 2, type: '*Quantity' },
        averageValue: { n: 3, type: '*Quantity' },
        averageUtilization: { n: 4, type: '*int32', format: 'int32' },
      },
    },
    MetricValueStatus: {
      fields: {
        value: { n: 1, type: '*Quantity' },
        averageValue: { n: 2, type: '*Quantity' },
        averageUtilization: { n: 3, type: '*int32', format: 'int32' },
      },
    },
    ObjectMetricSource: {
      fields: {
        describedObject: { n: 1, type: 'CrossVersionObjectReference', omit: 'never', required: true },
        target: { n: 2, type: 'MetricTarget', omit: 'never', required: true },
        metric: { n: 3, type: 'MetricIdentifier', omit: 'never', required: true },
      },
    },
    ObjectMetricStatus: {
      fields: {
        metric: { n: 1, type: 'MetricIdentifier', omit: 'never', required: true },
        current: { n: 2, type: 'MetricValueStatus', omit: 'never', required: true },
        describedObject: { n: 3, type: 'CrossVersionObjectReference', omit: 'never', required: true },
      },
    },
    PodsMetricSource: {
      fields: {
        metric: { n: 1, type: 'MetricIdentifier', omit: 'never', required: true },
        target: { n: 2, type: 'MetricTarget', omit: 'never', required: true },
      },
    },
    PodsMetricStatus: {
      fields: {
        metric: { n: 1, type: 'MetricIdentifier', omit: 'never', required: true },
        current: { n: 2, type: 'MetricValueStatus', omit: 'never', required: true },
      },
    },
    ResourceMetricSource: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName' },
        target: { n: 2, type: 'MetricTarget', omit: 'never', required: true },
      },
    },
    ResourceMetricStatus: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName' },
        current: { n: 2, type: 'MetricValueStatus', omit: 'never', required: true },
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
      introduced: '1.23',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['spec'] },
      subresources: {
        status: { kind: 'HorizontalPodAutoscaler', verbs: ['get', 'patch', 'update'] },
      },
    },
  },
}
