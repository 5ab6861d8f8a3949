import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { roundResources } from '../podspec/defaults.ts'
import { validateLimitRange } from './validate.ts'

/** Each limit of a container is the default of the next ones. */
function defaultItem(item: core.LimitRangeItem): void {
  for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio])
    roundResources(list)
  if (item.type !== 'Container') return
  const limit = { ...item.max, ...item.default }
  const request = { ...item.min, ...limit, ...item.defaultRequest }
  if (item.default || Object.keys(limit).length > 0) item.default = limit
  if (item.defaultRequest || Object.keys(request).length > 0) item.defaultRequest = request
}

export const limitRange: KindDefinition = {
  group: '',
  kind: 'LimitRange',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object: ApiObject) {
      for (const item of (object['spec'] as core.LimitRangeSpec | undefined)?.limits ?? []) defaultItem(item)
    },
  },
  strategy: specStrategy({
    hasStatus: false,
    validate: validateLimitRange,
    // The only kind that generates its own name.
    prepareForCreate({ metadata }, { random }) {
      metadata.name ||= random.uuid()
    },
  }),
}
