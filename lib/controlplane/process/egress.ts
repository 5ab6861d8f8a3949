import { readFile } from 'node:fs/promises'
import type * as v1beta1 from '../../../api/gen/apiserver.k8s.io/v1beta1.ts'
import type { Clock, Metrics, Random, Tracer } from '../../base/index.ts'
import { createEgress, directEgress, type Egress, selectionProblems } from '../../egress/index.ts'
import { quote, StatusError } from '../../object/index.ts'
import { createConfigCodec } from '../configcodec.ts'
import { reasonOf, StartError } from './failure.ts'

const expected = { group: 'apiserver.k8s.io', version: 'v1beta1', kind: 'EgressSelectorConfiguration' }

interface Services {
  readonly clock: Clock
  readonly random: Random
  readonly metrics: Metrics
  readonly tracer?: Tracer | undefined
}

/**
 * The networks behind proxies by --egress-selector-config-file, which is read once, as are the files that it names.
 * Rejects with StartError.
 */
export async function openEgress(config: { readonly file: string } | undefined, services: Services): Promise<Egress> {
  if (!config) return directEgress
  try {
    const selections = await readSelections(config.file)
    const problems = selectionProblems(selections).map(({ field, message }) => `${field}: ${message}`)
    const said = problems.join(', ')
    if (said !== '')
      throw new Error(`failed to validate egress selector configuration: ${problems.length > 1 ? `[${said}]` : said}`)
    return await createEgress(selections, services).catch((cause: unknown) => {
      throw new Error(`failed to setup egress selector: ${reasonOf(cause)}`, { cause })
    })
  } catch (error) {
    throw new StartError(`--egress-selector-config-file: ${reasonOf(error)}`, { cause: error })
  }
}

async function readSelections(file: string): Promise<Egress['selections']> {
  const text = await readFile(file).catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      throw new Error(`egress-selector-config-file ${file} does not exist`, { cause })
    const about = `unable to read egress selector configuration from ${quote(file)}`
    throw new Error(`failed to read egress selector config: ${about} [${reasonOf(cause)}]`, { cause })
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
    throw new Error(`failed to read egress selector config: ${why.replaceAll('\n', ' ')}`, { cause })
  }
}
