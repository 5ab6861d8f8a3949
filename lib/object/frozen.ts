/**
 * A value that its holder must not change, through and through: what caches and clients hand out. Every `T` is a
 * `Frozen<T>`, so what takes objects to send takes frozen ones; to change one is to copy it (`copyObject`).
 */
export type Frozen<T> = T extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]: Frozen<T[Field]> }
    : T
