import type * as certificates from '../../../../api/gen/certificates.k8s.io/v1beta1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateDns1123Subdomain,
  validateSignerName,
} from '../../../object/index.ts'
import { parseCertificate, readPem } from '../../../pki/index.ts'
import { checkFormat } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { nameColumn, textColumn } from '../../meta/columns.ts'

const path = FieldPath.root('spec')
const bundleBytesMax = 1024 * 1024
const specOf = (object: ApiObject): certificates.ClusterTrustBundleSpec =>
  object['spec'] as certificates.ClusterTrustBundleSpec

/** The name of a signer's bundle begins with the signer's name, with a colon for its slash. */
function nameFindings(name: string, signerName: string): readonly string[] {
  if (signerName === '') {
    return name.includes(':')
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : validateDns1123Subdomain(name)
  }
  const prefix = `${signerName.replaceAll('/', ':')}:`
  return name.startsWith(prefix)
    ? validateDns1123Subdomain(name.slice(prefix.length))
    : [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`]
}

function validateNames(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { signerName = '' } = specOf(object)
  checkFormat(errors, object.metadata.name ?? '', FieldPath.root('metadata').child('name'), (name) =>
    nameFindings(name, signerName),
  )
  if (signerName !== '') checkFormat(errors, signerName, path.child('signerName'), validateSignerName)
  return errors
}

function checkBundle(errors: FieldError[], text: string, at: FieldPath): void {
  if (Buffer.byteLength(text) > bundleBytesMax) errors.push(fieldErrors.tooLong(at, bundleBytesMax))
  const invalid = (why: string): void => void errors.push(fieldErrors.invalid(at, '<value omitted>', why))
  const indices = new Map<string, number[]>()
  const blocks = readPem(text)
  blocks.forEach(({ type, hasHeaders, bytes }, index) => {
    if (type !== 'CERTIFICATE') return invalid(`entry ${index} has bad block type: ${type}`)
    if (hasHeaders) return invalid(`entry ${index} has PEM block headers`)
    const finding = anchorFinding(bytes)
    if (finding !== '') return invalid(`entry ${index} ${finding}`)
    const key = Buffer.from(bytes).toString('base64')
    indices.set(key, [...(indices.get(key) ?? []), index])
  })
  if (blocks.length === 0) invalid('at least one trust anchor must be provided')
  for (const repeated of indices.values())
    if (repeated.length > 1) invalid(`duplicate trust anchor (indices [${repeated.join(' ')}])`)
}

function anchorFinding(der: Uint8Array): string {
  try {
    return parseCertificate(der).ca ? '' : 'does not have the CA bit set'
  } catch {
    return 'does not parse as X.509'
  }
}

export const clusterTrustBundle: KindDefinition = {
  group: 'certificates.k8s.io',
  kind: 'ClusterTrustBundle',
  // The rule for names depends on the signer: see validateCreate.
  nameRule: () => [],
  strategy: {
    validateCreate(object) {
      const errors = validateNames(object)
      checkBundle(errors, specOf(object).trustBundle, path.child('trustBundle'))
      return errors
    },
    validateUpdate(object, old) {
      const errors = validateNames(object)
      const [now, before] = [specOf(object), specOf(old)]
      if (now.trustBundle !== before.trustBundle) checkBundle(errors, now.trustBundle, path.child('trustBundle'))
      if ((now.signerName ?? '') !== (before.signerName ?? ''))
        errors.push(fieldErrors.immutable(path.child('signerName'), now.signerName ?? ''))
      return errors
    },
  },
  selectableReads: ['spec.signerName'],
  selectableFields: { 'spec.signerName': (object) => specOf(object).signerName ?? '' },
  columns: [
    nameColumn,
    textColumn('SignerName', 'Whose trust anchors these are.', (object) => specOf(object).signerName || '<none>'),
  ],
}
