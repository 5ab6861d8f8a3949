import type { Logger, Metrics } from '../../base/index.ts'
import { type FieldError, fieldErrors } from '../../object/index.ts'
import type { StructType } from '../../schema/index.ts'
import { createDeclarativeValidation } from './validate.ts'

/**
 * Adds to a kind's own findings what its declared rules find, where they have the last word. `isDeclared`: they are all
 * there is for this kind.
 */
export type DeclarativeCheck = (
  struct: StructType,
  object: unknown,
  old: unknown,
  findings: readonly FieldError[],
  isDeclared: boolean,
) => readonly FieldError[]

/**
 * Runs the declared rules beside the kinds' own (gate DeclarativeValidation), and counts and logs what they find that the
 * kinds' own do not. With DeclarativeValidationTakeover such findings refuse the write; without it they change nothing.
 */
export function createDeclarativeCheck(
  gate: (name: string) => boolean,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Logger },
): DeclarativeCheck {
  const validate = createDeclarativeValidation(gate)
  const compares = gate('DeclarativeValidation')
  const takesOver = compares && gate('DeclarativeValidationTakeover')
  const mismatches = metrics.counter({
    name: 'apiserver_validation_declarative_validation_mismatch_total',
    help: 'Findings of declared rules that differ from those of the rules written by hand.',
    stability: 'BETA',
  })
  const failures = metrics.counter({
    name: 'apiserver_validation_declarative_validation_panic_total',
    help: 'Times that declared rules failed themselves instead of judging an object.',
    stability: 'BETA',
  })

  /** A rule that breaks is our own fault: a write fails for it only where no other rules have judged the object. */
  function judge(struct: StructType, object: unknown, old: unknown, isAlone: boolean): readonly FieldError[] {
    try {
      return validate(struct, object, old)
    } catch (error) {
      failures.add([])
      log.error('declared rules failed', { type: struct.name, error })
      return isAlone ? [fieldErrors.internal('', 'declared rules failed')] : []
    }
  }

  return (struct, object, old, findings, isDeclared) => {
    if (isDeclared) return [...findings, ...judge(struct, object, old, true)]
    if (!compares) return findings
    const missed = judge(struct, object, old, takesOver).filter(
      (declared) => !findings.some(({ field, reason }) => field === declared.field && reason === declared.reason),
    )
    for (const { field, reason } of missed) {
      mismatches.add([])
      // Values may be secret: only the place is told.
      log.warn('declared rules find what the kind’s own do not', { type: struct.name, field, reason, takesOver })
    }
    return takesOver ? [...findings, ...missed] : findings
  }
}
