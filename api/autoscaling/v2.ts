import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const autoscalingV2: GroupVersionTable = {
  group: 'autoscaling',
  version: 'v2',
  protoPackage: 'k8s.io.api.autoscaling.v2',
  types: {
    ContainerResourceMetricSource: {
      doc: 'Usage of a resource by one container of each pod, and the target for it.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName', doc: 'Name of the resource, such as cpu.' },
        target: { n: 2, type: 'MetricTarget', omit: 'never', required: true, doc: 'The target.' },
        container: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the container.' },
      },
    },
    ContainerResourceMetricStatus: {
      doc: 'Present usage of a resource by one container of each pod.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName', doc: 'Name of the resource, such as cpu.' },
        current: { n: 2, type: 'MetricValueStatus', omit: 'never', required: true, doc: 'The usage.' },
        container: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the container.' },
      },
    },
    CrossVersionObjectReference: {
      doc: 'Names an object of the same namespace, whatever its version.',
      fields: {
        kind: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Kind of the object.' },
        name: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the object.' },
        apiVersion: { n: 3, type: 'string', doc: 'Group version of the object.' },
      },
    },
    ExternalMetricSource: {
      doc: 'A metric from outside the cluster, and the target for it.',
      fields: {
        metric: { n: 1, type: 'MetricIdentifier', omit: 'never', required: true, doc: 'The metric.' },
        target: { n: 2, type: 'MetricTarget', omit: 'never', required: true, doc: 'The target.' },
      },
    },
    ExternalMetricStatus: {
      doc: 'Present value of a metric from outside the cluster.',
      fields: {
        metric: { n: 1, type: 'MetricIdentifier', omit: 'never', required: true, doc: 'The metric.' },
        current: { n: 2, type: 'MetricValueStatus', omit: 'never', required: true, doc: 'Its value.' },
      },
    },
    HPAScalingPolicy: {
      doc: 'How far the number of pods may change within a time.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'HPAScalingPolicyType', doc: 'Pods for a number, Percent for a share.' },
        value: { n: 2, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'The number or share; above 0.' },
        periodSeconds: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'The time, up to 1800 seconds.' },
      },
    },
    HPAScalingRules: {
      doc: 'How fast to scale in one direction.',
      fields: {
        stabilizationWindowSeconds: { n: 3, type: '*int32', format: 'int32', doc: 'Seconds of past recommendations, of which the most moderate counts. Defaults to 0 upwards and 300 downwards.' },
        selectPolicy: { n: 1, type: '*string', alias: 'ScalingPolicySelect', doc: 'Which policy counts: the one of Max (the default) or Min change, or Disabled to never scale.' },
        policies: { n: 2, type: '[]HPAScalingPolicy', list: 'atomic', emptyDiffers: true, doc: 'How far the number may change; at least one.' },
        tolerance: { n: 4, type: '*Quantity', gate: ['HPAConfigurableTolerance'], doc: 'Tolerated deviation from the target. Defaults to that of the cluster, 10%.' },
      },
    },
    HorizontalPodAutoscaler: {
      doc: 'Sets the number of pods of a workload by its load.',
      kind: true,
      earlierVersions: ['v2beta2'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'HorizontalPodAutoscalerSpec', required: true, doc: 'The workload and the targets.' },
        status: { n: 3, type: 'HorizontalPodAutoscalerStatus', doc: 'Present state of the autoscaler.' },
      },
    },
    HorizontalPodAutoscalerBehavior: {
      doc: 'By default pods are added at once and removed after five minutes.',
      fields: {
        scaleUp: { n: 1, type: '*HPAScalingRules', doc: 'How fast to add pods.' },
        scaleDown: { n: 2, type: '*HPAScalingRules', doc: 'How fast to remove pods.' },
      },
    },
    HorizontalPodAutoscalerCondition: {
      doc: 'One aspect of an autoscaler, such as AbleToScale or ScalingLimited.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'HorizontalPodAutoscalerConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
        lastTransitionTime: { n: 3, type: 'Time', doc: 'When the status last changed from one value to another.' },
        reason: { n: 4, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
        message: { n: 5, type: 'string', doc: 'Details of the last change, for people.' },
      },
    },
    HorizontalPodAutoscalerList: {
      doc: 'A list of HorizontalPodAutoscaler objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]HorizontalPodAutoscaler', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    HorizontalPodAutoscalerSpec: {
      doc: 'Of several metrics, the one that requires most pods decides.',
      fields: {
        scaleTargetRef: { n: 1, type: 'CrossVersionObjectReference', omit: 'never', required: true, doc: 'The workload; its kind must have a scale subresource.' },
        minReplicas: { n: 2, type: '*int32', format: 'int32', rules: ['optional @alpha 1.36', 'ifEnabled(HPAScaleToZero)=minimum=0 @alpha 1.36', 'ifDisabled(HPAScaleToZero)=minimum=1 @alpha 1.36'], doc: 'Minimum number of pods. Defaults to 1.' },
        maxReplicas: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', rules: ['required @alpha 1.36', 'minimum=1 @alpha 1.36'], doc: 'Maximum number of pods; at least minReplicas.' },
        metrics: { n: 4, type: '[]MetricSpec', list: 'atomic', doc: 'Metrics to scale by; the one that requires most pods decides. Defaults to 80% of the requested cpu.' },
        behavior: { n: 5, type: '*HorizontalPodAutoscalerBehavior', doc: 'How fast to scale; unset are the defaults.' },
      },
    },
    HorizontalPodAutoscalerStatus: {
      doc: 'Present state of an autoscaler.',
      fields: {
        observedGeneration: { n: 1, type: '*int64', format: 'int64', doc: 'Newest generation of the object that its controller has acted on.' },
        lastScaleTime: { n: 2, type: '*Time', doc: 'When the number of pods was last changed.' },
        currentReplicas: { n: 3, type: 'int32', format: 'int32', doc: 'Number of pods at the last check.' },
        desiredReplicas: { n: 4, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Desired number of pods, as last calculated.' },
        currentMetrics: { n: 5, type: '[]MetricStatus', omit: 'never', list: 'atomic', doc: 'Metrics as last read.' },
        conditions: { n: 6, type: '[]HorizontalPodAutoscalerCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the autoscaler's state." },
      },
    },
    MetricIdentifier: {
      doc: 'The name and, where that is several series, a selector.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the metric.' },
        selector: { n: 2, type: '*meta/v1.LabelSelector', doc: 'Narrows the metric to a series; passed to the metrics server.' },
      },
    },
    MetricSpec: {
      doc: 'A metric to scale by; the field that type names is set.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MetricSourceType', doc: 'ContainerResource, External, Object, Pods or Resource.' },
        object: { n: 2, type: '*ObjectMetricSource', doc: 'A metric of one object.' },
        pods: { n: 3, type: '*PodsMetricSource', doc: 'A metric of each pod, averaged.' },
        resource: { n: 4, type: '*ResourceMetricSource', doc: 'Usage of a resource by the pods.' },
        containerResource: { n: 7, type: '*ContainerResourceMetricSource', doc: 'Usage of a resource by one container of each pod.' },
        external: { n: 5, type: '*ExternalMetricSource', doc: 'A metric from outside the cluster.' },
      },
    },
    MetricStatus: {
      doc: 'A metric as last read; the field that type names is set.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MetricSourceType', doc: 'ContainerResource, External, Object, Pods or Resource.' },
        object: { n: 2, type: '*ObjectMetricStatus', doc: 'A metric of one object.' },
        pods: { n: 3, type: '*PodsMetricStatus', doc: 'A metric of each pod, averaged.' },
        resource: { n: 4, type: '*ResourceMetricStatus', doc: 'Usage of a resource by the pods.' },
        containerResource: { n: 7, type: '*ContainerResourceMetricStatus', doc: 'Usage of a resource by one container of each pod.' },
        external: { n: 5, type: '*ExternalMetricStatus', doc: 'A metric from outside the cluster.' },
      },
    },
    MetricTarget: {
      doc: 'The target value.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MetricTargetType', doc: 'Utilization, Value or AverageValue.' },
        value: { n: 2, type: '*Quantity', doc: 'Value of the metric.' },
        averageValue: { n: 3, type: '*Quantity', doc: 'Value of the metric a pod.' },
        averageUtilization: { n: 4, type: '*int32', format: 'int32', doc: 'Usage in percent of the request, over all pods. Only for resources.' },
      },
    },
    MetricValueStatus: {
      doc: 'Value of a metric at present.',
      fields: {
        value: { n: 1, type: '*Quantity', doc: 'Value of the metric.' },
        averageValue: { n: 2, type: '*Quantity', doc: 'Value of the metric a pod.' },
        averageUtilization: { n: 3, type: '*int32', format: 'int32', doc: 'Usage in percent of the request, over all pods.' },
      },
    },
    ObjectMetricSource: {
      doc: 'A metric of one object, and the target for it.',
      fields: {
        describedObject: { n: 1, type: 'CrossVersionObjectReference', omit: 'never', required: true, doc: 'The object.' },
        target: { n: 2, type: 'MetricTarget', omit: 'never', required: true, doc: 'The target.' },
        metric: { n: 3, type: 'MetricIdentifier', omit: 'never', required: true, doc: 'The metric.' },
      },
    },
    ObjectMetricStatus: {
      doc: 'Present value of a metric of one object.',
      fields: {
        metric: { n: 1, type: 'MetricIdentifier', omit: 'never', required: true, doc: 'The metric.' },
        current: { n: 2, type: 'MetricValueStatus', omit: 'never', required: true, doc: 'Its value.' },
        describedObject: { n: 3, type: 'CrossVersionObjectReference', omit: 'never', required: true, doc: 'The object.' },
      },
    },
    PodsMetricSource: {
      doc: 'A metric of each pod, averaged, and the target for it.',
      fields: {
        metric: { n: 1, type: 'MetricIdentifier', omit: 'never', required: true, doc: 'The metric.' },
        target: { n: 2, type: 'MetricTarget', omit: 'never', required: true, doc: 'The target, which is an AverageValue.' },
      },
    },
    PodsMetricStatus: {
      doc: 'Present value of a metric of each pod, averaged.',
      fields: {
        metric: { n: 1, type: 'MetricIdentifier', omit: 'never', required: true, doc: 'The metric.' },
        current: { n: 2, type: 'MetricValueStatus', omit: 'never', required: true, doc: 'Its value.' },
      },
    },
    ResourceMetricSource: {
      doc: 'Usage of a resource by the pods, and the target for it.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName', doc: 'Name of the resource, such as cpu.' },
        target: { n: 2, type: 'MetricTarget', omit: 'never', required: true, doc: 'The target.' },
      },
    },
    ResourceMetricStatus: {
      doc: 'Present usage of a resource by the pods.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName', doc: 'Name of the resource, such as cpu.' },
        current: { n: 2, type: 'MetricValueStatus', omit: 'never', required: true, doc: 'The usage.' },
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
