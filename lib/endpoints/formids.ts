/** Numbers for the forms and frames of one feed, in the order of their first use: few, hence small. */
export interface FormIds {
  form(name: string): number
  frame(name: string): number
}

export function createFormIds(): FormIds {
  const forms = new Map<string, number>()
  const frames = new Map<string, number>()
  return { form: (name) => number(forms, name), frame: (name) => number(frames, name) }
}

function number(known: Map<string, number>, name: string): number {
  let id = known.get(name)
  if (id === undefined) known.set(name, (id = known.size))
  return id
}
