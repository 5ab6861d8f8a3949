import type { GroupResource } from '../object/index.ts'
import { emptyAmounts } from './amounts.ts'
import type { Evaluator } from './evaluator.ts'

/** `count/deployments.apps`; without a group `count/pods`. */
function objectCountName({ group, resource }: GroupResource): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`
}

/** Each object counts one, under its resource's name and `alias`. */
export function objectCounts(resource: GroupResource, alias?: string): Evaluator {
  const names = [objectCountName(resource), ...(alias === undefined ? [] : [alias])]
  const usage = Object.freeze(Object.assign(emptyAmounts(), Object.fromEntries(names.map((name) => [name, '1']))))
  return {
    resource,
    charges: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    matching: (asked) => asked.filter((name) => names.includes(name)),
    usage: () => usage,
  }
}
