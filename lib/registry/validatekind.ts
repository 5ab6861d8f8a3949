import { unlimitedWork } from '../base/index.ts'
import type { KindContext, Strategy } from '../kinds/index.ts'
import type { ApiObject, FieldError } from '../object/index.ts'
import type { WriteContext } from './context.ts'

/** The errors of a kind's own validation. */
export function validateKind(
  strategy: Strategy,
  object: ApiObject,
  old: ApiObject | undefined,
  about: KindContext,
  { work = unlimitedWork }: WriteContext,
): FieldError[] {
  const slices = strategy.validateInSlices?.(object, old, about)
  if (slices) return work.run(slices)
  return (old ? strategy.validateUpdate?.(object, old, about) : strategy.validateCreate?.(object, about)) ?? []
}
