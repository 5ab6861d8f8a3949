import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  type FieldPath,
  fieldErrors,
  formatLabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
  validateQualifiedName,
} from '../../../object/index.ts'
import type { Column, KindContext } from '../../definition.ts'
import { textColumn } from '../../meta/columns.ts'
import { checkLabelSelector, checkLabels, isReadableSelector } from '../../meta/labelselector.ts'
import { checkPodSpec, podSpecOptions } from './podspec.ts'

/** The template of a workload's pods. */
export function checkPodTemplate(
  errors: FieldError[],
  template: core.PodTemplateSpec,
  context: KindContext,
  path: FieldPath,
): void {
  checkLabels(errors, template.metadata?.labels, path.child('labels'))
  const annotations = path.child('annotations')
  for (const key of Object.keys(template.metadata?.annotations ?? {}))
    for (const finding of validateQualifiedName(key.toLowerCase()))
      errors.push(fieldErrors.invalid(annotations, key, finding))
  const spec = path.child('spec')
  checkPodSpec(errors, template.spec, undefined, podSpecOptions(context), spec)
  if (template.spec?.ephemeralContainers?.length)
    errors.push(
      fieldErrors.forbidden(spec.child('ephemeralContainers'), 'ephemeral containers not allowed in pod template'),
    )
}

interface SelectorTexts {
  /** The error for a selector that selects everything. */
  readonly empty: string
  /** A further error for an invalid selector; undefined: none. */
  readonly invalid?: string
  /** False: a missing selector is no error. */
  readonly required?: false
}

/** Checks a workload's selector: present, valid, not empty, and matching the workload's pods. */
export function checkWorkloadSelector(
  errors: FieldError[],
  selector: LabelSelectorObject | undefined,
  template: core.PodTemplateSpec | undefined,
  texts: SelectorTexts,
  path: FieldPath,
): void {
  const at = path.child('selector')
  if (selector) {
    checkLabelSelector(errors, selector, at)
    if (!selector.matchLabels && !selector.matchExpressions?.length)
      errors.push(fieldErrors.invalid(at, selector, texts.empty))
  } else if (texts.required !== false) errors.push(fieldErrors.required(at))
  if (selector && !isReadableSelector(selector)) {
    if (texts.invalid !== undefined) errors.push(fieldErrors.invalid(at, selector, texts.invalid))
  } else if (selector && Object.keys(selector.matchLabels ?? {}).length === 0 && !selector.matchExpressions?.length)
    return
  else if (!selector || !labelSelectorFromObject(selector).matches(template?.metadata?.labels))
    errors.push(
      fieldErrors.invalid(
        path.child('template').child('metadata').child('labels'),
        template?.metadata?.labels,
        '`selector` does not match template `labels`',
      ),
    )
}

/** A workload keeps its selector: with another one its pods would be orphans. */
export function checkSelectorKept(
  now: LabelSelectorObject | undefined,
  before: LabelSelectorObject | undefined,
  path: FieldPath,
): FieldError[] {
  return deepEqual(now, before) ? [] : [fieldErrors.immutable(path.child('selector'), now)]
}

/** Workloads that keep a number of pods running always restart them, and have no deadline. */
export function checkAlwaysRestarts(
  errors: FieldError[],
  template: core.PodTemplateSpec | undefined,
  path: FieldPath,
  noun: string | undefined,
): void {
  const spec = template?.spec
  const policy = spec?.restartPolicy ?? 'Always'
  if (policy !== 'Always') errors.push(fieldErrors.notSupported(path.child('restartPolicy'), policy, ['Always']))
  if (noun !== undefined && spec?.activeDeadlineSeconds !== undefined)
    errors.push(
      fieldErrors.forbidden(path.child('activeDeadlineSeconds'), `activeDeadlineSeconds in ${noun} is not Supported`),
    )
}

/** The last columns of workloads' tables. */
export function templateColumns(
  templateOf: (object: ApiObject) => core.PodTemplateSpec | undefined,
  priority = 1,
): Column[] {
  const join = (object: ApiObject, field: 'name' | 'image'): string =>
    (templateOf(object)?.spec?.containers ?? []).map((container) => container[field] ?? '').join(',')
  return [
    textColumn('Containers', 'Names of the containers of each pod.', (object) => join(object, 'name'), priority),
    textColumn('Images', 'Images of the containers of each pod.', (object) => join(object, 'image'), priority),
  ]
}

export function selectorColumn(selectorOf: (object: ApiObject) => LabelSelectorObject | undefined): Column {
  return textColumn(
    'Selector',
    'Labels that select the pods.',
    (object) => formatLabelSelector(selectorOf(object)) || '<none>',
    1,
  )
}

/** `a=b,c=d`, sorted; `<none>` without labels. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.length === 0 ? '<none>' : entries.map(([key, value]) => `${key}=${value}`).join(',')
}
