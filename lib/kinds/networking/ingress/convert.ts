import type * as v1 from '../../../../api/gen/networking.k8s.io/v1.ts'
import type * as v1beta1 from '../../../../api/gen/networking.k8s.io/v1beta1.ts'
import type { ApiObject } from '../../../object/index.ts'

/** The same ingress as v1, from networking.k8s.io/v1beta1 or extensions/v1beta1. Shares nested values with `object`. */
export function ingressFromV1beta1(object: ApiObject): ApiObject {
  const { backend, rules, ...spec } = (object['spec'] ?? {}) as v1beta1.IngressSpec
  return {
    ...object,
    spec: {
      ...spec,
      ...(backend ? { defaultBackend: backendFromV1beta1(backend) } : {}),
      ...(rules ? { rules: rules.map(ruleFromV1beta1) } : {}),
    },
  }
}

function ruleFromV1beta1({ http, ...rule }: v1beta1.IngressRule): v1.IngressRule {
  if (!http) return rule
  const paths = http.paths?.map(({ backend, pathType = 'ImplementationSpecific', ...path }) => ({
    ...path,
    pathType,
    backend: backendFromV1beta1(backend ?? {}),
  }))
  return { ...rule, http: { ...http, ...(paths ? { paths } : {}) } }
}

function backendFromV1beta1({ serviceName, servicePort, resource }: v1beta1.IngressBackend): v1.IngressBackend {
  if (resource) return { resource }
  const port = typeof servicePort === 'string' ? { name: servicePort } : { number: servicePort ?? 0 }
  return { service: { name: serviceName ?? '', port } }
}
