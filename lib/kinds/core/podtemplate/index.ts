import type * as core from '../../../../api/gen/core/v1.ts'
import { type ApiObject, type FieldError, FieldPath, semanticEqual } from '../../../object/index.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { defaultPodSpec } from '../podspec/defaults.ts'
import { checkPodTemplate, formatLabels, templateColumns } from '../podspec/template.ts'
import { podWarnings } from '../podspec/warnings.ts'

const templateOf = (object: ApiObject): core.PodTemplateSpec => object['template'] as core.PodTemplateSpec

function validate(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  checkPodTemplate(errors, templateOf(object), context, FieldPath.root('template'))
  return errors
}

export const podTemplate: KindDefinition = {
  group: '',
  kind: 'PodTemplate',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object) {
      defaultPodSpec(templateOf(object).spec)
    },
  },
  strategy: specStrategy({
    generation: true,
    hasStatus: false,
    isChanged: (object, old) => !semanticEqual(templateOf(object).spec, templateOf(old).spec),
    validate,
    warnings: (object, context) => podWarnings(templateOf(object), context, 'template.'),
  }),
  columns: [
    nameColumn,
    ...templateColumns(templateOf, 0),
    textColumn('Pod Labels', 'Labels of the pods.', (object) => formatLabels(templateOf(object).metadata?.labels)),
  ],
}
