/** A value does not fit its type. Does not say where: `explain` finds that out, off the fast path. */
export class TypeMismatch {}
