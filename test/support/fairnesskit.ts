import {
  mandatoryLevels,
  mandatorySchemas,
  suggestedLevels,
  suggestedSchemas,
} from '../../api/bootstrap/flowcontrol/index.ts'
import type { FlowSchemaObject, PriorityLevelObject } from '../../lib/fairness/index.ts'
import type { RequestInfo, UserInfo } from '../../lib/request/index.ts'

/** Every object that a cluster begins with, with made-up uids. */
export function defaultSchemas(): FlowSchemaObject[] {
  return Object.entries({ ...mandatorySchemas, ...suggestedSchemas }).map(([name, spec]) => ({
    metadata: { name, uid: `schema-${name}` },
    spec,
  }))
}

export function defaultLevels(): PriorityLevelObject[] {
  return Object.entries({ ...mandatoryLevels, ...suggestedLevels }).map(([name, spec]) => ({
    metadata: { name, uid: `level-${name}` },
    spec,
  }))
}

export function userOf(name: string, groups: readonly string[] = []): UserInfo {
  return { name, uid: '', groups: [...groups, 'system:authenticated'], extra: {} }
}

export function infoOf(info: Partial<RequestInfo>): RequestInfo {
  return {
    isResource: true,
    method: 'GET',
    apiPrefix: 'api',
    namespaced: (info.namespace ?? '') !== '',
    path: '/api/v1/pods',
    verb: 'get',
    group: '',
    version: 'v1',
    namespace: '',
    resource: 'pods',
    subresource: '',
    name: '',
    selects: false,
    parts: [],
    ...info,
  }
}
