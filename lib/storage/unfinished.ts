/** A key outside of every prefix. While it is there, a restore or migration into the store has not come to its end. */
export const unfinishedKey = 'pilothouse/unfinished'
