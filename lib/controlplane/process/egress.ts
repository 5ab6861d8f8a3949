import { readFile } from 'node:fs/promises'
import type * as v1beta1 from '../../../api/gen/apiserver.k8s.io/v1beta1.ts'
import { type FieldError, fieldErrors, quote, StatusError } from '../../object/index.ts'
import { createConfigCodec } from '../configcodec.ts'
import { reasonOf, StartError } from './failure.ts'

type Selections = NonNullable<v1beta1.EgressSelectorConfiguration['egressSelections']>

const expected = { group: 'apiserver.k8s.io', version: 'v1beta1', kind: 'EgressSelectorConfiguration' }
const names = ['cluster', 'controlplane', 'etcd']
const protocols = ['Direct', 'GRPC', 'HTTPConnect']

/**
 * Checks --egress-selector-config-file. Connections are made directly, which a file may request; one that requests a
 * proxy is refused, as bypassing a proxy would violate what the operator relies on. Rejects with StartError.
 */
export async function checkEgressSelections(file: string): Promise<void> {
  try {
    const selections = await readSelections(file)
    const problems = [...connectionProblems(selections), ...nameProblems(selections)]
    const said = problems.map(({ field, message }) => `${field}: ${message}`).join(', ')
    if (said !== '')
      throw new Error(`failed to validate egress selector configuration: ${problems.length > 1 ? `[${said}]` : said}`)
    for (const { name, connection } of selections)
      if (connection.proxyProtocol !== 'Direct')
        throw new Error(
          `connections to ${quote(name)} are to go by ${connection.proxyProtocol}: this server makes direct connections only`,
        )
  } catch (error) {
    throw new StartError(`--egress-selector-config-file: ${reasonOf(error)}`, { cause: error })
  }
}

async function readSelections(file: string): Promise<Selections> {
  const text = await readFile(file).catch((cause: unknown) => {
    const why = reasonOf(cause)
    throw new Error(`unable to read egress selector configuration from ${quote(file)}: ${why}`, { cause })
  })
  try {
    const { object } = createConfigCodec().decodeObject(text, {
      mediaType: 'application/yaml',
      expected,
      fieldValidation: 'Strict',
    })
    // The kind's type describes the decoded object.
    return (object as v1beta1.EgressSelectorConfiguration).egressSelections ?? []
  } catch (cause) {
    const why = cause instanceof StatusError ? cause.message : reasonOf(cause)
    throw new Error(`unable to decode egress selector configuration data: ${why.replaceAll('\n', ' ')}`, { cause })
  }
}

function connectionProblems(selections: Selections): FieldError[] {
  return selections.flatMap(({ connection: { proxyProtocol = '', transport } }) => {
    if (!protocols.includes(proxyProtocol))
      return [fieldErrors.notSupported('service.connection.protocol', proxyProtocol, protocols)]
    if (proxyProtocol === 'Direct')
      return transport
        ? [fieldErrors.invalid('service.connection.transport', 'direct', 'config must be absent for direct connect')]
        : []
    if (!transport)
      return [fieldErrors.required('service.connection.transport', `transport must be set for ${proxyProtocol}`)]
    return []
  })
}

function nameProblems(selections: Selections): FieldError[] {
  const seen = new Set<string>()
  return selections.flatMap(({ name }, index) => {
    const canonical = name.toLowerCase()
    if (seen.has(canonical)) return [fieldErrors.duplicate(`service.connection[${index}]`, canonical)]
    seen.add(canonical)
    return names.includes(canonical) ? [] : [fieldErrors.notSupported('service.connection', canonical, names)]
  })
}
