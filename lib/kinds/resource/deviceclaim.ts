import type * as v1 from '../../../api/gen/resource.k8s.io/v1.ts'
import type * as v1beta1 from '../../../api/gen/resource.k8s.io/v1beta1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../object/index.ts'
import { checkFormat, checkRequiredFormat, checkUnique } from '../check.ts'
import type { KindContext } from '../definition.ts'
import { checkFullName, checkOpaque } from './names.ts'
import { checkSelectors } from './selectors.ts'
import { checkDeviceToleration } from './taints.ts'

/** Maximum number of requests, constraints, settings, and names in one of them. */
const itemsMax = 32
const subrequestsMax = 8
const tolerationsMax = 16

/** Checks the requested devices of a claim or a template of claims. */
export function checkDeviceClaim(
  errors: FieldError[],
  claim: v1.DeviceClaim,
  path: FieldPath,
  context: KindContext,
): void {
  const { requests = [], constraints = [], config = [] } = claim
  const names = new Set<string>()
  checkCount(errors, requests, path.child('requests'))
  requests.forEach((request, index) => {
    const at = path.child('requests').index(index)
    checkRequest(errors, request, at, context)
    checkUnique(errors, names, request.name, at)
  })
  const known = requestNames(requests)
  checkCount(errors, constraints, path.child('constraints'))
  constraints.forEach((constraint, index) =>
    checkConstraint(errors, constraint, known, path.child('constraints').index(index)),
  )
  checkCount(errors, config, path.child('config'))
  config.forEach((each, index) => {
    const at = path.child('config').index(index)
    checkReferences(errors, each.requests, known, at.child('requests'))
    checkOpaque(errors, each.opaque, at.child('opaque'))
  })
}

function checkCount(errors: FieldError[], items: readonly unknown[], path: FieldPath, most = itemsMax): void {
  if (items.length > most) errors.push(fieldErrors.tooMany(path, items.length, most))
}

/** Names of requests; subrequests have both names. */
export function requestNames(requests: readonly v1.DeviceRequest[]): ReadonlySet<string> {
  return new Set(
    requests.flatMap(({ name, firstAvailable = [] }) => [name, ...firstAvailable.map((sub) => `${name}/${sub.name}`)]),
  )
}

function checkRequest(errors: FieldError[], request: v1.DeviceRequest, path: FieldPath, context: KindContext): void {
  const { name, exactly, firstAvailable = [] } = request
  checkFormat(errors, name, path.child('name'), validateDns1123Label)
  const count = (exactly ? 1 : 0) + (firstAvailable.length > 0 ? 1 : 0)
  const why = 'exactly one of `exactly` or `firstAvailable` is required'
  if (count === 0) errors.push(fieldErrors.required(path, why))
  if (count === 2) errors.push(fieldErrors.invalid(path, null, `${why}, but multiple fields are set`))
  if (exactly) checkExactRequest(errors, exactly, path.child('exactly'), context)
  const subs = path.child('firstAvailable')
  checkCount(errors, firstAvailable, subs, subrequestsMax)
  const names = new Set<string>()
  firstAvailable.forEach((sub, index) => {
    const at = subs.index(index)
    checkFormat(errors, sub.name, at.child('name'), validateDns1123Label)
    checkExactRequest(errors, sub, at, context)
    checkUnique(errors, names, sub.name, at)
  })
}

function checkExactRequest(
  errors: FieldError[],
  request: v1.ExactDeviceRequest | v1.DeviceSubRequest,
  path: FieldPath,
  context: KindContext,
): void {
  checkRequiredFormat(errors, request.deviceClassName, path.child('deviceClassName'), validateDns1123Subdomain)
  checkSelectors(errors, request.selectors, path.child('selectors'), context)
  const count = request.count ?? 0
  switch (request.allocationMode) {
    case 'All':
      if (count !== 0) {
        const why = "must not be specified when allocationMode is 'All'"
        errors.push(fieldErrors.invalid(path.child('count'), count, why))
      }
      break
    case 'ExactCount':
      if (count <= 0) errors.push(fieldErrors.invalid(path.child('count'), count, 'must be greater than zero'))
      break
    default: {
      const mode = request.allocationMode ?? ''
      errors.push(fieldErrors.notSupported(path.child('allocationMode'), mode, ['All', 'ExactCount']))
    }
  }
  const tolerations = path.child('tolerations')
  checkCount(errors, request.tolerations ?? [], tolerations, tolerationsMax)
  request.tolerations?.forEach((each, index) => checkDeviceToleration(errors, each, tolerations.index(index)))
}

function checkConstraint(
  errors: FieldError[],
  constraint: v1.DeviceConstraint,
  known: ReadonlySet<string>,
  path: FieldPath,
): void {
  checkReferences(errors, constraint.requests, known, path.child('requests'))
  const { matchAttribute, distinctAttribute } = constraint
  if ((matchAttribute === undefined) === (distinctAttribute === undefined)) {
    const why = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
    errors.push(fieldErrors.required(path, why))
  }
  if (matchAttribute !== undefined) checkFullName(errors, matchAttribute, path.child('matchAttribute'))
  if (distinctAttribute !== undefined) checkFullName(errors, distinctAttribute, path.child('distinctAttribute'))
}

function checkReferences(
  errors: FieldError[],
  names: readonly string[] | undefined,
  known: ReadonlySet<string>,
  path: FieldPath,
): void {
  if (!names) return
  checkCount(errors, names, path)
  const seen = new Set<string>()
  names.forEach((name, index) => {
    const at = path.index(index)
    for (const part of name.split('/')) checkFormat(errors, part, at, validateDns1123Label)
    if (!known.has(name)) {
      const why =
        "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
      errors.push(fieldErrors.invalid(at, name, why))
    }
    checkUnique(errors, seen, name, at)
  })
}

export function defaultDeviceClaim({ requests }: v1.DeviceClaim): void {
  for (const { exactly, firstAvailable } of requests ?? []) {
    if (exactly) defaultRequest(exactly)
    firstAvailable?.forEach(defaultRequest)
  }
}

function defaultRequest(request: v1.ExactDeviceRequest | v1.DeviceSubRequest): void {
  request.allocationMode ||= 'ExactCount'
  if (request.allocationMode === 'ExactCount') request.count ||= 1
  defaultTolerations(request)
}

/**
 * In v1beta1 a request for one kind of device has its fields at the top level, a request for alternatives has none of
 * them.
 */
export function defaultV1beta1DeviceClaim({ requests }: v1beta1.DeviceClaim): void {
  for (const request of requests ?? []) {
    if (!request.firstAvailable?.length) defaultRequest(request)
    defaultTolerations(request)
    request.firstAvailable?.forEach(defaultRequest)
  }
}

export function defaultAllocation(allocation: v1.AllocationResult | v1beta1.AllocationResult | undefined): void {
  allocation?.devices?.results?.forEach(defaultTolerations)
}

function defaultTolerations({ tolerations }: { tolerations?: v1.DeviceToleration[] }): void {
  for (const toleration of tolerations ?? []) toleration.operator ||= 'Equal'
}
