import type * as node from '../../../../api/gen/node.k8s.io/v1.ts'
import {
  type ApiObject,
  equalityKey,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateDns1123Label,
} from '../../../object/index.ts'
import { checkRequiredFormat } from '../../check.ts'
import { nodeLabelText } from '../../core/podspec/nodelabels.ts'
import { checkResourceRequirements } from '../../core/podspec/resources.ts'
import { checkTolerations, shownToleration } from '../../core/podspec/scheduling.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { checkLabels } from '../../meta/labelselector.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { runtimeClassFromV1alpha1 } from './convert.ts'

const of = (object: ApiObject): node.RuntimeClass => object as node.RuntimeClass

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { handler, overhead, scheduling } = of(object)
  checkRequiredFormat(errors, handler, FieldPath.root('handler'), validateDns1123Label)
  // The overhead is checked and reported as a container's limits.
  if (overhead) {
    const limits = { limits: overhead.podFixed ?? {} }
    checkResourceRequirements(errors, limits, new Set(), FieldPath.root('overhead'))
  }
  if (scheduling) checkScheduling(errors, scheduling, FieldPath.root('scheduling'))
  return errors
}

function checkScheduling(errors: FieldError[], scheduling: node.Scheduling, path: FieldPath): void {
  checkLabels(errors, scheduling.nodeSelector, path.child('nodeSelector'))
  const { tolerations } = scheduling
  const seen = new Set<string>()
  tolerations?.forEach((toleration, index) => {
    const at = path.child('tolerations').index(index)
    const key = equalityKey(toleration)
    if (seen.has(key)) errors.push(fieldErrors.duplicate(at, shownToleration(toleration)))
    seen.add(key)
  })
  checkTolerations(errors, tolerations, path.child('tolerations'))
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const { handler } = of(object)
  return handler === of(old).handler ? [] : [fieldErrors.immutable('handler', handler)]
}

function warnings(object: ApiObject): string[] {
  return Object.keys(of(object).scheduling?.nodeSelector ?? {}).flatMap((label) => {
    const text = nodeLabelText(label)
    return text === undefined ? [] : [`scheduling.nodeSelector: ${text}`]
  })
}

export const runtimeClass: KindDefinition = {
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  convert: { v1alpha1: { toHub: runtimeClassFromV1alpha1 } },
  nameRule: nameRules.subdomain,
  strategy: specStrategy({ hasStatus: false, validate, validateUpdate, warnings }),
  columns: [
    nameColumn,
    textColumn('Handler', 'Configuration of the container runtime.', (object) => of(object).handler),
    ageColumn,
  ],
}
