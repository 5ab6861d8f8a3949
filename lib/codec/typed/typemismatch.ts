/** A value does not fit its type. Says nothing of where and how: `explain` finds that out, off the fast path. */
export class TypeMismatch {}
