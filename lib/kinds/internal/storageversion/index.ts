import type * as internal from '../../../../api/gen/internal.apiserver.k8s.io/v1alpha1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateDns1035Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkUnique } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'

const path = FieldPath.root('status')
const versionsShown = 3
const statusOf = (object: ApiObject): internal.StorageVersionStatus =>
  (object['status'] ?? {}) as internal.StorageVersionStatus

/** `group.resource`; the core group has a name here, too. */
function nameRule(name: string): readonly string[] {
  const dot = name.lastIndexOf('.')
  if (dot < 0) return ['name must be in the form of <group>.<resource>']
  return [
    ...validateDns1123Subdomain(name.slice(0, dot)).map((finding) => `the group segment ${finding}`),
    ...validateDns1035Label(name.slice(dot + 1)).map((finding) => `the resource segment ${finding}`),
  ]
}

function validateStatus(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const status = statusOf(object)
  const seen = new Set<string>()
  status.storageVersions?.forEach((version, index) => {
    const at = path.child('storageVersions').index(index)
    checkServerVersion(errors, version, at)
    checkUnique(errors, seen, version.apiServerID ?? '', at.child('apiServerID'))
  })
  checkCommonVersion(errors, status)
  checkConditions(errors, status.conditions)
  return errors
}

function checkServerVersion(errors: FieldError[], version: internal.ServerStorageVersion, at: FieldPath): void {
  const { apiServerID = '', encodingVersion = '', decodableVersions = [], servedVersions = [] } = version
  checkFormat(errors, apiServerID, at.child('apiServerID'), validateDns1123Subdomain)
  checkFormat(errors, encodingVersion, at.child('encodingVersion'), apiVersionFindings)
  decodableVersions.forEach((each, index) =>
    checkFormat(errors, each, at.child('decodableVersions').index(index), apiVersionFindings),
  )
  if (!decodableVersions.includes(encodingVersion)) {
    const why = `decodableVersions must include encodingVersion ${encodingVersion}`
    errors.push(fieldErrors.invalid(at.child('decodableVersions'), decodableVersions, why))
  }
  const decodable = new Set(decodableVersions)
  const all = decodableVersions.join(' ')
  servedVersions.forEach((each, index) => {
    const served = at.child('servedVersions').index(index)
    checkFormat(errors, each, served, apiVersionFindings)
    if (!decodable.has(each)) {
      const why = `individual served version : ${each} must be included in decodableVersions : [${all}]`
      errors.push(fieldErrors.invalid(served, each, why))
    }
  })
}

function apiVersionFindings(text: string): readonly string[] {
  const parts = text.split('/')
  const [first = '', second] = parts
  if (parts.length > 2) return ["an apiVersion must have at most one '/'"]
  const version = second ?? first
  return [
    ...(second === undefined ? [] : validateDns1123Subdomain(first).map((finding) => `group part: ${finding}`)),
    ...validateDns1035Label(version).map((finding) => `version part: ${finding}`),
  ]
}

/** Set only while all servers agree. */
function checkCommonVersion(errors: FieldError[], status: internal.StorageVersionStatus): void {
  const at = path.child('commonEncodingVersion')
  const common = status.commonEncodingVersion
  const versions = new Set(status.storageVersions?.map(({ encodingVersion }) => encodingVersion ?? ''))
  const [actual] = versions
  if (versions.size !== 1 || actual === undefined) {
    if (common === undefined) return
    const why =
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet'
    errors.push(fieldErrors.invalid(at, common, why))
  } else if (common === undefined)
    errors.push(fieldErrors.invalid(at, null, `the common encoding version is ${actual}`))
  else if (common !== actual)
    errors.push(fieldErrors.invalid(at, common, `the actual common encoding version is ${actual}`))
}

function checkConditions(errors: FieldError[], conditions: readonly internal.StorageVersionCondition[] = []): void {
  const places = new Map<string, number>()
  conditions.forEach(({ type, reason, message }, index) => {
    const at = path.child('conditions').index(index)
    const first = places.get(type) ?? index
    places.set(type, first)
    if (first < index) {
      const why = `the type of the condition is not unique, it also appears in conditions[${first}]`
      errors.push(fieldErrors.invalid(at.child('type'), type, why))
    }
    checkFormat(errors, type, at.child('type'), (text) => (text === '' ? ['must not be empty'] : []))
    checkPresent(errors, reason, at.child('reason'))
    checkPresent(errors, message, at.child('message'))
  })
}

function describe(object: ApiObject): string {
  const versions = statusOf(object).storageVersions ?? []
  if (versions.length === 0) return '<unset>'
  const texts = versions.map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`)
  const more = texts.length - versionsShown
  return texts.slice(0, versionsShown).join(',') + (more > 0 ? ` + ${more} more...` : '')
}

export const storageVersion: KindDefinition = {
  group: 'internal.apiserver.k8s.io',
  kind: 'StorageVersion',
  nameRule,
  strategy: specStrategy({
    validate: validateStatus,
    prepareForCreate(object) {
      object['status'] = {}
    },
  }),
  subresources: { status: statusStrategy(validateStatus, { keepMetadata: true }) },
  columns: [
    nameColumn,
    textColumn(
      'CommonEncodingVersion',
      'Version that all servers store.',
      (object) => statusOf(object).commonEncodingVersion ?? '<unset>',
    ),
    textColumn('StorageVersions', 'Version that each server stores.', describe),
    ageColumn,
  ],
}
