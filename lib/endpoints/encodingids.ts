/** Numbers for the encodings and frames of one feed, in the order of their first use: few, hence small. */
export interface EncodingIds {
  encoding(name: string): number
  frame(name: string): number
}

export function createEncodingIds(): EncodingIds {
  const encodings = new Map<string, number>()
  const frames = new Map<string, number>()
  return { encoding: (name) => number(encodings, name), frame: (name) => number(frames, name) }
}

function number(known: Map<string, number>, name: string): number {
  let id = known.get(name)
  if (id === undefined) known.set(name, (id = known.size))
  return id
}
