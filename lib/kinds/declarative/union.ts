import { isRecord } from '../../base/index.ts'
import { fieldErrors } from '../../object/index.ts'
import type { StructType } from '../../schema/index.ts'
import { covered } from './covered.ts'
import type { DeclaredRule } from './rule.ts'

/** The rule that exactly one, or at most one, of a struct's union fields is set. */
export function unionRule(struct: StructType): DeclaredRule | undefined {
  const marked = (marker: string): string[] =>
    struct.fields.filter(({ rules }) => rules.some((text) => text.split(' ')[0] === marker)).map(({ name }) => name)
  const isDiscriminated = struct.unions.some(({ discriminator }) => discriminator !== undefined)
  const members = marked('unionMember')
  if (members.length > 0 && !isDiscriminated) return oneOf(members, true)
  const atMostOne = marked('zeroOrOneOfMember')
  return atMostOne.length > 0 ? oneOf(atMostOne, false) : undefined
}

function oneOf(members: readonly string[], isRequired: boolean): DeclaredRule {
  const names = members.map((name) => `\`${name}\``).join(', ')
  const text = isRequired ? `must specify exactly one of: ${names}` : `must specify at most one of: ${names}`
  return {
    check: (errors, { value, old, path }) => {
      const object = isRecord(value) ? value : {}
      const set = members.filter((name) => object[name] !== undefined)
      if (set.length === 1 || (set.length === 0 && !isRequired)) return
      if (isRecord(old) && members.every((name) => (object[name] === undefined) === (old[name] === undefined))) return
      errors.push(fieldErrors.invalid(path, set.length === 0 ? '' : `{${set.join(', ')}}`, text))
    },
    covers: covered.byText([text]),
  }
}
