import type * as networking from '../../../api/gen/networking.k8s.io/v1.ts'
import { concernsResource } from '../concernsresource.ts'
import { newestDefault } from '../newestdefault.ts'
import type { AdmissionPlugin } from '../plugin.ts'

interface DefaultIngressClassDependencies {
  all(signal: AbortSignal): Promise<readonly networking.IngressClass[]>
}

const defaultAnnotations = ['ingressclass.kubernetes.io/is-default-class']
/** The annotation from before ingresses had a field for their class. */
const classAnnotation = 'kubernetes.io/ingress.class'

/** Gives ingresses without a class the default one. */
export function createDefaultIngressClass(dependencies: DefaultIngressClassDependencies): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    handles: (operation) => operation === 'CREATE',
    mutate(attributes) {
      if (!concernsResource(attributes, 'ingresses', 'networking.k8s.io')) return undefined
      const ingress = attributes.object as networking.Ingress
      if (ingress.spec?.ingressClassName !== undefined) return undefined
      if (ingress.metadata.annotations?.[classAnnotation] !== undefined) return undefined
      return dependencies.all(attributes.signal).then((classes) => {
        const name = newestDefault(classes, defaultAnnotations)?.metadata.name
        if (name !== undefined) ingress.spec = { ...ingress.spec, ingressClassName: name }
      })
    },
  }
}
