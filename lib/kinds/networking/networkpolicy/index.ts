import type * as networking from '../../../../api/gen/networking.k8s.io/v1.ts'
import {
  type ApiObject,
  cidrContains,
  type FieldError,
  FieldPath,
  fieldErrors,
  formatLabelSelector,
  parseCidr,
  validateLegacyCidr,
  validatePortName,
  validatePortNumber,
} from '../../../object/index.ts'
import { checkFormat, checkNumber, checkPresent, checkSupported } from '../../check.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { cidrWarnings } from '../../meta/addresswarnings.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { checkLabelSelector } from '../../meta/labelselector.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { checkStrictAddresses, type LocatedAddress, locateCidrs } from '../../meta/strictaddresses.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): networking.NetworkPolicySpec => object['spec'] as networking.NetworkPolicySpec

function defaults(object: ApiObject): void {
  const spec = (object['spec'] ??= {}) as networking.NetworkPolicySpec
  spec.podSelector ??= {}
  for (const { ports } of [...(spec.ingress ?? []), ...(spec.egress ?? [])])
    for (const port of ports ?? []) port.protocol ??= 'TCP'
  if (!spec.policyTypes?.length) spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress']
}

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { podSelector, ingress, egress, policyTypes = [] } = specOf(object)
  checkLabelSelector(errors, podSelector, path.child('podSelector'))
  ingress?.forEach(({ ports, from }, index) =>
    checkRule(errors, ports, { name: 'from', peers: from }, path.child('ingress').index(index)),
  )
  egress?.forEach(({ ports, to }, index) =>
    checkRule(errors, ports, { name: 'to', peers: to }, path.child('egress').index(index)),
  )
  const types = path.child('policyTypes')
  if (policyTypes.length > 2)
    errors.push(fieldErrors.invalid(types, policyTypes, 'may not specify more than two policyTypes'))
  else policyTypes.forEach((type, index) => checkSupported(errors, type, types.index(index), ['Ingress', 'Egress']))
  return errors
}

function checkRule(
  errors: FieldError[],
  ports: readonly networking.NetworkPolicyPort[] | undefined,
  { name, peers }: { name: string; peers: readonly networking.NetworkPolicyPeer[] | undefined },
  at: FieldPath,
): void {
  ports?.forEach((port, index) => checkPort(errors, port, at.child('ports').index(index)))
  peers?.forEach((peer, index) => checkPeer(errors, peer, at.child(name).index(index)))
}

function checkPort(
  errors: FieldError[],
  { protocol, port, endPort }: networking.NetworkPolicyPort,
  at: FieldPath,
): void {
  if (protocol !== undefined) checkSupported(errors, protocol, at.child('protocol'), ['TCP', 'UDP', 'SCTP'])
  const end = at.child('endPort')
  if (port === undefined) {
    if (endPort !== undefined)
      errors.push(fieldErrors.invalid(end, endPort, 'may not be specified when `port` is not specified'))
  } else if (typeof port === 'string') {
    if (endPort !== undefined)
      errors.push(fieldErrors.invalid(end, endPort, 'may not be specified when `port` is non-numeric'))
    checkFormat(errors, port, at.child('port'), validatePortName)
  } else {
    checkNumber(errors, port, at.child('port'), validatePortNumber)
    if (endPort === undefined) return
    if (endPort < port) errors.push(fieldErrors.invalid(end, port, 'must be greater than or equal to `port`'))
    checkNumber(errors, endPort, end, validatePortNumber)
  }
}

function checkPeer(errors: FieldError[], peer: networking.NetworkPolicyPeer, at: FieldPath): void {
  let count = 0
  for (const name of ['podSelector', 'namespaceSelector'] as const) {
    const selector = peer[name]
    if (!selector) continue
    count++
    checkLabelSelector(errors, selector, at.child(name))
  }
  if (peer.ipBlock) {
    count++
    checkBlock(errors, peer.ipBlock, at.child('ipBlock'))
  }
  if (count === 0) errors.push(fieldErrors.required(at, 'must specify a peer'))
  else if (count > 1 && peer.ipBlock)
    errors.push(fieldErrors.forbidden(at, 'may not specify both ipBlock and another peer'))
}

function checkBlock(errors: FieldError[], { cidr, except = [] }: networking.IPBlock, at: FieldPath): void {
  if (!checkPresent(errors, cidr, at.child('cidr'))) return
  checkFormat(errors, cidr, at.child('cidr'), validateLegacyCidr)
  const block = parseCidr(cidr)
  if (!block) return
  except.forEach((excepted, index) => {
    const here = at.child('except').index(index)
    checkFormat(errors, excepted, here, validateLegacyCidr)
    const inner = parseCidr(excepted)
    if (!inner) return
    const isSubset = cidrContains(block, { family: inner.family, value: inner.base }) && inner.bits > block.bits
    if (!isSubset) errors.push(fieldErrors.invalid(here, excepted, 'must be a strict subset of `cidr`'))
  })
}

function warnings(object: ApiObject): string[] {
  const { ingress = [], egress = [] } = specOf(object)
  const blocks = (peers: readonly networking.NetworkPolicyPeer[] | undefined, at: string): string[] =>
    (peers ?? []).flatMap(({ ipBlock }, index) => {
      if (!ipBlock) return []
      const block = `${at}[${index}].ipBlock`
      return [
        ...cidrWarnings(`${block}.cidr`, ipBlock.cidr),
        ...(ipBlock.except ?? []).flatMap((except, exception) => cidrWarnings(`${block}.except[${exception}]`, except)),
      ]
    })
  return [
    ...ingress.flatMap(({ from }, index) => blocks(from, `spec.ingress[${index}].from`)),
    ...egress.flatMap(({ to }, index) => blocks(to, `spec.egress[${index}].to`)),
  ]
}

function validated(object: ApiObject, old: ApiObject | undefined, context: KindContext): FieldError[] {
  const errors = validate(object)
  checkStrictAddresses(errors, blocksOf(object), old ? blocksOf(old) : [], context)
  return errors
}

function blocksOf(object: ApiObject): LocatedAddress[] {
  const { ingress = [], egress = [] } = specOf(object)
  const blocks = (peers: readonly networking.NetworkPolicyPeer[] | undefined, at: FieldPath): LocatedAddress[] =>
    (peers ?? []).flatMap(({ ipBlock }, index): LocatedAddress[] => {
      if (!ipBlock) return []
      const block = at.index(index).child('ipBlock')
      const whole: LocatedAddress = { path: block.child('cidr'), value: ipBlock.cidr, form: 'cidr' }
      return [whole, ...locateCidrs(ipBlock.except, block.child('except'))]
    })
  return [
    ...ingress.flatMap(({ from }, index) => blocks(from, path.child('ingress').index(index).child('from'))),
    ...egress.flatMap(({ to }, index) => blocks(to, path.child('egress').index(index).child('to'))),
  ]
}

export const networkPolicy: KindDefinition = {
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  nameRule: nameRules.subdomain,
  defaults: { v1: defaults },
  strategy: {
    ...specStrategy({ generation: true, hasStatus: false, validate }),
    validateCreate: (object, context) => validated(object, undefined, context),
    validateUpdate: validated,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
  },
  columns: [
    nameColumn,
    textColumn('Pod-Selector', 'Pods that the policy is about.', (object) =>
      formatLabelSelector(specOf(object).podSelector),
    ),
    ageColumn,
  ],
}
