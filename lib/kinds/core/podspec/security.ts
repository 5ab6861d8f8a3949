import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateDns1123Subdomain,
  validateGroupId,
  validateUserId,
} from '../../../object/index.ts'
import { checkDescendingPath, checkFormat, checkNumber, checkPresent, checkSupported } from '../../check.ts'

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']
const sysctlCharactersMax = 253
const sysctlForm = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'
const sysctlExpression = new RegExp(sysctlForm)
const localhostProfileBytesMax = 4095

/** The security context of a pod. */
export function checkPodSecurityContext(errors: FieldError[], spec: core.PodSpec, path: FieldPath): void {
  const context = spec.securityContext
  if (spec.shareProcessNamespace === true && spec.hostPID === true)
    errors.push(
      fieldErrors.invalid(
        path.child('shareProcessNamespace'),
        true,
        'ShareProcessNamespace and HostPID cannot both be enabled',
      ),
    )
  if (!context) return
  if (context.fsGroup !== undefined)
    checkNumber(errors, Number(context.fsGroup), path.child('fsGroup'), validateGroupId)
  if (context.runAsUser !== undefined)
    checkNumber(errors, Number(context.runAsUser), path.child('runAsUser'), validateUserId)
  if (context.runAsGroup !== undefined)
    checkNumber(errors, Number(context.runAsGroup), path.child('runAsGroup'), validateGroupId)
  context.supplementalGroups?.forEach((group, index) =>
    checkNumber(errors, Number(group), path.child('supplementalGroups').index(index), validateGroupId),
  )
  checkSysctls(errors, context.sysctls, spec, path.child('sysctls'))
  if (context.fsGroupChangePolicy !== undefined)
    checkSupported(errors, context.fsGroupChangePolicy, path.child('fsGroupChangePolicy'), ['Always', 'OnRootMismatch'])
  checkSeccompProfile(errors, context.seccompProfile, path.child('seccompProfile'))
  checkWindowsOptions(errors, context.windowsOptions, path.child('windowsOptions'))
  checkAppArmorProfile(errors, context.appArmorProfile, path.child('appArmorProfile'))
  if (context.supplementalGroupsPolicy !== undefined)
    checkSupported(errors, context.supplementalGroupsPolicy, path.child('supplementalGroupsPolicy'), [
      'Merge',
      'Strict',
    ])
  if (context.seLinuxChangePolicy !== undefined)
    checkSupported(errors, context.seLinuxChangePolicy, path.child('seLinuxChangePolicy'), ['MountOption', 'Recursive'])
}

/** The security context of a container. */
export function checkSecurityContext(
  errors: FieldError[],
  context: core.SecurityContext | undefined,
  options: { allowPrivileged: boolean; hostUsers: boolean },
  path: FieldPath,
): void {
  if (!context) return
  if (context.privileged === true && !options.allowPrivileged)
    errors.push(fieldErrors.forbidden(path.child('privileged'), 'disallowed by cluster policy'))
  if (context.runAsUser !== undefined)
    checkNumber(errors, Number(context.runAsUser), path.child('runAsUser'), validateUserId)
  if (context.runAsGroup !== undefined)
    checkNumber(errors, Number(context.runAsGroup), path.child('runAsGroup'), validateGroupId)
  if (context.procMount !== undefined) {
    checkSupported(errors, context.procMount, path.child('procMount'), ['Default', 'Unmasked'])
    if (options.hostUsers && context.procMount === 'Unmasked')
      errors.push(
        fieldErrors.invalid(path.child('procMount'), context.procMount, '`hostUsers` must be false to use `Unmasked`'),
      )
  }
  checkSeccompProfile(errors, context.seccompProfile, path.child('seccompProfile'))
  if (context.allowPrivilegeEscalation === false) {
    if (context.privileged === true)
      errors.push(
        fieldErrors.invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'),
      )
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN'))
      errors.push(
        fieldErrors.invalid(
          path,
          context,
          'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
        ),
      )
  }
  checkWindowsOptions(errors, context.windowsOptions, path.child('windowsOptions'))
  checkAppArmorProfile(errors, context.appArmorProfile, path.child('appArmorProfile'))
}

function checkSeccompProfile(errors: FieldError[], profile: core.SeccompProfile | undefined, path: FieldPath): void {
  if (!profile) return
  const type = path.child('type')
  if (!profile.type) errors.push(fieldErrors.required(type, 'type is required when seccompProfile is set'))
  else checkSupported(errors, profile.type, type, profileTypes)
  const localhost = path.child('localhostProfile')
  if (profile.type === 'Localhost') {
    if (profile.localhostProfile === undefined)
      errors.push(fieldErrors.required(localhost, 'must be set when seccomp type is Localhost'))
    else checkDescendingPath(errors, profile.localhostProfile, localhost)
  } else if (profile.localhostProfile !== undefined)
    errors.push(fieldErrors.invalid(localhost, shown(profile), 'can only be set when seccomp type is Localhost'))
}

/** A profile in the form of errors: the internal type's field names. */
function shown(profile: { type?: string; localhostProfile?: string }): Record<string, string> {
  return { Type: profile.type ?? '', LocalhostProfile: profile.localhostProfile ?? '' }
}

export function checkAppArmorProfile(
  errors: FieldError[],
  profile: core.AppArmorProfile | undefined,
  path: FieldPath,
): void {
  if (!profile) return
  const localhost = path.child('localhostProfile')
  if (profile.type === 'Localhost') {
    const name = profile.localhostProfile
    if (name === undefined || name.trim() === '')
      errors.push(fieldErrors.required(localhost, 'must be set when AppArmor type is Localhost'))
    else {
      if (name !== name.trim()) errors.push(fieldErrors.invalid(localhost, name, 'must not be padded with whitespace'))
      if (Buffer.byteLength(name) > localhostProfileBytesMax)
        errors.push(fieldErrors.tooLong(localhost, localhostProfileBytesMax))
    }
  } else if (profile.localhostProfile !== undefined)
    errors.push(
      fieldErrors.invalid(localhost, profile.localhostProfile, 'can only be set when AppArmor type is Localhost'),
    )
  if (!profile.type)
    errors.push(fieldErrors.required(path.child('type'), 'type is required when appArmorProfile is set'))
  else checkSupported(errors, profile.type, path.child('type'), profileTypes)
}

function checkSysctls(
  errors: FieldError[],
  sysctls: readonly core.Sysctl[] | undefined,
  spec: core.PodSpec,
  path: FieldPath,
): void {
  const names = new Set<string>()
  sysctls?.forEach(({ name }, index) => {
    const at = path.index(index).child('name')
    if (!checkPresent(errors, name, at)) return
    if (name.length > sysctlCharactersMax || !sysctlExpression.test(name)) {
      const why = `must have at most ${sysctlCharactersMax} characters and match regex ${sysctlForm}`
      errors.push(fieldErrors.invalid(at, name, why))
    } else if (names.has(name)) errors.push(fieldErrors.duplicate(at, name))
    checkHostSysctl(errors, name, spec, at)
    names.add(name)
  })
}

/** Sysctls of a namespace that the pod shares with its host are the host's. */
function checkHostSysctl(errors: FieldError[], name: string, spec: core.PodSpec, path: FieldPath): void {
  const dotted = name.replaceAll('/', '.')
  if (spec.hostNetwork === true && dotted.startsWith('net.'))
    errors.push(fieldErrors.invalid(path, name, "may not be specified when 'hostNetwork' is true"))
  if (spec.hostIPC === true && /^(kernel\.shm|kernel\.msg|kernel\.sem$|fs\.mqueue\.)/.test(dotted))
    errors.push(fieldErrors.invalid(path, name, "may not be specified when 'hostIPC' is true"))
}

function checkWindowsOptions(
  errors: FieldError[],
  options: core.WindowsSecurityContextOptions | undefined,
  path: FieldPath,
): void {
  if (!options) return
  const resource = options.gmsaCredentialSpecName
  if (resource !== undefined)
    checkFormat(errors, resource, path.child('gmsaCredentialSpecName'), validateDns1123Subdomain)
  const specification = options.gmsaCredentialSpec
  if (specification !== undefined) {
    const at = path.child('gmsaCredentialSpec')
    const bytes = Buffer.byteLength(specification)
    if (bytes === 0) errors.push(fieldErrors.invalid(at, specification, 'gmsaCredentialSpec cannot be an empty string'))
    else if (bytes > 64 * 1024)
      errors.push(fieldErrors.invalid(at, specification, 'gmsaCredentialSpec size must be under 64 KiB'))
  }
  const user = options.runAsUserName
  if (user !== undefined) checkWindowsUser(errors, user, path.child('runAsUserName'))
}

const netBiosForm = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/

/** `DOMAIN\user`, in the characters that Windows allows. */
function checkWindowsUser(errors: FieldError[], name: string, path: FieldPath): void {
  const invalid = (why: string): void => void errors.push(fieldErrors.invalid(path, name, why))
  if (name === '') return invalid('runAsUserName cannot be an empty string')
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(name)) return invalid('runAsUserName cannot contain control characters')
  const parts = name.split('\\')
  if (parts.length > 2) return invalid('runAsUserName cannot contain more than one backslash')
  const [domain, user] = parts.length === 2 ? [parts[0], parts[1]] : [undefined, parts[0]]
  if (domain !== undefined && domain.length >= 256)
    invalid("runAsUserName's Domain length must be under 256 characters")
  if (domain !== undefined && !netBiosForm.test(domain) && validateDns1123Subdomain(domain).length > 0)
    invalid("runAsUserName's Domain doesn't match the NetBios nor the DNS format")
  if (user === undefined || user === '') return invalid("runAsUserName's User cannot be empty")
  if (user.length > 104) invalid("runAsUserName's User length must not be longer than 104 characters")
  if (/^[. ]+$/.test(user)) invalid("runAsUserName's User cannot contain only periods or spaces")
  const forbidden = /["/\\:;|=,+*?<>@[\]]/
  if (forbidden.test(user)) invalid('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]')
}
