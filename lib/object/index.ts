// object: the nouns of the API: objects and their metadata, groups, versions and kinds, names, selectors, quantities,
// times, field errors and Status. Pure values: no I/O, no schema, no knowledge of any kind.
export {
  type FieldError,
  type FieldErrorReason,
  FieldPath,
  fieldErrors,
  formatValue,
  quote,
} from './fielderror.ts'
export {
  formatGroupKind,
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
  type ApiObject,
  copyObject,
  type JsonObject,
  type JsonValue,
  type ListMeta,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
  setField,
} from './meta.ts'
export {
  asRevision,
  noRevision,
  parseResourceVersion,
  type ResourceVersion,
  type Revision,
  toResourceVersion,
} from './revision.ts'
export {
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusReason,
  statusErrors,
} from './status.ts'
