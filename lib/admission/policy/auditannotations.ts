import type { AdmissionAttributes } from '../plugin.ts'

const valueBytesMax = 10 * 1024

/** The audit annotations of all bindings of one policy in one request. */
export class PolicyAuditAnnotations {
  readonly #policy: string
  readonly #values = new Map<string, Set<string>>()

  constructor(policy: string) {
    this.#policy = policy
  }

  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Set()
    this.#values.set(key, values.add(cut(value)))
  }

  publish(attributes: AdmissionAttributes): void {
    for (const [key, values] of this.#values)
      attributes.annotate(`${this.#policy}/${key}`, [...values].sort().join(', '))
  }
}

/** Cuts between characters. */
function cut(value: string): string {
  const bytes = Buffer.from(value)
  if (bytes.length <= valueBytesMax) return value
  let end = valueBytesMax
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
