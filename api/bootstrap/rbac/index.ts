// The initial roles and bindings of every cluster.
export { clusterRoleBindings } from './clusterrolebindings.ts'
export { clusterRoles } from './clusterroles.ts'
export { controllerRoles } from './controllers.ts'
export type { DefaultBinding, DefaultRole, DefaultRule } from './form.ts'
export { roleBindings, roles } from './roles.ts'
