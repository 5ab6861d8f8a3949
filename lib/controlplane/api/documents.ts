import { tables } from '../../../api/index.ts'
import { type Clock, nextTurn } from '../../base/index.ts'
import { createDiscovery, type ListedGroup } from '../../discovery/index.ts'
import { type ApiObject, formatGroupVersion } from '../../object/index.ts'
import { createOpenApi, type RemoteDocuments } from '../../openapi/index.ts'
import type { Peers } from '../../peers/index.ts'
import type { Call } from '../../request/index.ts'
import { type ServedGroups, type StructType, tablePrefix } from '../../schema/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { type NonResourceRoute, versionRoute } from '../../server/index.ts'
import type { ApiserverConfig } from '../config.ts'

export interface DocumentSources {
  /** This server's own groups. */
  readonly served: ServedGroups
  /** All groups, including those of other servers. */
  groups(): readonly ListedGroup[]
  /** Other replicas; undefined: discovery covers this one alone. */
  readonly peers?: Peers | undefined
  /** OpenAPI of the other servers. */
  remote(): readonly RemoteDocuments[]
  /** Answers a call for another server; undefined: it is this server's own. */
  handle(call: Call): Promise<void> | undefined
}

/** Discovery, OpenAPI and the version. */
export function documentRoutes(
  scheme: Scheme,
  { served, groups, peers, remote, handle }: DocumentSources,
  config: ApiserverConfig,
  { clock, gate }: { clock: Clock; gate(name: string): boolean },
  port: () => number,
): NonResourceRoute[] {
  const discovery = createDiscovery(
    {
      groups,
      peers,
      // Documents are objects of kinds in the scheme, those of the core group without their version in JSON.
      encode: (document, kind, mediaType) =>
        scheme.objects.encodeObject({ apiVersion: formatGroupVersion(kind), ...document } as ApiObject, {
          mediaType: mediaType as 'application/yaml',
        }),
    },
    {
      // Known once the server listens, which is before the first request.
      get serverAddress() {
        return `${config.externalHost}:${port()}`
      },
      cbor: gate('CBORServingAndStorage'),
    },
  )
  const openApi = createOpenApi(
    {
      groups: () => served.list(),
      type: (name) => scheme.types.struct(name),
      struct: (gvk) => scheme.kind(gvk)?.struct,
      protoPackage: createProtoPackages(),
    },
    {
      version: config.version.gitVersion.replace(/\+.*/, ''),
      pause: () => nextTurn(clock),
      remote,
    },
  )
  const discover = (pattern: string): NonResourceRoute => ({
    pattern,
    methods: 'any',
    unlisted: true,
    handle: (call) => handle(call) ?? discovery.handle(call),
  })
  const describe = (pattern: string): NonResourceRoute => ({ pattern, methods: 'any', handle: openApi.handle })
  return [
    ...['/api', '/api/:version', '/apis', '/apis/:group', '/apis/:group/:version'].map(discover),
    ...['/openapi/v2', '/openapi/v3', '/openapi/v3/*'].map(describe),
    versionRoute({ ...config.version }),
  ]
}

/** Protobuf packages of types by the part of their names before the dot: `core/v1.Pod`. */
function createProtoPackages(): (struct: StructType) => string {
  const packages = new Map(
    tables.map(({ group, version, protoPackage }) => [tablePrefix({ group, version }), protoPackage]),
  )
  return ({ name }) => packages.get(name.slice(0, name.lastIndexOf('.'))) ?? ''
}

/** For the root page: `/api`, `/api/v1`, `/apis`, `/apis/apps`, `/apis/apps/v1`. */
export function* groupPaths(served: readonly ListedGroup[]): Iterable<string> {
  yield* ['/api', '/apis']
  for (const { name, versions } of served) {
    const path = name === '' ? '/api' : `/apis/${name}`
    yield path
    for (const { version } of versions) yield `${path}/${version}`
  }
}
