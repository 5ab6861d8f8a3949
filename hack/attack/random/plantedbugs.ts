import { randomBytes } from 'node:crypto'
import type { AttackedPlane, PlaneOptions } from '../plane.ts'
import type { Marker, Prepared } from '../setup.ts'

/** A bug that is planted on purpose: an attack on a plane with it must find it. */
export interface PlantedBug {
  readonly options: PlaneOptions
  /** Called once the plane is prepared. */
  plant?(plane: AttackedPlane, prepared: Prepared): Promise<void>
  /** Pattern of its finding. */
  readonly finding: RegExp
}

const textOf = ({ markers }: Prepared, place: string): string =>
  markers.find((marker: Marker) => marker.place === place)?.text ?? ''

export const plantedBugs: Readonly<Record<string, PlantedBug>> = {
  /** An authorizer that allows one user everything. */
  'open-authorizer': {
    options: {},
    async plant(plane) {
      const apiGroup = 'rbac.authorization.k8s.io'
      await plane.as('admin').ask('POST', `/apis/${apiGroup}/v1/clusterrolebindings`, {
        metadata: { name: 'open' },
        roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'User', apiGroup, name: 'editor' }],
      })
    },
    finding: /answers \d+ to editor, who may not/,
  },
  /** A controller that copies secrets to where others may read them. */
  'secret-in-annotation': {
    options: {},
    async plant(plane, prepared) {
      const copied = Buffer.from(`of ${textOf(prepared, 'Secret vault/secret')}`).toString('base64')
      for (const kind of ['configmaps', 'secrets', 'serviceaccounts', 'endpoints'])
        for (const name of ['x0', 'x1', 'x2', 'x3'])
          await plane
            .as('admin')
            .ask('POST', `/api/v1/namespaces/team/${kind}`, { metadata: { name, annotations: { copied } } })
    },
    finding: /shows Secret vault\/secret to editor/,
  },
  /** A server that writes bodies of Secrets to its audit log. */
  'secret-in-audit': {
    options: { auditPolicy: { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Request' }] } },
    finding: /Secret vault\/secret is in the audit log/,
  },
  /** A write that bypasses the authorizer. */
  'foreign-write': {
    options: {},
    async plant(plane) {
      const patch = { data: { key: randomBytes(8).toString('hex') } }
      const path = '/api/v1/namespaces/vault/configmaps/config'
      await plane.as('admin').ask('PATCH', path, patch, 'application/merge-patch+json')
    },
    finding: /configmaps\/config was changed/,
  },
  /** Controllers that have stopped. */
  'dead-controllers': {
    options: { flags: ['--controllers=*,-root-ca-certificate-publisher-controller'] },
    finding: /controllers: the certificate isn't there/,
  },
}

/** Bugs that one short run finds. */
export const bugsInShort: readonly PlantedBug[] = Object.entries(plantedBugs).flatMap(([name, bug]) =>
  name === 'dead-controllers' ? [] : [bug],
)

/** All of them at once. */
export function together(bugs: readonly PlantedBug[]): PlantedBug {
  return {
    options: Object.assign({}, ...bugs.map(({ options }) => options)) as PlaneOptions,
    async plant(plane, prepared) {
      for (const bug of bugs) await bug.plant?.(plane, prepared)
    },
    finding: /./,
  }
}
