import { signal } from '@preact/signals'
import type { Column } from './row.ts'

/** The columns that the user hid or added, by kind, in this browser's storage. They are no secret. */
const key = 'pilothouse-console-columns'

type Choices = Readonly<Record<string, Readonly<Record<string, boolean>>>>

const choices = signal<Choices>(readChoices())

function readChoices(): Choices {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Choices) : {}
  } catch {
    return {}
  }
}

/** Whether the table of a kind (`apps/deployments`) shows the column: as chosen, or if the server gives it priority 0. */
export function isShown(kind: string, column: Column): boolean {
  return choices.value[kind]?.[column.name] ?? column.priority === 0
}

/** Shows or hides a column from now on. */
export function choose(kind: string, column: Column, shown: boolean): void {
  choices.value = { ...choices.value, [kind]: { ...choices.value[kind], [column.name]: shown } }
  localStorage.setItem(key, JSON.stringify(choices.value))
}
