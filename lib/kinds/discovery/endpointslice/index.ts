import type * as discovery from '../../../../api/gen/discovery.k8s.io/v1.ts'
import { type ApiObject, deepEqual, fieldErrors, nextGeneration, semanticEqual } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { ipWarnings } from '../../meta/addresswarnings.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { sliceFromV1beta1 } from './convert.ts'
import { validateEndpointSlice } from './validate.ts'

const of = (object: ApiObject): discovery.EndpointSlice => object as discovery.EndpointSlice
const shownMax = 3

/** Topology by labels belongs to the first version; it only stays where it is stored. */
function dropTopology(object: ApiObject, old: ApiObject | undefined): void {
  if (old && of(old).endpoints?.some(({ deprecatedTopology }) => deprecatedTopology !== undefined)) return
  for (const endpoint of of(object).endpoints ?? []) delete endpoint.deprecatedTopology
}

function isChanged(object: ApiObject, old: ApiObject): boolean {
  const bare = ({ addressType, endpoints, ports }: discovery.EndpointSlice): object => ({
    addressType,
    endpoints,
    ports,
  })
  if (!semanticEqual(bare(of(object)), bare(of(old)))) return true
  return !deepEqual(object.metadata.labels ?? {}, old.metadata.labels ?? {})
}

/** `a,b,c + 2 more...` */
function shown(texts: readonly string[]): string {
  if (texts.length === 0) return '<unset>'
  const more = texts.length > shownMax ? ` + ${texts.length - shownMax} more...` : ''
  return texts.slice(0, shownMax).join(',') + more
}

const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
/** Slices of these controllers are canonical, and many. */
const controllers = new Set(['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'])

function addressWarnings(object: ApiObject): string[] {
  const { addressType, endpoints = [] } = of(object)
  if (addressType === 'FQDN' || controllers.has(object.metadata.labels?.[managedByLabel] ?? '')) return []
  return endpoints.flatMap(({ addresses = [] }, endpoint) =>
    addresses.flatMap((address, index) => ipWarnings(`endpoints[${endpoint}].addresses[${index}]`, address)),
  )
}

export const endpointSlice: KindDefinition = {
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  nameRule: nameRules.subdomain,
  convert: { v1beta1: { toHub: sliceFromV1beta1 } },
  defaults: {
    v1(object) {
      for (const port of of(object).ports ?? []) {
        port.name ??= ''
        port.protocol ??= 'TCP'
      }
    },
  },
  strategy: {
    prepareForCreate(object) {
      object.metadata.generation = 1
      dropTopology(object, undefined)
    },
    prepareForUpdate(object, old) {
      dropTopology(object, old)
      if (isChanged(object, old)) object.metadata.generation = nextGeneration(old.metadata)
    },
    validateCreate: (object, context) => validateEndpointSlice(object, undefined, context),
    validateUpdate(object, old, context) {
      const errors = validateEndpointSlice(object, old, context)
      const { addressType } = of(object)
      if (addressType !== of(old).addressType) errors.push(fieldErrors.immutable('addressType', addressType))
      return errors
    },
    warningsOnCreate: (object) => [
      ...(of(object).addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
      ...addressWarnings(object),
    ],
    warningsOnUpdate: addressWarnings,
  },
  columns: [
    nameColumn,
    textColumn('AddressType', 'Sort of the addresses.', (object) => of(object).addressType),
    textColumn('Ports', 'Ports of each endpoint.', (object) =>
      shown((of(object).ports ?? []).map(({ port, name }) => (port === undefined ? name || '*' : String(port)))),
    ),
    textColumn('Endpoints', 'Addresses of the endpoints.', (object) =>
      shown((of(object).endpoints ?? []).flatMap(({ addresses = [] }) => addresses)),
    ),
    ageColumn,
  ],
}
