import type { ApiObject } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { eventColumns } from './columns.ts'
import { eventFromCore, eventToCore } from './convert.ts'
import type { Event, ObjectReference } from './event.ts'
import { validateCoreEvent } from './validate.ts'

export const event: KindDefinition = {
  group: '',
  kind: 'Event',
  nameRule: nameRules.pathSegment,
  strategy: { validateCreate: validateCoreEvent, validateUpdate: validateCoreEvent },
  columns: eventColumns,
  selectableFields: {
    'involvedObject.kind': involved('kind'),
    'involvedObject.namespace': involved('namespace'),
    'involvedObject.name': involved('name'),
    'involvedObject.uid': involved('uid'),
    'involvedObject.apiVersion': involved('apiVersion'),
    'involvedObject.resourceVersion': involved('resourceVersion'),
    'involvedObject.fieldPath': involved('fieldPath'),
    reason: (object) => (object as Event).reason ?? '',
    reportingComponent: (object) => (object as Event).reportingComponent ?? '',
    source: (object) => (object as Event).source?.component || (object as Event).reportingComponent || '',
    type: (object) => (object as Event).type ?? '',
  },
  convert: {
    'events.k8s.io/v1': { fromHub: eventFromCore, toHub: eventToCore },
    'events.k8s.io/v1beta1': { toHub: eventToCore },
  },
  ttlSeconds: (_object, { eventTtlSeconds }) => eventTtlSeconds,
  garbageCollected: false,
}

function involved(field: keyof ObjectReference): (object: ApiObject) => string {
  return (object) => (object as Event).involvedObject?.[field] ?? ''
}
