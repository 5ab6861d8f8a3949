import { readCertificates } from '../../pki/index.ts'
import type { Definition } from '../definition/definition.ts'

/** Why a definition with accepted names can't be established; undefined: it can. */
export function establishingFault({ spec }: Definition): { reason: string; message: string } | undefined {
  const { strategy, webhook } = spec.conversion ?? {}
  const { caBundle = '' } = (strategy === 'Webhook' && webhook?.clientConfig) || {}
  if (caBundle === '' || holdsCertificates(Buffer.from(caBundle, 'base64').toString('latin1'))) return undefined
  return { reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' }
}

/** True for a PEM text of certificates, all of which can be parsed. */
function holdsCertificates(text: string): boolean {
  try {
    return readCertificates(text).length > 0
  } catch {
    return false
  }
}
