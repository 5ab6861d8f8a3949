import type * as v1 from '../../../api/gen/apiserver.config.k8s.io/v1.ts'
import { type GroupResource, parseDurationMs, StatusError } from '../../object/index.ts'
import type { KindCodec } from '../../scheme/index.ts'
import {
  type EncryptionRules,
  formatRuleResource,
  type NamedSecret,
  type ProviderRule,
  parseResource,
} from './rules.ts'
import { validateConfiguration } from './validate.ts'

export interface ParseOptions {
  /** With reload, two configurations may be in use at once, so the names of all key services must differ. */
  readonly reload: boolean
}

const kmsTimeoutMs = 3000
const expected = { group: 'apiserver.config.k8s.io', version: 'v1', kind: 'EncryptionConfiguration' }

/** Throws an Error of one line, in the stock server's words, without any secret of the file. */
export function parseEncryptionConfiguration(
  { text, file }: { readonly text: string; readonly file: string },
  codec: KindCodec,
  options: ParseOptions,
): EncryptionRules {
  const about = `encryption provider configuration file ${JSON.stringify(file)}`
  if (text === '') throw new Error(`error while parsing file: ${about} is empty`)
  const configuration = decode(text, about, codec)
  const problems = validateConfiguration(configuration, options).map(({ field, message }) => `${field}: ${message}`)
  if (problems.length > 0)
    throw new Error(`error while parsing file: ${problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`}`)
  const rules = (configuration.resources ?? []).map(({ resources = [], providers = [] }) => ({
    resources: resources.map(parseResource),
    providers: providers.map(providerOf),
  }))
  refuseMasked(rules.flatMap(({ resources }) => resources))
  return { rules }
}

function decode(text: string, about: string, codec: KindCodec): v1.EncryptionConfiguration {
  try {
    const { object } = codec.decodeObject(Buffer.from(text), {
      mediaType: 'application/yaml',
      expected,
      fieldValidation: 'Strict',
    })
    // The kind's type describes the decoded object.
    return object as v1.EncryptionConfiguration
  } catch (error) {
    // The cause is left out: it may quote the line that failed to parse.
    const why = error instanceof StatusError ? withoutText(error.message) : String(error)
    throw new Error(`error while parsing file: error decoding ${about}: ${why.replaceAll('\n', ' ')}`)
  }
}

/** Text that is not YAML is quoted in parentheses behind the reason, and its names are in the reason. */
function withoutText(message: string): string {
  const reasonAt = message.indexOf(unrecognized)
  if (reasonAt < 0) return message
  const quoteAt = message.indexOf(' (', reasonAt + unrecognized.length)
  return (quoteAt < 0 ? message : message.slice(0, quoteAt)).replace(/'[^']*'/g, "'…'")
}

const unrecognized = `(must be of type ${expected.kind}): `

function providerOf({ aescbc, aesgcm, secretbox, kms }: v1.ProviderConfiguration): ProviderRule {
  if (aescbc) return { type: 'aescbc', keys: keysOf(aescbc) }
  if (aesgcm) return { type: 'aesgcm', keys: keysOf(aesgcm) }
  if (secretbox) return { type: 'secretbox', keys: keysOf(secretbox) }
  if (!kms) return { type: 'identity' }
  if (kms.apiVersion !== 'v2')
    throw new Error(
      'error while building transformers: KMSv1 is deprecated and is not supported by this server. Use KMSv2 instead (apiVersion: v2).',
    )
  const timeoutMs = kms.timeout === undefined ? kmsTimeoutMs : parseDurationMs(kms.timeout)
  return { type: 'kms', kms: { name: kms.name, endpoint: kms.endpoint, timeoutMs: timeoutMs ?? kmsTimeoutMs } }
}

function keysOf({ keys = [] }: { keys?: v1.Key[] }): NamedSecret[] {
  return keys.map(({ name, secret }) => ({ name, secret: Buffer.from(secret, 'base64') }))
}

/** A rule that an earlier wildcard covers would never apply. */
function refuseMasked(resources: readonly GroupResource[]): void {
  const earlier = new Set<string>()
  for (const resource of resources) {
    for (const wildcard of [
      { group: resource.group, resource: '*' },
      { group: '*', resource: '*' },
    ]) {
      if (!earlier.has(formatRuleResource(wildcard))) continue
      const [masked, rule] = [resource, wildcard].map((each) => JSON.stringify(formatRuleResource(each)))
      throw new Error(`error while building transformers: resource ${masked} is masked by earlier rule ${rule}`)
    }
    earlier.add(formatRuleResource(resource))
  }
}
