import { baselineChecks } from './baseline.ts'
import type { Check, PodShape, Run, Violation } from './check.ts'
import type { Standard } from './policy.ts'
import { restrictedChecks } from './restricted.ts'

/** The pod's violations of the standard, in the order of the message. `newest`: the minor release of `latest`. */
export function violationsOf(pod: PodShape, standard: Standard, newest: number): Violation[] {
  return runsOf(standard, newest)
    .map((run) => run(pod))
    .filter((finding) => finding !== undefined)
}

function runsOf({ level, version }: Standard, newest: number): Run[] {
  if (level === 'privileged') return []
  const minor = version === 'latest' ? newest : Math.min(version, newest)
  const active = (checks: readonly Check[]): { check: Check; run: Run }[] =>
    checks.flatMap((check) => {
      const run = check.versions.findLast(({ since }) => since <= minor)?.run
      return run ? [{ check, run }] : []
    })
  const restricted = level === 'restricted' ? active(restrictedChecks) : []
  const overridden = new Set(restricted.map(({ check }) => check.overrides))
  const baseline = active(baselineChecks).filter(({ check }) => !overridden.has(check.id))
  return [...baseline, ...restricted].map(({ run }) => run)
}

/** `host namespaces (hostNetwork=true), privileged (container "c" …)` */
export function describeFindings(findings: readonly Violation[]): string {
  return findings.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
}

/** As describeFindings, without the names of a single pod. */
export function describeReasons(findings: readonly Violation[]): string {
  return findings.map(({ reason }) => reason).join(', ')
}
