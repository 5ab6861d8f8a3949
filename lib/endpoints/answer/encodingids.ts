/** Numbers for the encodings and frames of one feed, in the order of their first use. */
export interface EncodingIds {
  encoding(name: string): number
  frame(name: string): number
  /** New ids at each call: for encodings that are replaced while the server runs. */
  unnamed(): EncodingIds
}

export function createEncodingIds(): EncodingIds {
  const encodings = new Map<string, number>()
  const frames = new Map<string, number>()
  let last = 0
  const next = (): number => ++last
  const unnamed: EncodingIds = { encoding: next, frame: next, unnamed: () => unnamed }
  return {
    encoding: (name) => number(encodings, name, next),
    frame: (name) => number(frames, name, next),
    unnamed: () => unnamed,
  }
}

function number(known: Map<string, number>, name: string, next: () => number): number {
  let id = known.get(name)
  if (id === undefined) known.set(name, (id = next()))
  return id
}
