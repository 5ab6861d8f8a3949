import { quote, validateDns1123Subdomain } from '../../../object/index.ts'
import { TransformError } from '../transformer.ts'
import type { Annotations, Envelope } from './messages.ts'
import { typeKey, typeSeed } from './messages.ts'

const keyIdBytesMax = 1024
const sourceBytesMax = 1024
const annotationsBytesMax = 32 * 1024

/** `code` is the label of the metric of invalid key ids. */
export class KeyIdError extends TransformError {
  readonly code: 'empty' | 'too_long'
  constructor(code: 'empty' | 'too_long', message: string) {
    super(message)
    this.code = code
  }
}

/** Throws KeyIdError. */
export function checkKeyId(keyId: string): void {
  const size = Buffer.byteLength(keyId)
  if (size === 0) throw new KeyIdError('empty', 'keyID is empty')
  if (size > keyIdBytesMax)
    throw new KeyIdError('too_long', `keyID is ${size} bytes, which exceeds the max size of ${keyIdBytesMax}`)
}

/** Throws TransformError for an envelope that neither a key service nor a stored value may hold. */
export function checkEnvelope({ ciphertext, keyId, annotations, type }: Envelope): void {
  if (type !== typeKey && type !== typeSeed) throw new TransformError(`unknown encryptedDEKSourceType: ${type}`)
  wrapped('failed to validate encrypted DEK source', () => checkSource(ciphertext))
  wrapped('failed to validate key id', () => checkKeyId(keyId))
  wrapped('failed to validate annotations', () => checkAnnotations(annotations))
}

function checkSource({ length }: Uint8Array): void {
  if (length === 0) throw new TransformError('encrypted DEK source is empty')
  if (length > sourceBytesMax)
    throw new TransformError(`encrypted DEK source is ${length} bytes, which exceeds the max size of ${sourceBytesMax}`)
}

function checkAnnotations(annotations: Annotations): void {
  const problems: string[] = []
  let total = 0
  for (const [name, value] of Object.entries(annotations)) {
    total += Buffer.byteLength(name) + value.length
    const why = domainProblem(name)
    if (why !== undefined) problems.push(`annotations: ${why}`)
  }
  if (total > annotationsBytesMax)
    problems.push(`total size of annotations is ${total}, which exceeds the max size of ${annotationsBytesMax}`)
  if (problems.length > 0)
    throw new TransformError(problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`)
}

function domainProblem(name: string): string | undefined {
  if (name === '') return 'Required value'
  const domain = name.endsWith('.') ? name.slice(0, -1) : name
  const [why] = validateDns1123Subdomain(domain)
  if (why !== undefined) return `Invalid value: ${quote(domain)}: ${why}`
  if (!domain.includes('.'))
    return `Invalid value: ${quote(domain)}: should be a domain with at least two segments separated by dots`
  return undefined
}

function wrapped(about: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw new TransformError(`${about}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
