/** How webhooks of the API server are asked again, which is kube-apiserver's way; the first pause is configured. */
export const webhookBackoff = { factor: 1.5, spread: [1, 1.2], tries: 5 } as const
