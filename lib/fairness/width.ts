/** The seats that a request takes while it executes, and for a while afterwards. */
export interface Width {
  readonly initialSeats: number
  /** Held for `extraLatencyMs` after the answer, for the watch events that a write causes. */
  readonly finalSeats: number
  readonly extraLatencyMs: number
}

export const oneSeat: Width = Object.freeze({ initialSeats: 1, finalSeats: 0, extraLatencyMs: 0 })

/** The stored objects of one resource. */
export interface Stored {
  readonly objects: number
  /** 0 with objects: unknown. */
  readonly bytes: number
}

/** A list, or a watch with initial events. */
export interface ListWork {
  /** Undefined when it is unknown. */
  readonly stored: Stored | undefined
  /** 0: no limit. */
  readonly limit: number
  /** Whether it names one object. */
  readonly named: boolean
  /** Read from the store, not from the watch cache. */
  readonly fromStore: boolean
  readonly hasSelector: boolean
}

/** Lists by the size of the objects that they read, or by their number. */
const bySize = { bytesPerSeat: 100_000, cachedBytesMax: 1_000_000, unknownObjectBytes: 1_500_000, seatsMax: 100 }
const byCount = { objectsPerSeat: 100, seatsMax: 10 }
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

/** `countsBytes`: by the size of the objects instead of their number. */
export function listWidth(
  work: ListWork,
  nominalSeats: number,
  handSize: number | undefined,
  countsBytes: boolean,
): Width {
  const { seatsMax } = countsBytes ? bySize : byCount
  const seats = countsBytes ? bytesRead(work) / bySize.bytesPerSeat : objectsRead(work) / byCount.objectsPerSeat
  if (seats <= 1) return oneSeat
  const most = seatsMaxOf(nominalSeats, handSize, seatsMax)
  return { initialSeats: Math.min(Math.ceil(seats), most), finalSeats: 0, extraLatencyMs: 0 }
}

function bytesRead({ stored, limit, named, fromStore, hasSelector }: ListWork): number {
  if (stored === undefined || stored.objects === 0) return 0
  const objectBytes = stored.bytes === 0 ? bySize.unknownObjectBytes : stored.bytes / stored.objects
  if (named) return objectBytes
  const page = Math.min(limit === 0 ? stored.objects : limit, stored.objects)
  // A selector passes over objects that are read all the same.
  const objects = fromStore && hasSelector ? Math.max(page, stored.objects / 2) : page
  const bytes = objects * objectBytes
  return fromStore ? bytes : Math.min(bytes, bySize.cachedBytesMax)
}

function objectsRead({ stored, limit, named, fromStore, hasSelector }: ListWork): number {
  if (named || stored === undefined) return 1
  const { objects } = stored
  if (!fromStore) return objects
  const page = limit === 0 ? objects : limit
  return hasSelector ? objects + page : 2 * page
}

/** `watchers` is the number of watches that receive the write. */
export function mutatingWidth(watchers: number, nominalSeats: number, handSize: number | undefined): Width {
  if (watchers < watchersPerSeat) return oneSeat
  const seats = Math.ceil(watchers / watchersPerSeat)
  const finalSeats = Math.min(seats, seatsMaxOf(nominalSeats, handSize, mutatingSeatsMax))
  return { initialSeats: 1, finalSeats, extraLatencyMs: (seats * eventsMsPerSeat) / finalSeats }
}
