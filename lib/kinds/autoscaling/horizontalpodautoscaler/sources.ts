import type * as v2 from '../../../../api/gen/autoscaling/v2.ts'
import {
  compareQuantities,
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateDns1123Label,
  validatePathSegmentName,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkRequiredFormat } from '../../check.ts'
import { checkContainerResourceName, isHugePages } from '../../core/podspec/resources.ts'

/** The field of a metric's source, by metric type. */
export const metricSources = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
} as const

type Source = (typeof metricSources)[keyof typeof metricSources]

export function checkMetricSource(errors: FieldError[], metric: v2.MetricSpec, source: Source, at: FieldPath): void {
  switch (source) {
    case 'object':
      if (metric.object) checkObject(errors, metric.object, at)
      return
    case 'pods':
      if (metric.pods) checkPods(errors, metric.pods, at)
      return
    case 'external':
      if (metric.external) checkExternal(errors, metric.external, at)
      return
    case 'resource':
      if (metric.resource) checkResource(errors, metric.resource, at)
      return
    case 'containerResource':
      if (metric.containerResource) checkContainerResource(errors, metric.containerResource, at)
      return
  }
}

function checkObject(errors: FieldError[], source: v2.ObjectMetricSource, at: FieldPath): void {
  checkReference(errors, source.describedObject, at.child('describedObject'))
  checkMetricName(errors, source.metric, at.child('metric'))
  const target = at.child('target')
  checkTarget(errors, source.target, target)
  if (source.target.value === undefined && source.target.averageValue === undefined) {
    const why = 'must set either a target value or averageValue'
    errors.push(fieldErrors.required(target.child('averageValue'), why))
  }
}

export function checkReference(errors: FieldError[], reference: v2.CrossVersionObjectReference, at: FieldPath): void {
  checkRequiredFormat(errors, reference.kind, at.child('kind'), validatePathSegmentName)
  checkRequiredFormat(errors, reference.name, at.child('name'), validatePathSegmentName)
}

function checkExternal(errors: FieldError[], source: v2.ExternalMetricSource, at: FieldPath): void {
  checkMetricName(errors, source.metric, at.child('metric'))
  const target = at.child('target')
  checkTarget(errors, source.target, target)
  const { value, averageValue } = source.target
  if (value === undefined && averageValue === undefined) {
    const why = 'must set either a target value for metric or a per-pod target'
    errors.push(fieldErrors.required(target.child('averageValue'), why))
  }
  if (value !== undefined && averageValue !== undefined) {
    const why = 'may not set both a target value for metric and a per-pod target'
    errors.push(fieldErrors.forbidden(target.child('value'), why))
  }
}

function checkPods(errors: FieldError[], source: v2.PodsMetricSource, at: FieldPath): void {
  checkMetricName(errors, source.metric, at.child('metric'))
  const target = at.child('target')
  checkTarget(errors, source.target, target)
  if (source.target.averageValue === undefined || !isPositive(source.target.averageValue))
    errors.push(fieldErrors.required(target.child('averageValue'), 'must specify a positive target averageValue'))
}

function checkResource(errors: FieldError[], source: v2.ResourceMetricSource, at: FieldPath): void {
  checkPresent(errors, source.name, at.child('name'), 'must specify a resource name')
  checkTarget(errors, source.target, at.child('target'))
  checkUsage(errors, source.target, at.child('target'))
}

function checkContainerResource(errors: FieldError[], source: v2.ContainerResourceMetricSource, at: FieldPath): void {
  const name = at.child('name')
  if (checkPresent(errors, source.name, name, 'must specify a resource name')) {
    const before = errors.length
    const isUnknown = !/^(cpu|memory|storage|ephemeral-storage)$/.test(source.name) && !isHugePages(source.name)
    checkContainerResourceName(errors, source.name, name)
    if (isUnknown && !source.name.includes('/') && errors.length === before + 1) {
      const why = 'must be a standard resource type or fully qualified'
      errors.splice(before, 0, fieldErrors.invalid(name, source.name, why))
    }
  }
  if (checkPresent(errors, source.container, at.child('container'), 'must specify a container'))
    checkFormat(errors, source.container, at.child('container'), validateDns1123Label)
  checkTarget(errors, source.target, at.child('target'))
  checkUsage(errors, source.target, at.child('target'))
}

function checkUsage(errors: FieldError[], target: v2.MetricTarget, at: FieldPath): void {
  const { averageUtilization, averageValue } = target
  if (averageUtilization === undefined && averageValue === undefined) {
    const why = 'must set either a target raw value or a target utilization'
    errors.push(fieldErrors.required(at.child('averageUtilization'), why))
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const why = 'may not set both a target raw value and a target utilization'
    errors.push(fieldErrors.forbidden(at.child('averageValue'), why))
  }
}

function checkTarget(errors: FieldError[], target: v2.MetricTarget, at: FieldPath): void {
  const { type, value, averageValue, averageUtilization } = target
  checkPresent(errors, type, at.child('type'), 'must specify a metric target type')
  if (type !== 'Utilization' && type !== 'Value' && type !== 'AverageValue')
    errors.push(fieldErrors.invalid(at.child('type'), type, 'must be either Utilization, Value, or AverageValue'))
  if (value !== undefined && !isPositive(value))
    errors.push(fieldErrors.invalid(at.child('value'), value, 'must be positive'))
  if (averageValue !== undefined && !isPositive(averageValue))
    errors.push(fieldErrors.invalid(at.child('averageValue'), averageValue, 'must be positive'))
  if (averageUtilization !== undefined && averageUtilization < 1)
    errors.push(fieldErrors.invalid(at.child('averageUtilization'), averageUtilization, 'must be greater than 0'))
}

function checkMetricName(errors: FieldError[], metric: v2.MetricIdentifier, at: FieldPath): void {
  const name = at.child('name')
  if (metric.name === '') errors.push(fieldErrors.required(name, 'must specify a metric name'))
  else checkRequiredFormat(errors, metric.name, name, validatePathSegmentName)
}

const isPositive = (quantity: string): boolean => compareQuantities(quantity, '0') > 0
