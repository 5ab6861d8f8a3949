/**
 * A deeply readonly value, as caches and clients return it. Every `T` is a `Frozen<T>`, so functions that take objects
 * to send take frozen ones; to change one is to copy it (`copyObject`).
 */
export type Frozen<T> = T extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]: Frozen<T[Field]> }
    : T
