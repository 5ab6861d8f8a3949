import { runSlices } from '../base/index.ts'
import type { KindContext, Strategy } from '../kinds/index.ts'
import type { ApiObject, FieldError } from '../object/index.ts'
import type { WriteContext } from './context.ts'

/** The findings of a kind's own validation, which lets others run between its slices when it is long. */
export function validateKind(
  strategy: Strategy,
  object: ApiObject,
  old: ApiObject | undefined,
  about: KindContext,
  { breather }: WriteContext,
): FieldError[] | Promise<FieldError[]> {
  const slices = strategy.validateInSlices?.(object, old, about)
  if (slices) {
    const first = slices.next()
    if (first.done) return first.value
    return breather ? breather.runWithPauses(slices) : runSlices(slices)
  }
  return (old ? strategy.validateUpdate?.(object, old, about) : strategy.validateCreate?.(object, about)) ?? []
}
