import type { KindContext, Strategy } from '../kinds/index.ts'
import type { ApiObject, FieldError } from '../object/index.ts'

/** The errors of a kind's own validation. Throws TooLongHere when the context limits its work. */
export function validateKind(
  strategy: Strategy,
  object: ApiObject,
  old: ApiObject | undefined,
  context: KindContext,
): FieldError[] {
  context.work.begin()
  return (old ? strategy.validateUpdate?.(object, old, context) : strategy.validateCreate?.(object, context)) ?? []
}
