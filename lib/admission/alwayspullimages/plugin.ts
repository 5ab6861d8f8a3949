import type * as core from '../../../api/gen/core/v1.ts'
import { FieldPath, fieldErrors } from '../../object/index.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'

const always = 'Always'
const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const

/** Makes nodes pull every image each time, so that no pod runs a private image without the credentials to pull it. */
export function createAlwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    mutate(attributes) {
      const spec = specOf(attributes)
      if (!spec) return
      for (const list of lists) for (const container of spec[list] ?? []) container.imagePullPolicy = always
      for (const { image } of spec.volumes ?? []) if (image) image.pullPolicy = always
    },
    validate(attributes) {
      const spec = specOf(attributes)
      if (!spec) return
      for (const list of lists)
        spec[list]?.forEach(({ imagePullPolicy = '' }, index) => {
          if (imagePullPolicy === always) return
          const path = FieldPath.root('spec').child(list).index(index).child('imagePullPolicy')
          const { field, message } = fieldErrors.notSupported(path, imagePullPolicy, [always])
          throw refusal(attributes, `${field}: ${message}`)
        })
    },
  }
}

/** The spec of a pod that brings new images; undefined: nothing to do. */
function specOf(attributes: AdmissionAttributes): core.PodSpec | undefined {
  if (!concernsResource(attributes, 'pods')) return undefined
  const { spec } = attributes.object as core.Pod
  const old = attributes.oldObject as core.Pod | undefined
  if (!old) return spec
  const known = imagesOf(old.spec)
  return [...imagesOf(spec)].every((image) => known.has(image)) ? undefined : spec
}

function imagesOf(spec: core.PodSpec): Set<string> {
  return new Set(lists.flatMap((list) => (spec[list] ?? []).map(({ image = '' }) => image)))
}
