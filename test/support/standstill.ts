/** Acts until what is read has stayed the same over so many acts, and answers it: for what stops as something is full. */
export async function standstill<T>(read: () => T, act: () => Promise<unknown>, times = 20): Promise<T> {
  let last = read()
  for (let same = 0; same < times; same++) {
    await act()
    const now = read()
    if (now !== last) same = 0
    last = now
  }
  return last
}
