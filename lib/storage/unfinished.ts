/** A key outside of every prefix. It exists while a restore or migration into the store is not finished. */
export const unfinishedKey = 'pilothouse/unfinished'
