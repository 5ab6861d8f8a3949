import { appendAll } from '../base/index.ts'
import type { Authorizer, NonResourceRule, ResourceRule, RuleResolver } from './authorizer.ts'

/** All rules that the authorizers can list; those that can't make the answer incomplete. */
export function createRuleResolver(members: () => readonly (Authorizer & Partial<RuleResolver>)[]): RuleResolver {
  return {
    async rulesFor(user, namespace, context) {
      const resourceRules: ResourceRule[] = []
      const nonResourceRules: NonResourceRule[] = []
      const errors: string[] = []
      let incomplete = false
      for (const member of members()) {
        const found = await member.rulesFor?.(user, namespace, context)
        if (found === undefined) {
          incomplete = true
          // Only webhooks can't list rules, and clients know this text.
          errors.push('webhook authorizer does not support user rule resolution')
          continue
        }
        appendAll(resourceRules, found.resourceRules)
        appendAll(nonResourceRules, found.nonResourceRules)
        appendAll(errors, found.errors)
        incomplete ||= found.incomplete
      }
      return { resourceRules, nonResourceRules, incomplete, errors }
    },
  }
}
