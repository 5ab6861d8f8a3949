import type { FieldErrorReason } from '../../object/index.ts'
import type { DeclaredRule } from './rule.ts'

type Covers = DeclaredRule['covers']

/** How rules recognize their own errors. */
export const covered = {
  /** By the reason, if it is unambiguous. */
  byReason:
    (reason: FieldErrorReason): Covers =>
    (finding, below) =>
      below === '' && finding.reason === reason,
  /** Many rules report invalid values: each recognizes its own texts. */
  byText:
    (texts: readonly string[]): Covers =>
    ({ reason, message }, below) =>
      below === '' && reason === 'FieldValueInvalid' && texts.some((text) => message.endsWith(`: ${text}`)),
  ofItems:
    (covers: Covers): Covers =>
    (finding, below) => {
      const index = /^\[\d+\]/.exec(below)?.[0]
      return index !== undefined && covers(finding, below.slice(index.length))
    },
  ofChild:
    (name: string, covers: Covers): Covers =>
    (finding, below) =>
      below.startsWith(`.${name}`) && covers(finding, below.slice(name.length + 1)),
} as const
