import { appendAll } from '../base/index.ts'
import { type FieldError, fieldErrors, quote, statusErrors } from '../object/index.ts'
import { isTrue } from './parseinfo.ts'
import type { QueryParameters } from './query.ts'

/** Validated options of list, watch and deletecollection; selectors are not parsed yet. */
export interface ListRequestOptions {
  readonly labelSelector: string
  readonly fieldSelector: string
  /** '' also where the gate ShardedListAndWatch is off: it is ignored then, as in the stock server. */
  readonly shardSelector: string
  readonly watch: boolean
  readonly allowWatchBookmarks: boolean
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  /** Undefined without a time limit. */
  readonly timeoutSeconds: number | undefined
  /** 0 or less: no limit. */
  readonly limit: number
  readonly continue: string
  readonly sendInitialEvents: boolean | undefined
}

interface GetOptions {
  readonly resourceVersion: string
}

export type FieldValidationOption = '' | 'Ignore' | 'Warn' | 'Strict'

/** Options of create and update. */
export interface CreateOrUpdateOptions {
  readonly dryRun: boolean
  readonly fieldManager: string
  readonly fieldValidation: FieldValidationOption
}

export interface PatchRequestOptions extends CreateOrUpdateOptions {
  readonly force: boolean | undefined
}

type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan'

export interface DeleteRequestOptions {
  readonly dryRun: boolean
  readonly gracePeriodSeconds: number | undefined
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string } | undefined
  readonly orphanDependents: boolean | undefined
  readonly propagationPolicy: PropagationPolicy | undefined
  readonly ignoreStoreReadError: boolean
}

/** Immediate, without preconditions: for objects that the server itself deletes. */
export const plainDeletion: DeleteRequestOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  preconditions: undefined,
  orphanDependents: undefined,
  propagationPolicy: undefined,
  ignoreStoreReadError: false,
}

const fieldManagerBytesMax = 128
const metaGroup = 'meta.k8s.io'

/** Throws 400 for a malformed number, 422 for an invalid combination. `forceWatch`: the path begins with watch. */
export function parseListOptions(
  query: QueryParameters,
  context: { watchList: boolean; shards: boolean; forceWatch?: boolean },
): ListRequestOptions {
  if (query.size === 0) return context.forceWatch ? { ...noListOptions, watch: true } : noListOptions
  const options: ListRequestOptions = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    shardSelector: context.shards ? (query.get('shardSelector') ?? '') : '',
    watch: isTrue(query.get('watch')) || context.forceWatch === true,
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds: integer(query.get('timeoutSeconds')),
    limit: integer(query.get('limit')) ?? 0,
    continue: query.get('continue') ?? '',
    sendInitialEvents: optionalBoolean(query.get('sendInitialEvents')),
  }
  check('ListOptions', options.watch ? watchErrors(options, context.watchList) : listErrors(options))
  return options
}

const noListOptions: ListRequestOptions = Object.freeze({
  labelSelector: '',
  fieldSelector: '',
  shardSelector: '',
  watch: false,
  allowWatchBookmarks: false,
  resourceVersion: '',
  resourceVersionMatch: '',
  timeoutSeconds: undefined,
  limit: 0,
  continue: '',
  sendInitialEvents: undefined,
})

function listErrors(options: ListRequestOptions): FieldError[] {
  const errors: FieldError[] = []
  const match = options.resourceVersionMatch
  const forbid = (detail: string): void => void errors.push(fieldErrors.forbidden('resourceVersionMatch', detail))
  if (match !== '') {
    if (options.resourceVersion === '') forbid('resourceVersionMatch is forbidden unless resourceVersion is provided')
    if (options.continue !== '') forbid('resourceVersionMatch is forbidden when continue is provided')
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(fieldErrors.notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']))
    if (match === 'Exact' && options.resourceVersion === '0')
      forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
  }
  if (options.sendInitialEvents !== undefined)
    errors.push(fieldErrors.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  return errors
}

function watchErrors(options: ListRequestOptions, watchList: boolean): FieldError[] {
  const errors: FieldError[] = []
  const match = options.resourceVersionMatch
  const forbid = (detail: string): void => void errors.push(fieldErrors.forbidden('resourceVersionMatch', detail))
  // A watch with initial events has no position to continue from.
  const isFromNow = options.resourceVersion === '' || options.resourceVersion === '0'
  if (match === '' && isFromNow && options.continue !== '')
    forbid('resourceVersionMatch is forbidden when continue is provided')
  if (options.sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan') forbid('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
    if (!watchList) {
      const why = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'
      errors.push(fieldErrors.forbidden('sendInitialEvents', why))
    }
  }
  if (match !== '') {
    if (options.sendInitialEvents === undefined)
      forbid('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')
    if (match !== 'NotOlderThan') errors.push(fieldErrors.notSupported('resourceVersionMatch', match, ['NotOlderThan']))
    if (options.continue !== '') forbid('resourceVersionMatch is forbidden when continue is provided')
  }
  return errors
}

export function parseGetOptions(query: QueryParameters): GetOptions {
  return query.size === 0 ? noGetOptions : { resourceVersion: query.get('resourceVersion') ?? '' }
}

const noGetOptions: GetOptions = Object.freeze({ resourceVersion: '' })
const noWriteOptions: CreateOrUpdateOptions = Object.freeze({ dryRun: false, fieldManager: '', fieldValidation: '' })

export function parseCreateOptions(query: QueryParameters): CreateOrUpdateOptions {
  return parseWriteOptions(query, 'CreateOptions')
}

export function parseUpdateOptions(query: QueryParameters): CreateOrUpdateOptions {
  return parseWriteOptions(query, 'UpdateOptions')
}

function parseWriteOptions(query: QueryParameters, kind: 'CreateOptions' | 'UpdateOptions'): CreateOrUpdateOptions {
  if (query.size === 0) return noWriteOptions
  const { errors, options } = readWriteOptions(query)
  check(kind, errors)
  return options
}

/** `apply`: the body is an apply configuration, which requires a manager, and alone may force. */
export function parsePatchOptions(query: QueryParameters, context: { apply: boolean }): PatchRequestOptions {
  const force = optionalBoolean(query.get('force'))
  const { errors, options } = readWriteOptions(query)
  if (!context.apply && force !== undefined)
    errors.unshift(fieldErrors.forbidden('force', 'may not be specified for non-apply patch'))
  if (context.apply && options.fieldManager === '')
    errors.unshift(fieldErrors.required('fieldManager', 'is required for apply patch'))
  check('PatchOptions', errors)
  return { ...options, force }
}

function readWriteOptions(query: QueryParameters): { errors: FieldError[]; options: CreateOrUpdateOptions } {
  const fieldManager = query.get('fieldManager') ?? ''
  const fieldValidation = query.get('fieldValidation') ?? ''
  const dryRun = query.getAll('dryRun')
  const errors = [...fieldManagerErrors(fieldManager), ...dryRunErrors(dryRun)]
  if (!isFieldValidation(fieldValidation))
    errors.push(fieldErrors.notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']))
  return {
    errors,
    options: {
      dryRun: dryRun.includes('All'),
      fieldManager,
      fieldValidation: isFieldValidation(fieldValidation) ? fieldValidation : '',
    },
  }
}

function isFieldValidation(text: string): text is FieldValidationOption {
  return text === '' || text === 'Ignore' || text === 'Warn' || text === 'Strict'
}

/** Problems of a field manager's name: at most 128 bytes, all printable. */
export function fieldManagerErrors(manager: string, field = 'fieldManager'): FieldError[] {
  const errors: FieldError[] = []
  if (Buffer.byteLength(manager) > fieldManagerBytesMax) errors.push(fieldErrors.tooLong(field, fieldManagerBytesMax))
  let position = 0
  for (const character of manager) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      const detail = `invalid character U+${code} (at position ${position})`
      errors.push(fieldErrors.invalid(field, manager, detail))
    }
    position += Buffer.byteLength(character)
  }
  return errors
}

/** An empty value means no dry run (specification, "Dry run" rule 1). */
function dryRunErrors(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All' || value === '')) return []
  return [fieldErrors.notSupported('dryRun', [...values], ['All'])]
}

/** The options of a DELETE without a body. */
export function parseDeleteOptions(query: QueryParameters, gates: DeleteGates = {}): DeleteRequestOptions {
  if (query.size === 0) return noDeleteOptions
  return checkDeleteOptions(
    {
      dryRun: query.getAll('dryRun'),
      gracePeriodSeconds: integer(query.get('gracePeriodSeconds')),
      preconditions: preconditionsOf(query.get('uid') ?? '', query.get('resourceVersion') ?? ''),
      orphanDependents: optionalBoolean(query.get('orphanDependents')),
      propagationPolicy: query.get('propagationPolicy') ?? undefined,
      ignoreStoreReadErrorWithClusterBreakingPotential: optionalBoolean(
        query.get('ignoreStoreReadErrorWithClusterBreakingPotential'),
      ),
    },
    gates,
  )
}

function preconditionsOf(uid: string, resourceVersion: string): RawDeleteOptions['preconditions'] {
  if (uid === '' && resourceVersion === '') return undefined
  return { uid: uid || undefined, resourceVersion: resourceVersion || undefined }
}

const noDeleteOptions: DeleteRequestOptions = Object.freeze({
  dryRun: false,
  gracePeriodSeconds: undefined,
  preconditions: undefined,
  orphanDependents: undefined,
  propagationPolicy: undefined,
  ignoreStoreReadError: false,
})

/** The fields of a DeleteOptions object, decoded from a body or query. */
export interface RawDeleteOptions {
  readonly dryRun?: readonly string[] | undefined
  readonly gracePeriodSeconds?: number | undefined
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined
  readonly orphanDependents?: boolean | undefined
  readonly propagationPolicy?: string | undefined
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined
}

/** Features whose options are ignored while they are off. */
interface DeleteGates {
  /** Gate AllowUnsafeMalformedObjectDeletion. */
  readonly unsafeDeletion?: boolean
}

/** Throws 422 for values that are not allowed. */
export function checkDeleteOptions(
  given: RawDeleteOptions,
  { unsafeDeletion = false }: DeleteGates = {},
): DeleteRequestOptions {
  const raw = unsafeDeletion ? given : { ...given, ignoreStoreReadErrorWithClusterBreakingPotential: undefined }
  const errors: FieldError[] = []
  const policy = raw.propagationPolicy
  if (raw.orphanDependents !== undefined && policy !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set'
    errors.push(fieldErrors.invalid('propagationPolicy', policy, why))
  }
  if (policy !== undefined && !isPropagationPolicy(policy)) {
    const supported = ['Foreground', 'Background', 'Orphan', 'nil']
    errors.push(fieldErrors.notSupported('propagationPolicy', policy, supported))
  }
  appendAll(errors, dryRunErrors(raw.dryRun ?? []))
  appendAll(errors, forcedDeleteErrors(raw))
  check('DeleteOptions', errors)
  return {
    dryRun: raw.dryRun?.includes('All') ?? false,
    gracePeriodSeconds: raw.gracePeriodSeconds,
    preconditions: raw.preconditions,
    orphanDependents: raw.orphanDependents,
    propagationPolicy: policy !== undefined && isPropagationPolicy(policy) ? policy : undefined,
    ignoreStoreReadError: raw.ignoreStoreReadErrorWithClusterBreakingPotential ?? false,
  }
}

function isPropagationPolicy(text: string): text is PropagationPolicy {
  return text === 'Foreground' || text === 'Background' || text === 'Orphan'
}

/** A forced deletion of an unreadable object excludes all other options (specification, "Deletion options" rule 3). */
function forcedDeleteErrors(raw: RawDeleteOptions): FieldError[] {
  if (!raw.ignoreStoreReadErrorWithClusterBreakingPotential) return []
  const set: Record<string, boolean> = {
    dryRun: (raw.dryRun ?? []).length > 0,
    gracePeriodSeconds: raw.gracePeriodSeconds !== undefined,
    orphanDependents: raw.orphanDependents !== undefined,
    preconditions: raw.preconditions !== undefined,
    propagationPolicy: raw.propagationPolicy !== undefined,
  }
  const field = 'ignoreStoreReadErrorWithClusterBreakingPotential'
  return Object.keys(set)
    .filter((name) => set[name])
    .map((name) => fieldErrors.invalid(field, true, `cannot be set together with .${name}`))
}

function check(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw statusErrors.invalid({ group: metaGroup, kind }, '', errors)
}

const int64Max = 2n ** 63n - 1n

/** A decimal int64; beyond 2^53 the nearest number. Throws 400 with the message that clients know. */
function integer(text: string | null): number | undefined {
  if (text === null) return undefined
  const fail = (why: string): never => {
    throw statusErrors.badRequest(`strconv.ParseInt: parsing ${quote(text)}: ${why}`)
  }
  if (!/^[+-]?[0-9]+$/.test(text)) return fail('invalid syntax')
  if (text.length > 15) {
    if (text.length > 40) return fail('value out of range')
    const exact = BigInt(text.replace(/^\+/, ''))
    if (exact > int64Max || exact < -int64Max - 1n) return fail('value out of range')
  }
  // No option needs such a number, and one beyond it may not be an int64.
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))
}

function optionalBoolean(text: string | null): boolean | undefined {
  return text === null ? undefined : isTrue(text)
}
