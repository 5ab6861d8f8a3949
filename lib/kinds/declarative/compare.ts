import type { Logger, Metrics } from '../../base/index.ts'
import { type FieldError, fieldErrors } from '../../object/index.ts'
import type { StructType } from '../../schema/index.ts'
import type { Trace } from './trace.ts'
import { createDeclarativeValidation } from './validate.ts'

/** Combines a kind's own errors with those of its declared rules. `isDeclared`: this kind has declared rules only. */
export type DeclarativeCheck = (
  struct: StructType,
  object: unknown,
  old: unknown,
  findings: readonly FieldError[],
  isDeclared: boolean,
) => readonly FieldError[]

/** An object with more errors is refused without a comparison: they are much alike, and each takes time. */
const comparedMax = 1000

/**
 * Runs the declared rules in addition to the kinds' own (gate DeclarativeValidation), and counts and logs errors that
 * only one of them finds: among all errors of declared rules, and the kind's own errors that a declared rule covers.
 * With DeclarativeValidationTakeover the declared errors are returned, and of the kind's own only those that no
 * declared rule covers; without it they change nothing.
 */
export function createDeclarativeCheck(
  gate: (name: string) => boolean,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Logger },
): DeclarativeCheck {
  const { validate, covering } = createDeclarativeValidation(gate)
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

  /** Undefined when a rule throws, which is our own bug. */
  function judge(struct: StructType, object: unknown, old: unknown): readonly FieldError[] | undefined {
    try {
      return validate(struct, object, old)
    } catch (error) {
      failures.add([])
      log.error('declared rules failed', { type: struct.name, error })
      return undefined
    }
  }

  /** Values may be secret: only the path is logged. */
  function report(message: string, struct: StructType, { field, reason }: FieldError): void {
    mismatches.add([])
    log.warn(message, { type: struct.name, field, reason, takesOver })
  }

  return (struct, object, old, findings, isDeclared) => {
    if (!isDeclared && (!compares || (!takesOver && findings.length > comparedMax))) return findings
    const declared = judge(struct, object, old)
    // A rule that throws only fails the write when no other rules decide.
    if (!declared) return isDeclared || takesOver ? [...findings, failed] : findings
    if (isDeclared) return [...findings, ...declared]
    if (findings.length === 0 && declared.length === 0) return findings
    const found = new Set(findings.map(({ field, reason }) => `${reason} ${field}`))
    for (const one of declared)
      if (!found.has(`${one.reason} ${one.field}`))
        report('declared rules find what the kind’s own do not', struct, one)
    const declaredAt = Map.groupBy(declared, ({ field }) => field)
    const uncovered = findings.filter((finding) => {
      const traces = covering(struct, finding)
      const alike = declaredAt.get(finding.field)?.some((one) => isAlike(one, traces)) === true
      if (!alike && traces.length > 0) report('the kind’s own rules find what declared ones do not', struct, finding)
      return traces.length === 0
    })
    return takesOver ? [...uncovered, ...declared] : findings
  }
}

const failed = fieldErrors.internal('', 'declared rules failed')

/** True when the rule of the declared error covers another error of the same field. */
function isAlike(declared: FieldError, traces: readonly Trace[]): boolean {
  return traces.some(({ rule, below }) => rule.covers(declared, below))
}
