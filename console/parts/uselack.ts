import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Kind } from '../api/kinds.ts'
import { lackingRight, type Rights, rightsIn } from '../api/rights.ts'
import { session } from '../api/session.ts'
import { texts } from '../text.ts'

/** A check of a right on the kind, or on one of its subresources; without a name: for objects of any name. */
type LackOf = (verb: string, subresource?: string, name?: string) => string | undefined

/** Answers why a control is grey: the right that the user lacks in the namespace. Undefined where nothing lacks, as far as is known. */
export function useLack(kind: Kind | undefined, namespace: string): LackOf {
  const rights = useSignal<Rights | undefined>(undefined)
  useEffect(
    () =>
      void rightsIn(namespace).then(
        (read) => (rights.value = read),
        () => {},
      ),
    [namespace],
  )
  return (verb, subresource = '', name) => {
    if (!kind || !rights.value) return undefined
    const resource = subresource === '' ? kind.resource : `${kind.resource}/${subresource}`
    return rights.value.may(verb, kind.group, resource, name) ? undefined : lackingRight(verb, kind, subresource)
  }
}

/** Why nothing runs in containers: a browser's WebSocket carries no header, and so no other user's name. */
export function lackOfStreams(): string | undefined {
  return session.value?.seenAs ? texts.streamAsOther : undefined
}
