/** The width of a request: its seats while it runs, and its seats for a while after that. */
export interface Width {
  readonly initialSeats: number
  /** Held for `extraLatencyMs` once the client has its answer: for the events that a write makes. */
  readonly finalSeats: number
  readonly extraLatencyMs: number
}

export const oneSeat: Width = Object.freeze({ initialSeats: 1, finalSeats: 0, extraLatencyMs: 0 })

/** A list, or the beginning of a watch that starts with the state. */
export interface ListWork {
  /** Objects of the resource; undefined when that is not known. */
  readonly stored: number | undefined
  /** 0: no limit. */
  readonly limit: number
  /** It names one object. */
  readonly named: boolean
  /** It is read from the store rather than from the watch cache. */
  readonly fromStore: boolean
  readonly hasSelector: boolean
}

const objectsPerSeat = 100
const listSeatsMax = 10
const mutatingSeatsMax = 10
const watchersPerSeat = 10
/** The time that the events of a write take, for each seat. */
const eventsMsPerSeat = 5

/** Most seats of one request in a level: no request may take so many that few others fit beside it. */
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

/** `watchers`: how many watches see the write. */
export function mutatingWidth(watchers: number, nominalSeats: number, handSize: number | undefined): Width {
  if (watchers < watchersPerSeat) return oneSeat
  const seats = Math.ceil(watchers / watchersPerSeat)
  const finalSeats = Math.min(seats, seatsMaxOf(nominalSeats, handSize, mutatingSeatsMax))
  return { initialSeats: 1, finalSeats, extraLatencyMs: (seats * eventsMsPerSeat) / finalSeats }
}
