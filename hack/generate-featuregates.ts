// Writes docs/featuregates.md, each feature gate with its stage and its effect, from the tables in lib/features. `--check`
// writes nothing and fails when something would change.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createFeatureGates, describeGate, gateTable, newestRelease, parseRelease } from '../lib/features/index.ts'

const page = join(import.meta.dirname, '../docs/featuregates.md')
const shown = `${newestRelease.major}.${newestRelease.minor}`
const newest = createFeatureGates()
const oldest = createFeatureGates({ release: parseRelease('1.33') })

const header = `<!-- Made by hack/generate-featuregates.ts from the tables in lib/features. Do not edit. -->

# Feature gates

Every gate of release ${shown}, which \`--feature-gates\` takes, with its stage there and its effect in this project. \`--emulated-version\`
chooses the defaults of an earlier release.
`

const effects: readonly (readonly [effect: string, meaning: string])[] = [
  ['works', 'the feature is there, and the gate switches it'],
  ['works in part', 'as before, without what is named'],
  ['works, and stays on', 'the feature is there; switching it off logs a warning and changes nothing'],
  ['no difference that clients see', 'the gate is about the inside of the stock programs'],
  [
    'not applicable',
    'the gate belongs to the component that is named; it is accepted, as installers give one list to all',
  ],
  [
    'not built',
    'accepted with a warning where it is on by default, refused otherwise; `kubernetes_feature_enabled` is 0',
  ],
]

function section(title: string, names: readonly string[]): string {
  const rows = names.map((name) => [`\`${name}\``, stageOf(name), oldest.gate(name) ? 'on' : '', describeGate(name)])
  return `## ${title}\n\n${table(['Gate', `Stage in ${shown}`, 'In 1.33', 'Effect'], rows)}`
}

/** The last step of its history: \`beta since 1.34\`. */
function stageOf(name: string): string {
  const [since, stage = ''] = gateTable[name as keyof typeof gateTable].at(-1)?.split(' ') ?? []
  return since === '0.0' || since === '1.0' ? stage : `${stage} since ${since}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + rows.map(line).join('')
}

const names = Object.keys(gateTable)
const text = [
  header,
  table(['Effect', 'Meaning'], effects),
  section(
    'On by default',
    names.filter((name) => newest.gate(name)),
  ),
  section(
    'Off by default',
    names.filter((name) => !newest.gate(name)),
  ),
].join('\n')

function written(): string | undefined {
  try {
    return readFileSync(page, 'utf8')
  } catch {
    return undefined
  }
}

if (!process.argv.includes('--check')) {
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, text)
} else if (written() !== text) {
  console.error('docs/featuregates.md is out of date; run node hack/generate-featuregates.ts')
  process.exit(1)
}
