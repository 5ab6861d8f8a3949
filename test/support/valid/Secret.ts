import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'vv7-x', namespace: 'default' },
  type: 'Opaque',
  data: { a: 'AAA=' },
  immutable: true,
}

export const tls: ApiObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'vv7-x', namespace: 'default' },
  type: 'kubernetes.io/tls',
  data: { 'tls.crt': 'AAA=', 'tls.key': 'AAA=' },
}

export const docker: ApiObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'vv7-x', namespace: 'default' },
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': 'e30=' },
}

export const basic: ApiObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'vv7-x', namespace: 'default' },
  type: 'kubernetes.io/basic-auth',
  data: { username: 'AAA=' },
}

export const ssh: ApiObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'vv7-x', namespace: 'default' },
  type: 'kubernetes.io/ssh-auth',
  data: { 'ssh-privatekey': 'AAA=' },
}
