// object: the values of the API: objects and their metadata, groups, versions and kinds, names, selectors, quantities,
// times, field errors and Status. Pure values: no I/O, no schema, no knowledge of any kind.
export { validateCidr, validateIp, validateLegacyCidr, validateLegacyIp } from './addresses.ts'
export {
  deepEqual,
  equalityKey,
  semanticEqual,
} from './deepequal.ts'
export {
  canonicalDuration,
  formatDuration,
  humanDuration,
  parseDuration,
  parseDurationMs,
  parseLooseDuration,
} from './duration.ts'
export { type FieldError, type FieldErrorReason, FieldPath, fieldErrors, immutableText, quote } from './fielderror.ts'
export {
  escapeFieldValue,
  type FieldRequirement,
  type FieldSelector,
  fieldSelectorTermsMax,
  parseFieldSelector,
  transformFieldSelector,
} from './fieldselector.ts'
export type { Frozen } from './frozen.ts'
export { quoteGo } from './goquote.ts'
export {
  formatGroupResource,
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseGroupVersion,
} from './group.ts'
export {
  type IntOrString,
  intOrStringError,
  percentOf,
  scaledIntOrPercent,
} from './intorstring.ts'
export {
  type Cidr,
  cidrContains,
  formatCidr,
  formatIp,
  type Ip,
  type IpFamily,
  ipFamilyOf,
  ipWidths,
  isLoopback,
  parseCidr,
  parseIp,
  readCidr,
  readIp,
} from './ip.ts'
export { countValues, jsonText } from './json.ts'
export { misleadsJsonParse, parseJsonText } from './jsontext.ts'
export {
  formatLabelSelector,
  type LabelRequirement,
  type LabelSelector,
  type LabelSelectorObject,
  type Labels,
  labelSelectorFromObject,
  nothingSelector,
  parseLabelSelector,
  selectorCharactersMax,
  selectorFromLabels,
  selectorRequirementsMax,
} from './labelselector.ts'
export {
  type ApiObject,
  copyObject,
  type JsonObject,
  type JsonValue,
  jsonOf,
  type ListMeta,
  type ManagedFieldsEntry,
  nextGeneration,
  type ObjectMeta,
  type OwnerReference,
  setField,
} from './meta.ts'
export {
  type Validator,
  validateCIdentifier,
  validateConditionReason,
  validateConfigKey,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateDns1123SubdomainCaseless,
  validateDns1123SubdomainWithUnderscore,
  validateDomainPrefixedPath,
  validateEnvName,
  validateFullyQualifiedName,
  validateGroupId,
  validateHttpHeaderName,
  validateLabelValue,
  validatePathSegmentName,
  validatePathSegmentPrefix,
  validatePercent,
  validatePortName,
  validatePortNumber,
  validateQualifiedName,
  validateRelaxedEnvName,
  validateSignerName,
  validateUserId,
  validateWildcardSubdomain,
} from './names.ts'
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  compareToProduct,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityCharactersMax,
  quantityMilliValue,
  quantityValue,
  roundUpToMilli,
  subtractQuantities,
} from './quantity.ts'
export { type ResourceType, resourceType } from './resourcetype.ts'
export { asRevision, noRevision, parseResourceVersion, type Revision, toResourceVersion } from './revision.ts'
export {
  causesCharactersMax,
  causesMax,
  type Status,
  type StatusCause,
  StatusError,
  type StatusReason,
  statusErrors,
} from './status.ts'
export {
  canonicalMicroTime,
  canonicalTime,
  formatMicroTime,
  formatTime,
  isPlainTime,
  parseTime,
  plainSecondsOf,
  secondsToMs,
  zeroTime,
} from './time.ts'
