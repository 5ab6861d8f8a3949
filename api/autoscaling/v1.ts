import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const autoscalingV1: GroupVersionTable = {
  group: 'autoscaling',
  version: 'v1',
  protoPackage: 'k8s.io.api.autoscaling.v1',
  types: {
    ContainerResourceMetricSource: {
      doc: 'Usage of a resource by one container of each pod, and the target for it.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName', doc: 'Name of the resource, such as cpu.' },
        targetAverageUtilization: { n: 2, type: '*int32', format: 'int32', doc: 'Target usage, in percent of the request.' },
        targetAverageValue: { n: 3, type: '*Quantity', doc: 'Target usage a pod.' },
        container: { n: 5, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the container.' },
      },
    },
    ContainerResourceMetricStatus: {
      doc: 'Present usage of a resource by one container of each pod.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName', doc: 'Name of the resource, such as cpu.' },
        currentAverageUtilization: { n: 2, type: '*int32', format: 'int32', doc: 'Usage in percent of the request, over all pods.' },
        currentAverageValue: { n: 3, type: 'Quantity', omit: 'never', required: true, doc: 'Usage a pod.' },
        container: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the container.' },
      },
    },
    CrossVersionObjectReference: {
      doc: 'Names an object of the same namespace, whatever its version.',
      map: 'atomic',
      fields: {
        kind: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Kind of the object.' },
        name: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the object.' },
        apiVersion: { n: 3, type: 'string', doc: 'Group version of the object.' },
      },
    },
    ExternalMetricSource: {
      doc: 'A metric from outside the cluster, and the target for it.',
      fields: {
        metricName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the metric.' },
        metricSelector: { n: 2, type: '*meta/v1.LabelSelector', doc: 'Narrows the metric to a series.' },
        targetValue: { n: 3, type: '*Quantity', doc: 'Target value; excludes targetAverageValue.' },
        targetAverageValue: { n: 4, type: '*Quantity', doc: 'Target value a pod; excludes targetValue.' },
      },
    },
    ExternalMetricStatus: {
      doc: 'Present value of a metric from outside the cluster.',
      fields: {
        metricName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the metric.' },
        metricSelector: { n: 2, type: '*meta/v1.LabelSelector', doc: 'Narrows the metric to a series.' },
        currentValue: { n: 3, type: 'Quantity', omit: 'never', required: true, doc: 'Value at present.' },
        currentAverageValue: { n: 4, type: '*Quantity', doc: 'Value a pod at present.' },
      },
    },
    HorizontalPodAutoscaler: {
      doc: 'Sets the number of pods of a workload by its load.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'HorizontalPodAutoscalerSpec', required: true, doc: 'The workload and the targets.' },
        status: { n: 3, type: 'HorizontalPodAutoscalerStatus', doc: 'Present state of the autoscaler.' },
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
        targetCPUUtilizationPercentage: { n: 4, type: '*int32', format: 'int32', doc: 'Target usage of cpu, in percent of the request.' },
      },
    },
    HorizontalPodAutoscalerStatus: {
      doc: 'Present state of an autoscaler.',
      fields: {
        observedGeneration: { n: 1, type: '*int64', format: 'int64', doc: 'Newest generation of the object that its controller has acted on.' },
        lastScaleTime: { n: 2, type: '*Time', doc: 'When the number of pods was last changed.' },
        currentReplicas: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Number of pods at the last check.' },
        desiredReplicas: { n: 4, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Desired number of pods, as last calculated.' },
        currentCPUUtilizationPercentage: { n: 5, type: '*int32', format: 'int32', doc: 'Usage of cpu in percent of the request, over all pods.' },
      },
    },
    MetricSpec: {
      doc: 'A metric to scale by; the field that type names is set.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MetricSourceType', enum: ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'], doc: 'ContainerResource, External, Object, Pods or Resource.' },
        object: { n: 2, type: '*ObjectMetricSource', doc: 'A metric of one object.' },
        pods: { n: 3, type: '*PodsMetricSource', doc: 'A metric of each pod, averaged.' },
        resource: { n: 4, type: '*ResourceMetricSource', doc: 'Usage of a resource by the pods.' },
        external: { n: 5, type: '*ExternalMetricSource', doc: 'A metric from outside the cluster.' },
        containerResource: { n: 7, type: '*ContainerResourceMetricSource', doc: 'Usage of a resource by one container of each pod.' },
      },
    },
    MetricStatus: {
      doc: 'A metric as last read; the field that type names is set.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MetricSourceType', enum: ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'], doc: 'ContainerResource, External, Object, Pods or Resource.' },
        object: { n: 2, type: '*ObjectMetricStatus', doc: 'A metric of one object.' },
        pods: { n: 3, type: '*PodsMetricStatus', doc: 'A metric of each pod, averaged.' },
        resource: { n: 4, type: '*ResourceMetricStatus', doc: 'Usage of a resource by the pods.' },
        external: { n: 5, type: '*ExternalMetricStatus', doc: 'A metric from outside the cluster.' },
        containerResource: { n: 7, type: '*ContainerResourceMetricStatus', doc: 'Usage of a resource by one container of each pod.' },
      },
    },
    ObjectMetricSource: {
      doc: 'A metric of one object, and the target for it.',
      fields: {
        target: { n: 1, type: 'CrossVersionObjectReference', omit: 'never', required: true, doc: 'The object.' },
        metricName: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the metric.' },
        targetValue: { n: 3, type: 'Quantity', omit: 'never', required: true, doc: 'Target value.' },
        selector: { n: 4, type: '*meta/v1.LabelSelector', doc: 'Narrows the metric to a series.' },
        averageValue: { n: 5, type: '*Quantity', doc: 'Target value a pod.' },
      },
    },
    ObjectMetricStatus: {
      doc: 'Present value of a metric of one object.',
      fields: {
        target: { n: 1, type: 'CrossVersionObjectReference', omit: 'never', required: true, doc: 'The object.' },
        metricName: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the metric.' },
        currentValue: { n: 3, type: 'Quantity', omit: 'never', required: true, doc: 'Value at present.' },
        selector: { n: 4, type: '*meta/v1.LabelSelector', doc: 'Narrows the metric to a series.' },
        averageValue: { n: 5, type: '*Quantity', doc: 'Value a pod at present.' },
      },
    },
    PodsMetricSource: {
      doc: 'A metric of each pod, averaged, and the target for it.',
      fields: {
        metricName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the metric.' },
        targetAverageValue: { n: 2, type: 'Quantity', omit: 'never', required: true, doc: 'Target value a pod.' },
        selector: { n: 3, type: '*meta/v1.LabelSelector', doc: 'Narrows the metric to a series.' },
      },
    },
    PodsMetricStatus: {
      doc: 'Present value of a metric of each pod, averaged.',
      fields: {
        metricName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the metric.' },
        currentAverageValue: { n: 2, type: 'Quantity', omit: 'never', required: true, doc: 'Value a pod at present.' },
        selector: { n: 3, type: '*meta/v1.LabelSelector', doc: 'Narrows the metric to a series.' },
      },
    },
    ResourceMetricSource: {
      doc: 'Usage of a resource by the pods, and the target for it.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName', doc: 'Name of the resource, such as cpu.' },
        targetAverageUtilization: { n: 2, type: '*int32', format: 'int32', doc: 'Target usage, in percent of the request.' },
        targetAverageValue: { n: 3, type: '*Quantity', doc: 'Target usage a pod.' },
      },
    },
    ResourceMetricStatus: {
      doc: 'Present usage of a resource by the pods.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceName', doc: 'Name of the resource, such as cpu.' },
        currentAverageUtilization: { n: 2, type: '*int32', format: 'int32', doc: 'Usage in percent of the request, over all pods.' },
        currentAverageValue: { n: 3, type: 'Quantity', omit: 'never', required: true, doc: 'Usage a pod.' },
      },
    },
    Scale: {
      doc: 'The number of pods of a workload, separately from the rest of it.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'ScaleSpec', doc: 'How many pods there should be.' },
        status: { n: 3, type: 'ScaleStatus', doc: 'How many pods there are.' },
      },
    },
    ScaleSpec: {
      doc: 'Written by people and autoscalers.',
      fields: {
        replicas: { n: 1, type: 'int32', default: 0, format: 'int32', rules: ['optional @alpha 1.36', 'minimum=0 @alpha 1.36'], doc: 'The number.' },
      },
    },
    ScaleStatus: {
      doc: 'Read by autoscalers.',
      fields: {
        replicas: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'The number.' },
        selector: { n: 2, type: 'string', doc: 'Selects the pods, as the text of a label selector.' },
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
