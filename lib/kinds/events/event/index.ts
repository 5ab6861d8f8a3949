import { event } from '../../core/event/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { validateEventUpdate, validateNewEvent } from './validate.ts'

/** The newer form of the events in core/v1. */
export const newEvent: KindDefinition = {
  group: 'events.k8s.io',
  kind: 'Event',
  nameRule: nameRules.subdomain,
  strategy: { validateCreate: validateNewEvent, validateUpdate: validateEventUpdate },
  columns: event.columns ?? [],
  fieldSelectorAliases: {
    'regarding.kind': 'involvedObject.kind',
    'regarding.namespace': 'involvedObject.namespace',
    'regarding.name': 'involvedObject.name',
    'regarding.uid': 'involvedObject.uid',
    'regarding.apiVersion': 'involvedObject.apiVersion',
    'regarding.resourceVersion': 'involvedObject.resourceVersion',
    'regarding.fieldPath': 'involvedObject.fieldPath',
    reportingController: 'reportingComponent',
  },
  unknownFieldLabel: (label) => `field label not supported: ${label}`,
  viewOf: { group: '', kind: 'Event' },
  garbageCollected: false,
}
