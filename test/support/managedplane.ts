import assert from 'node:assert/strict'
import type { ControlPlane, ControlPlaneOptions } from '../../cmd/pilothouse/library.ts'
import { openControlPlane } from '../../cmd/pilothouse/plane.ts'
import { settled } from './settled.ts'

/** A control plane with controllers in its process. */
export interface ManagedPlane {
  readonly plane: ControlPlane
  /** Resolves with the revision at which the controllers have nothing left to do: see settled.ts. */
  whenSettled(options?: Parameters<typeof settled>[2]): Promise<number>
}

export async function startManagedPlane(
  options: ControlPlaneOptions & { readonly controllers: true | readonly string[] },
): Promise<ManagedPlane> {
  const { plane, manager } = await openControlPlane(options)
  assert.ok(manager)
  return { plane, whenSettled: async (ahead) => await settled(manager, plane.client, ahead) }
}
