import type * as coordination from '../../../../api/gen/coordination.k8s.io/v1beta1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateConfigKey,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkPresent } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'

const path = FieldPath.root('spec')
const oldestEmulation = 'OldestEmulationVersion'
const specOf = (object: ApiObject): coordination.LeaseCandidateSpec => object['spec'] as coordination.LeaseCandidateSpec

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { leaseName, binaryVersion, emulationVersion = '', strategy } = specOf(object)
  checkPresent(errors, leaseName, path.child('leaseName'))
  const binary = path.child('binaryVersion')
  if (checkPresent(errors, binaryVersion, binary)) {
    const [own, emulated] = [parseVersion(binaryVersion), parseVersion(emulationVersion)]
    const why = 'must be a valid semantic version'
    if (!own) errors.push(fieldErrors.invalid(binary, binaryVersion, why))
    if (emulationVersion !== '' && !emulated)
      errors.push(fieldErrors.invalid(path.child('emulationVersion'), emulationVersion, why))
    if (emulated && isBefore(own ?? [0n, 0n, 0n], emulated))
      errors.push(fieldErrors.invalid(binary, binaryVersion, 'must be greater than or equal to `emulationVersion`'))
  }
  if (checkPresent(errors, strategy, path.child('strategy'))) checkStrategy(errors, strategy, emulationVersion)
  return errors
}

function checkStrategy(errors: FieldError[], strategy: string, emulationVersion: string): void {
  const at = path.child('strategy').child('strategy')
  if (strategy.includes('/')) checkFormat(errors, strategy, at, validateQualifiedName)
  else if (strategy !== oldestEmulation) errors.push(fieldErrors.notSupported(at, strategy, [oldestEmulation]))
  if (strategy === oldestEmulation && !parseVersion(emulationVersion)) {
    const why = `must be specified when \`strategy\` is '${oldestEmulation}'`
    errors.push(fieldErrors.required(path.child('emulationVersion'), why))
  }
}

/** Major, minor and patch of a semantic version; pre-release and build are ignored. */
function parseVersion(text: string): readonly bigint[] | undefined {
  const match = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.exec(text)
  return match?.slice(1, 4).map(BigInt)
}

function isBefore(a: readonly bigint[], b: readonly bigint[]): boolean {
  const place = a.findIndex((part, index) => part !== b[index])
  return place >= 0 && (a[place] ?? 0n) < (b[place] ?? 0n)
}

export const leaseCandidate: KindDefinition = {
  group: 'coordination.k8s.io',
  kind: 'LeaseCandidate',
  nameRule: validateConfigKey,
  strategy: {
    validateCreate: validate,
    validateUpdate(object, old) {
      const errors = validate(object)
      const { leaseName } = specOf(object)
      if (leaseName !== specOf(old).leaseName) errors.push(fieldErrors.immutable(path.child('leaseName'), leaseName))
      return errors
    },
  },
  columns: [
    nameColumn,
    textColumn('LeaseName', 'Lease that is competed for.', (object) => specOf(object).leaseName),
    textColumn('BinaryVersion', 'Release of the candidate.', (object) => specOf(object).binaryVersion),
    textColumn(
      'EmulationVersion',
      'Release that the candidate behaves as.',
      (object) => specOf(object).emulationVersion ?? '',
    ),
    ageColumn,
  ],
}
