// Writes docs/flags.md, the flags of every program, from the tables by which the programs parse their command lines.
// `--check` writes nothing and fails when something would change.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiserverFlags } from '../cmd/apiserver/flags.ts'
import { managerFlags } from '../cmd/controller-manager/flags.ts'
import { convertFlags, kubeconfigFlags, nodesFlags, upFlags } from '../cmd/pilothouse/flags.ts'
import * as pki from '../cmd/pilothouse/pki/flags.ts'
import { recordFlags, replayFlags } from '../cmd/pilothouse/recording/flags.ts'
import * as store from '../cmd/pilothouse/store/flags.ts'
import { typesFlags } from '../cmd/pilothouse/types/flags.ts'
import { schedulerFlags } from '../cmd/scheduler/flags.ts'
import type { Flag } from '../lib/flags/index.ts'

type Groups = Readonly<Record<string, Readonly<Record<string, Flag<unknown>>>>>

const page = join(import.meta.dirname, '../docs/flags.md')

const header = `<!-- Made by hack/generate-flags.ts from the flag tables in cmd/. Do not edit. -->

# Flags

Every flag that each program takes, with its default. A flag is written \`--name=value\` or \`--name value\`; flags without a value type
are true when they are given alone. Programs also print their flags with \`--help\`.

"No effect" means: the flag is accepted, as the stock program has it, and a value other than the default logs a warning.
`

const programs: readonly (readonly [title: string, about: string, flags: Groups])[] = [
  ['pilothouse-apiserver', 'The API server alone.', apiserverFlags],
  ['pilothouse-controller-manager', 'The controllers alone.', managerFlags],
  ['pilothouse-scheduler', 'The scheduler alone.', schedulerFlags],
  [
    'pilothouse up',
    'API server and controllers in one process. It takes the flags of pilothouse-apiserver; these differ, or are added.',
    differing(upFlags, apiserverFlags),
  ],
  ['pilothouse kubeconfig', 'Prints the kubeconfig of a control plane that `up` started.', kubeconfigFlags],
  ['pilothouse nodes', 'Lists nodes without machines, and lets them fail and recover.', nodesFlags],
  ['pilothouse convert', 'Converts objects between versions and formats.', convertFlags],
  ['pilothouse record', 'Writes the requests of a client to a file.', recordFlags],
  ['pilothouse replay', 'Plays such a file to a control plane.', replayFlags],
  ['pilothouse types', 'Writes TypeScript types of custom resources.', typesFlags],
  ['pilothouse pki init', 'Makes certificates.', pki.pkiInitFlags],
  ['pilothouse pki renew', 'Renews certificates.', pki.pkiRenewFlags],
  ['pilothouse pki show', 'Lists certificates.', pki.pkiShowFlags],
  ['pilothouse store status', 'Also the flags of `pilothouse store members`.', store.statusFlags],
  ['pilothouse store check', 'Reads every object.', store.checkFlags],
  ['pilothouse store get', 'Prints the value of a key.', store.getFlags],
  ['pilothouse store list', 'Lists keys.', store.listFlags],
  ['pilothouse store history', 'Prints the writes of a key.', store.historyFlags],
  ['pilothouse store compact', 'Drops old revisions.', store.compactFlags],
  ['pilothouse store defragment', 'Gives free space back.', store.defragmentFlags],
  ['pilothouse store snapshot', 'Writes a store to a file.', store.snapshotFlags],
  ['pilothouse store restore', 'Fills an empty store from such a file.', store.restoreFlags],
  ['pilothouse store migrate', 'Copies a store into an empty one of the other kind.', store.migrateFlags],
]

/** The flags of `own` that `base` doesn't have in the same group with the same meaning. */
function differing(own: Groups, base: Groups): Groups {
  const groups = Object.entries(own).map(([title, flags]) => {
    const others = Object.entries(flags).filter(([name, flag]) => base[title]?.[name] !== flag)
    return [title, Object.fromEntries(others)] as const
  })
  return Object.fromEntries(groups.filter(([, flags]) => Object.keys(flags).length > 0))
}

function section(title: string, about: string, groups: Groups): string {
  const parts = Object.entries(groups).map(([group, flags]) => {
    const shown = Object.entries(flags).filter(([, flag]) => !flag.hidden)
    const head = group === 'Flags' ? '' : `### ${title}: ${group.toLowerCase()}\n\n`
    const rows = shown.map(([name, flag]) => row(name, flag))
    return `${head}| Flag | Value | Default | Meaning |\n| --- | --- | --- | --- |\n${rows.join('')}`
  })
  return `## ${title}\n\n${about}\n\n${parts.join('\n')}`
}

function row(name: string, flag: Flag<unknown>): string {
  const short = flag.short === undefined || flag.short === name ? '' : `, \`-${flag.short}\``
  const head = name.length === 1 ? `\`-${name}\`, \`--${name}\`` : `\`--${name}\`${short}`
  const shown = flag.show(flag.initial)
  const meaning = [
    flag.help,
    flag.deprecated === undefined ? '' : `Deprecated: ${flag.deprecated}.`,
    flag.ineffective === undefined ? '' : `No effect: ${flag.ineffective}.`,
  ]
  const cells = [head, flag.kind, shown === '' ? '' : `\`${shown}\``, meaning.filter((text) => text !== '').join(' ')]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |\n`
}

/** Undefined: the page doesn't exist yet. */
function written(): string | undefined {
  try {
    return readFileSync(page, 'utf8')
  } catch {
    return undefined
  }
}

const text = [header, ...programs.map(([title, about, flags]) => section(title, about, flags))].join('\n')
if (!process.argv.includes('--check')) {
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, text)
} else if (written() !== text) {
  console.error('docs/flags.md is out of date; run node hack/generate-flags.ts')
  process.exit(1)
}
