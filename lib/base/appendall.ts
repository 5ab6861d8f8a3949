/** Appends every item. `list.push(...items)` passes each item as an argument, and some 100,000 overflow the stack. */
export function appendAll<Item>(list: Item[], items: Iterable<NoInfer<Item>>): void {
  for (const item of items) list.push(item)
}
