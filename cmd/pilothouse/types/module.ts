import { isRecord } from '../../../lib/base/index.ts'
import type { DefinedVersion } from './definition.ts'
import { commentOf, descriptionOf, embedsObjects, quoted, typeOfSchema } from './schematype.ts'

/** A module with the types of custom resources and their handles for clients. The same definitions make the same text. */
export function moduleOf(definitions: readonly DefinedVersion[]): string {
  const ordered = definitions.toSorted((left, right) => compare(orderOf(left), orderOf(right)))
  const names = new Names()
  const parts = ordered.map((each) => partOf(each, names))
  return `${[headOf(definitions), ...parts].join('\n\n')}\n`
}

function headOf(definitions: readonly DefinedVersion[]): string {
  const embeds = definitions.some(({ schema }) => embedsObjects(schema))
  const imported = [...(embeds ? ['type ApiObject'] : []), 'type ObjectMeta', 'resourceType']
  return `// Made by \`pilothouse types\`. Do not edit.\nimport { ${imported.join(', ')} } from 'pilothouse'`
}

/** Main versions are named first, so that their names don't depend on others. */
function orderOf({ isMain, group, plural, version }: DefinedVersion): string {
  return [isMain ? 0 : 1, group, plural, version].join(' ')
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function partOf(defined: DefinedVersion, names: Names): string {
  const { group, version, plural, kind, namespaced, isMain, schema } = defined
  const suffixes = isMain ? ['', wordsOf(group)] : [wordsOf(version), wordsOf(version) + wordsOf(group)]
  const type = names.take(wordsOf(kind), suffixes)
  const handle = names.take(lowerFirst(wordsOf(plural)), suffixes)
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {}
  const required = new Set(isRecord(schema) && Array.isArray(schema['required']) ? schema['required'] : [])
  const blocks: string[] = []
  const fields = Object.keys(properties)
    .filter((name) => !standardFields.has(name))
    .flatMap((name) => {
      const field = properties[name]
      let text = typeOfSchema(field, 1)
      if (text.startsWith('{\n') && (name === 'spec' || name === 'status')) {
        const own = names.take(`${type}${wordsOf(name)}`, [''])
        blocks.push(lines(commentOf(descriptionOf(field)), `export type ${own} = ${typeOfSchema(field)}`))
        text = own
      }
      return [...commentOf(descriptionOf(field), '  '), `  ${keyOf(name)}${required.has(name) ? '' : '?'}: ${text}`]
    })
  const isOpen = isRecord(schema) && schema['x-kubernetes-preserve-unknown-fields'] === true
  const standard = ['  apiVersion: string', '  kind: string', '  metadata: ObjectMeta']
  const body = `{\n${[...standard, ...fields].join('\n')}\n}`
  const open = isOpen || schema === undefined ? ' & { [key: string]: unknown }' : ''
  const about = descriptionOf(schema)
  return [
    lines(commentOf(about), `export type ${type} = ${body}${open}`),
    ...blocks,
    lines(
      commentOf(`For \`client.resource(${handle})\`.`),
      `export const ${handle} = resourceType<${type}>(${[group, version, plural, kind].map(quoted).join(', ')}, ${namespaced})`,
    ),
  ].join('\n\n')
}

const standardFields = new Set(['apiVersion', 'kind', 'metadata'])

function lines(comment: readonly string[], text: string): string {
  return [...comment, text].join('\n')
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

/** `gateway.networking.k8s.io` becomes `GatewayNetworkingK8sIo`. */
function wordsOf(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/** Names of the module that are taken: no two exports share one, and none is a word of the language or an import. */
class Names {
  readonly #taken = new Set(reserved)

  /** The first of the name with each suffix that is free; else with a number. */
  take(name: string, suffixes: readonly string[]): string {
    const base = /^[A-Za-z]/.test(name) ? name : `_${name}`
    const candidates = suffixes.map((suffix) => base + suffix)
    let chosen = candidates.find((candidate) => !this.#taken.has(candidate))
    for (let number = 2; chosen === undefined; number++) {
      const next = `${candidates.at(-1)}${number}`
      if (!this.#taken.has(next)) chosen = next
    }
    this.#taken.add(chosen)
    return chosen
  }
}

const reserved = [
  'ApiObject ObjectMeta resourceType arguments await break case catch class const continue debugger default delete do else enum eval',
  'export extends false finally for function if implements import in instanceof interface let new null package private',
  'protected public return static super switch this throw true try typeof undefined var void while with yield any unknown',
  'never string number boolean object symbol bigint async of Object Array String Number Boolean Record Function',
].flatMap((line) => line.split(' '))
