/** The seats that a request takes while it executes, and for a while afterwards. */
export interface Width {
  readonly initialSeats: number
  /** Held for `extraLatencyMs` after the answer, for the watch events that a write causes. */
  readonly finalSeats: number
  readonly extraLatencyMs: number
}

export const oneSeat: Width = Object.freeze({ initialSeats: 1, finalSeats: 0, extraLatencyMs: 0 })

/** A list, or a watch with initial events. */
export interface ListWork {
  /** Number of stored objects of the resource; undefined when it is unknown. */
  readonly stored: number | undefined
  /** 0: no limit. */
  readonly limit: number
  /** Whether it names one object. */
  readonly named: boolean
  /** Read from the store, not from the watch cache. */
  readonly fromStore: boolean
  readonly hasSelector: boolean
}

const objectsPerSeat = 100
const listSeatsMax = 10
const mutatingSeatsMax = 10
const watchersPerSeat = 10
/** Time for the watch events of a write, for each seat. */
const eventsMsPerSeat = 5

/** Maximum number of seats of a request, so that others fit beside it. */
function seatsMaxOf(nominalSeats: number, handSize: number | undefined, seatsMax: number): number {
  if (handSize === undefined) return seatsMax
  const share = Math.min(Math.ceil(0.15 * nominalSeats), Math.trunc(nominalSeats / handSize))
  return Math.max(1, Math.min(share, seatsMax))
}

export function listWidth(work: ListWork, nominalSeats: number, handSize: number | undefined): Width {
  const seats = Math.ceil(objectsRead(work) / objectsPerSeat)
  const most = seatsMaxOf(nominalSeats, handSize, listSeatsMax)
  return seats <= 1 ? oneSeat : { initialSeats: Math.min(seats, most), finalSeats: 0, extraLatencyMs: 0 }
}

function objectsRead({ stored, limit, named, fromStore, hasSelector }: ListWork): number {
  if (named || stored === undefined) return 1
  if (!fromStore) return stored
  const page = limit === 0 ? stored : limit
  return hasSelector ? stored + page : 2 * page
}

/** `watchers` is the number of watches that receive the write. */
export function mutatingWidth(watchers: number, nominalSeats: number, handSize: number | undefined): Width {
  if (watchers < watchersPerSeat) return oneSeat
  const seats = Math.ceil(watchers / watchersPerSeat)
  const finalSeats = Math.min(seats, seatsMaxOf(nominalSeats, handSize, mutatingSeatsMax))
  return { initialSeats: 1, finalSeats, extraLatencyMs: (seats * eventsMsPerSeat) / finalSeats }
}
