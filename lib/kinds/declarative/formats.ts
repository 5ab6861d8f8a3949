import {
  type Validator,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateDns1123SubdomainCaseless,
  validatePathSegmentName,
  validateQualifiedName,
} from '../../object/index.ts'

/** Checks of formats by their names in the tables; other formats are left to the kinds' own rules. */
export const formats: Readonly<Record<string, Validator>> = {
  'k8s-short-name': validateDns1123Label,
  'k8s-long-name': validateDns1123Subdomain,
  'k8s-long-name-caseless': validateDns1123SubdomainCaseless,
  'k8s-label-key': validateQualifiedName,
  'k8s-path-segment-name': validatePathSegmentName,
  'k8s-resource-pool-name': (value) => value.split('/').flatMap((part) => validateDns1123Subdomain(part)),
  'k8s-uuid': (value) =>
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)
      ? []
      : ['must be a lowercase UUID in 8-4-4-4-12 format'],
}

/** Every text of a format's errors, collected from values with all possible errors. */
export function textsOf(validate: Validator): readonly string[] {
  return [...new Set(wrong.flatMap((value) => validate(value)))]
}

const long = 'a'.repeat(1000)
const wrong = ['', '-', '.', '..', '%', '/', 'a.b', 'a/b/c', '/a', 'a/', long, `${long}/a`, `a/${long}`, '-/a', 'a/-']
