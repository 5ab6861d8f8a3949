import {
  type Validator,
  validateConfigKey,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validatePathSegmentName,
  validatePathSegmentPrefix,
} from '../../object/index.ts'
import type { NameRule } from '../definition.ts'

/** The rules that kinds choose from for their names. */
export const nameRules = {
  subdomain: masked(validateDns1123Subdomain),
  label: masked(validateDns1123Label),
  label1035: masked(validateDns1035Label),
  pathSegment: (name: string, prefix: boolean) =>
    prefix ? validatePathSegmentPrefix(name) : validatePathSegmentName(name),
  configKey: (name: string) => validateConfigKey(name),
} as const satisfies Record<string, NameRule>

/**
 * A generateName may end in '-', as more follows; as in the stock server, the character before it is not checked then.
 */
function masked(validate: Validator): NameRule {
  return (name, prefix) => validate(prefix ? name.replace(/.-$/s, 'a') : name)
}
