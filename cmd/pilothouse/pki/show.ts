import { readCertificate } from '../../../lib/pki/index.ts'
import type { PkiFolder } from './files.ts'
import { readKubeconfigParts } from './issue.ts'
import { authorities, certificates, kubeconfigs } from './layout.ts'
import { alternativeNames } from './renew.ts'

const dayMs = 24 * 3600_000

interface Shown {
  readonly name: string
  readonly subject: string
  readonly names: readonly string[]
  readonly authority: string
  /** Undefined for a missing certificate. */
  readonly expires: string | undefined
  readonly daysLeft: number | undefined
}

/** One entry for each certificate of the layout, including missing ones. */
export async function inspect(folder: PkiFolder, nowMs: number): Promise<readonly Shown[]> {
  const shown: Shown[] = []
  for (const [name, { path }] of Object.entries(authorities))
    shown.push(describe(name, '', (await folder.readPair(path)).certificate, nowMs))
  for (const [name, { path, authority }] of Object.entries(certificates))
    shown.push(describe(name, authority, (await folder.readPair(path)).certificate, nowMs))
  for (const [name, { file, authority }] of Object.entries(kubeconfigs)) {
    const text = await folder.read(file)
    shown.push(describe(name, authority, text && readKubeconfigParts(text)?.certificate, nowMs))
  }
  return shown
}

function describe(name: string, authority: string, pem: string | undefined, nowMs: number): Shown {
  if (pem === undefined) return { name, subject: '', names: [], authority, expires: undefined, daysLeft: undefined }
  const { subject, validToDate } = readCertificate(pem)
  return {
    name,
    subject: subject.split('\n').join(', '),
    names: alternativeNames(pem),
    authority,
    expires: validToDate.toISOString().replace('.000', ''),
    daysLeft: Math.floor((validToDate.getTime() - nowMs) / dayMs),
  }
}

export function formatTable(entries: readonly Shown[]): string {
  const rows = [
    ['NAME', 'EXPIRES', 'DAYS LEFT', 'AUTHORITY', 'SUBJECT', 'NAMES'],
    ...entries.map(({ name, expires, daysLeft, authority, subject, names }) => [
      name,
      expires ?? '<missing>',
      daysLeft === undefined ? '' : String(daysLeft),
      authority,
      subject,
      names.join(','),
    ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('   ')
          .trimEnd()}\n`,
    )
    .join('')
}
