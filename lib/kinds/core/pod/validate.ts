import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateDns1123Subdomain,
  validateIp,
  validateLegacyIp,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { checkImagePadding } from '../podspec/containers.ts'
import { checkPodSpec, podSpecOptions } from '../podspec/podspec.ts'
import { checkExtendedResourceClaim, checkResourceHealth } from './devicestatus.ts'

const path = {
  spec: FieldPath.root('spec'),
  status: FieldPath.root('status'),
  annotations: FieldPath.root('metadata').child('annotations'),
}
const mirrorAnnotation = 'kubernetes.io/config.mirror'
const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost'

export const specOf = (object: ApiObject): core.PodSpec => (object['spec'] ?? {}) as core.PodSpec
export const statusOf = (object: ApiObject): core.PodStatus => (object['status'] ?? {}) as core.PodStatus

/** The rules of a pod in every state. */
export function checkPod(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  checkAnnotations(errors, object, spec)
  checkPodSpec(errors, spec, object.metadata, podSpecOptions(context), path.spec)
  if (!spec.serviceAccountName) checkNoTokens(errors, spec)
  for (const list of ['containers', 'initContainers', 'ephemeralContainers'] as const)
    checkImagePadding(errors, spec[list], path.spec.child(list))
  return errors
}

/** Without a service account there is no token to mount. */
function checkNoTokens(errors: FieldError[], spec: core.PodSpec): void {
  spec.volumes?.forEach(({ projected }, at) =>
    projected?.sources?.forEach(({ serviceAccountToken }, index) => {
      if (!serviceAccountToken) return
      const source = path.spec.child('volumes').index(at).child('projected').child('sources').index(index)
      const why = 'must not be specified when serviceAccountName is not set'
      errors.push(fieldErrors.forbidden(source.child('serviceAccountToken'), why))
    }),
  )
}

function checkAnnotations(errors: FieldError[], object: ApiObject, spec: core.PodSpec): void {
  const annotations = object.metadata.annotations ?? {}
  const mirror = annotations[mirrorAnnotation]
  if (mirror !== undefined && !spec.nodeName)
    errors.push(
      fieldErrors.invalid(
        path.annotations.key(mirrorAnnotation),
        mirror,
        'must set spec.nodeName if mirror pod annotation is set',
      ),
    )
  const cost = annotations[deletionCostAnnotation]
  if (cost !== undefined && !/^(0|-?[1-9]\d{0,9})$/.test(cost))
    errors.push(fieldErrors.invalid(path.annotations.key(deletionCostAnnotation), cost, 'must be a 32bit integer'))
}

export function validatePodCreate(object: ApiObject, context: KindContext): FieldError[] {
  const errors = checkPod(object, context)
  const spec = specOf(object)
  if (spec.ephemeralContainers?.length)
    errors.push(fieldErrors.forbidden(path.spec.child('ephemeralContainers'), 'cannot be set on create'))
  if (spec.schedulingGates?.length && spec.nodeName)
    errors.push(
      fieldErrors.forbidden(path.spec.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'),
    )
  return errors
}

/** Types of conditions that need no check. */
const ownConditions = new Set(['PodScheduled', 'Ready', 'Initialized'])

const statusLists = [
  ['containerStatuses', 'containers'],
  ['initContainerStatuses', 'initContainers'],
  ['ephemeralContainerStatuses', 'ephemeralContainers'],
] as const

/** Checks the status that the kubelet reports. */
export function validatePodStatusUpdate(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const status = statusOf(object)
  const oldStatus = statusOf(old)
  if (specOf(object).nodeName !== specOf(old).nodeName)
    errors.push(fieldErrors.forbidden(path.status.child('nodeName'), 'may not be changed directly'))
  if (status.nominatedNodeName)
    checkFormat(errors, status.nominatedNodeName, path.status.child('nominatedNodeName'), validateDns1123Subdomain)
  status.conditions?.forEach(({ type }, index) => {
    if (!ownConditions.has(type))
      checkFormat(errors, type, path.status.child('conditions').index(index).child('type'), validateQualifiedName)
  })
  checkIps(errors, status.podIPs, path.status.child('podIPs'), context)
  const [first] = status.hostIPs ?? []
  if (first && (first.ip ?? '') !== (status.hostIP ?? '')) {
    const at = path.status.child('hostIPs').index(0).child('ip')
    errors.push(fieldErrors.invalid(at, first.ip ?? '', 'must be equal to `hostIP`'))
  }
  checkIps(errors, status.hostIPs, path.status.child('hostIPs'), context)
  if (status.extendedResourceClaimStatus) {
    const at = path.status.child('extendedResourceClaimStatus')
    checkExtendedResourceClaim(errors, status.extendedResourceClaimStatus, specOf(object), at)
  }
  for (const [list, of] of statusLists)
    checkResourceHealth(errors, status[list], specOf(object)[of], path.status.child(list))
  const restarts = specOf(object).restartPolicy
  checkTransitions(
    errors,
    status.containerStatuses,
    oldStatus.containerStatuses,
    restarts,
    path.status.child('containerStatuses'),
  )
  checkInitTransitions(errors, object, old)
  checkTransitions(
    errors,
    status.ephemeralContainerStatuses,
    oldStatus.ephemeralContainerStatuses,
    'Never',
    path.status.child('ephemeralContainerStatuses'),
  )
  return errors
}

function checkIps(
  errors: FieldError[],
  addresses: readonly { ip?: string }[] | undefined,
  at: FieldPath,
  { gate }: KindContext,
): void {
  const validate = gate('StrictIPCIDRValidation') ? validateIp : validateLegacyIp
  addresses?.forEach(({ ip = '' }, index) => checkFormat(errors, ip, at.index(index), validate))
  if ((addresses?.length ?? 0) < 2) return
  const families = new Set(addresses?.map(({ ip = '' }) => ip.includes(':')))
  if ((addresses?.length ?? 0) > 2 || families.size !== 2)
    errors.push(fieldErrors.invalid(at, addresses, 'may specify no more than one IP for each IP family'))
}

/** A container that has ended, and is not to be restarted, stays ended. */
function checkTransitions(
  errors: FieldError[],
  statuses: readonly core.ContainerStatus[] | undefined,
  old: readonly core.ContainerStatus[] | undefined,
  restartPolicy: string | undefined,
  at: FieldPath,
): void {
  if (restartPolicy === 'Always') return
  const byName = Map.groupBy(statuses ?? [], ({ name }) => name)
  old?.forEach((before, index) => {
    const ended = before.state?.terminated
    if (!ended || (restartPolicy === 'OnFailure' && ended.exitCode !== 0)) return
    const now = byName.get(before.name)?.[0]
    if (now && !now.state?.terminated)
      errors.push(
        fieldErrors.forbidden(at.index(index).child('state'), 'may not be transitioned to non-terminated state'),
      )
  })
}

function checkInitTransitions(errors: FieldError[], object: ApiObject, old: ApiObject): void {
  const restartable = new Set(
    specOf(object)
      .initContainers?.filter((one) => one.restartPolicy === 'Always')
      .map(({ name }) => name),
  )
  const keep = (list: readonly core.ContainerStatus[] | undefined): core.ContainerStatus[] =>
    list?.filter(({ name }) => !restartable.has(name)) ?? []
  // An init container runs again when the pod's sandbox is created again, unless the pod never restarts anything.
  const policy = specOf(object).restartPolicy === 'Never' ? 'Never' : 'OnFailure'
  const at = path.status.child('initContainerStatuses')
  checkTransitions(
    errors,
    keep(statusOf(object).initContainerStatuses),
    keep(statusOf(old).initContainerStatuses),
    policy,
    at,
  )
}

export { path as podPaths }
