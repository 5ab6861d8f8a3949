import type * as core from '../../../../api/gen/core/v1.ts'
import { type ApiObject, deepEqual, type FieldError } from '../../../object/index.ts'
import type { KindContext } from '../../definition.ts'
import { checkAppArmorProfile } from '../podspec/security.ts'
import { appArmorAnnotation, appArmorText } from '../podspec/warnings.ts'
import { podPaths, specOf } from './validate.ts'

/** Copies a container's AppArmor profile from the annotations of a new pod into the field that replaced them. */
export function confineAsAnnotated(object: ApiObject, context: KindContext): void {
  const spec = specOf(object)
  if (spec.os?.name === 'windows') return
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const key = `${appArmorAnnotation}${container.name}`
    const annotation = object.metadata.annotations?.[key]
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue
    const profile = profileOf(annotation)
    // A profile of the whole pod need not be repeated.
    if (profile && deepEqual(profile, spec.securityContext?.appArmorProfile)) continue
    if (profile) (container.securityContext ??= {}).appArmorProfile = profile
    context.warn(`${podPaths.annotations.key(key).toString()}: ${appArmorText}`)
  }
}

/** Undefined for an invalid profile. */
function profileOf(annotation: string): core.AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  if (!annotation.startsWith('localhost/')) return undefined
  const profile = { type: 'Localhost', localhostProfile: annotation.slice('localhost/'.length) }
  const errors: FieldError[] = []
  checkAppArmorProfile(errors, profile, podPaths.spec)
  return errors.length === 0 ? profile : undefined
}
