import { statusErrors } from '../../object/index.ts'
import { sendNoSuchPath } from '../../request/index.ts'
import type { ServerCall } from '../call.ts'
import type { ServerFilter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { Routes } from '../routes.ts'

/** Passes resource requests to the endpoints, others to the non-resource routes. */
export function dispatch({ resources }: ServerDependencies, routes: Routes, lifecycle: Lifecycle): ServerFilter {
  return (call) => {
    // Authorization reads it like the path with one slash; nothing is served there.
    if (call.info.path.startsWith('//')) return sendNoSuchPath(call)
    if (call.info.isResource) return resources.handle(call)
    // During the start a missing path may only be late: the client should retry.
    if (!lifecycle.started && routes.find(call.info.path) === undefined) {
      throw statusErrors.unavailable(
        'the request has been made before all known HTTP paths have been installed, please try again',
        5,
      )
    }
    return dispatchRoute(call, routes)
  }
}

/** Passes the call to the non-resource route of its path; 404 when there is none. */
export function dispatchRoute(call: ServerCall, routes: Routes): void | Promise<void> {
  const found = routes.find(call.path)
  if (found === undefined) return sendNoSuchPath(call)
  call.route = found.route.pattern
  const methods = found.route.methods ?? defaultMethods
  if (methods !== 'any' && !methods.includes(call.method)) throw statusErrors.methodNotAllowed()
  return found.route.handle(call, found.parameters)
}

const defaultMethods = ['GET']
