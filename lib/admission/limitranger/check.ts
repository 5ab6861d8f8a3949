import type * as core from '../../../api/gen/core/v1.ts'
import { compareQuantities, compareToProduct, parseQuantity } from '../../object/index.ts'
import { type Amounts, podResources, resourcesOf, type ResourceTotals as Usage } from '../../quota/index.ts'

/** The messages about the pod's values outside the range; empty when there are none. */
export function podFindings(spec: core.PodSpec, range: core.LimitRange, podLevel: boolean): string[] {
  return (range.spec?.limits ?? []).flatMap((item) => {
    if (item.type === 'Container')
      return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap((container) =>
        usageFindings(item, resourcesOf(container)),
      )
    return item.type === 'Pod' ? usageFindings(item, podResources({ spec }, { podLevel })) : []
  })
}

/** A claim requests a size and has no limit. */
export function claimFindings({ resources }: core.PersistentVolumeClaimSpec, range: core.LimitRange): string[] {
  const requests = resources?.requests ?? {}
  return (range.spec?.limits ?? [])
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item) => [
      ...each(item.min, (name, least) => belowMin(item.type, name, least, { requests, limits: {} })),
      ...each(item.max, (name, most) => requestAboveMax(item.type, name, most, requests[name])),
    ])
}

function usageFindings({ type, min, max, maxLimitRequestRatio }: core.LimitRangeItem, usage: Usage): string[] {
  return [
    ...each(min, (name, least) => belowMin(type, name, least, usage)),
    ...each(max, (name, most) => aboveMax(type, name, most, usage)),
    ...each(maxLimitRequestRatio, (name, ratio) => aboveRatio(type, name, ratio, usage)),
  ]
}

type Finding = (name: string, bound: string) => string | undefined

function each(bounds: Amounts | undefined, find: Finding): string[] {
  const names = Object.keys(bounds ?? {}).sort()
  return names.map((name) => find(name, bounds?.[name] ?? '')).filter((text) => text !== undefined)
}

function belowMin(type: string, name: string, least: string, { requests, limits }: Usage): string | undefined {
  const [request, limit] = [requests[name], limits[name]]
  const rule = `minimum ${name} usage per ${type} is ${least}`
  if (request === undefined) return `${rule}.  No request is specified`
  if (compareQuantities(request, least) < 0) return `${rule}, but request is ${request}`
  return limit !== undefined && compareQuantities(limit, least) < 0 ? `${rule}, but limit is ${limit}` : undefined
}

function aboveMax(type: string, name: string, most: string, { requests, limits }: Usage): string | undefined {
  const [request, limit] = [requests[name], limits[name]]
  const rule = `maximum ${name} usage per ${type} is ${most}`
  if (limit === undefined) return `${rule}.  No limit is specified`
  if (compareQuantities(limit, most) > 0) return `${rule}, but limit is ${limit}`
  return request !== undefined && compareQuantities(request, most) > 0
    ? `${rule}, but request is ${request}`
    : undefined
}

function requestAboveMax(type: string, name: string, most: string, request: string | undefined): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${most}`
  if (request === undefined) return `${rule}.  No request is specified`
  return compareQuantities(request, most) > 0 ? `${rule}, but request is ${request}` : undefined
}

function aboveRatio(type: string, name: string, most: string, { requests, limits }: Usage): string | undefined {
  const [request, limit] = [requests[name], limits[name]]
  const rule = `${name} max limit to request ratio per ${type} is ${most}`
  if (request === undefined || isZero(request)) return `${rule}, but no request is specified or request is 0`
  if (limit === undefined || isZero(limit)) return `${rule}, but no limit is specified or limit is 0`
  if (compareToProduct(limit, request, most) <= 0) return undefined
  return `${rule}, but provided ratio is ${(valueOf(limit) / valueOf(request)).toFixed(6)}`
}

function isZero(amount: string): boolean {
  return compareQuantities(amount, '0') === 0
}

function valueOf(amount: string): number {
  const { mantissa, scale } = parseQuantity(amount)
  return Number(mantissa) * 10 ** scale
}
