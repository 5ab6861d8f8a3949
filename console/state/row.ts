export interface Column {
  readonly name: string
  readonly type: string
  readonly description: string
  /** 0 for columns that are always shown; the others are for wide tables. */
  readonly priority: number
}

export interface Row {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  readonly createdAtMs: number
  readonly deleting: boolean
  readonly labels: Readonly<Record<string, string>>
  readonly cells: readonly unknown[]
}
